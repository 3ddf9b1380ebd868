import { isRecord } from '../../base/json.ts';

/** Progress of a listing of all mails. Part of the stored cursor. */
export interface Backlog {
  /** Index of the fetched label that is being listed. */
  readonly label: number;
  /** Token of the next page; absent for the first one. */
  readonly page?: string;
  /** Mails handled so far. */
  readonly done: number;
  /** Whether to compare the labels of known mails, which may have changed unnoticed. */
  readonly compares: boolean;
  /** Complete listings before this one; it is repeated where mails left the labels during a listing. */
  readonly passes: number;
  /** Whether mails left the fetched labels during this listing. */
  readonly isShifted: boolean;
}

/** Most unreadable mails that the next process tries again; older ones are dropped. */
const MAX_UNREAD = 500;

/** How far the mails of an account are handled. */
export class GmailCursor {
  readonly #key: { readonly mailbox: string; readonly labels: readonly string[] };
  /** Changes up to here are handled; undefined before the first fetch. */
  historyId: string | undefined;
  /** Undefined once all mails are listed. */
  backlog: Backlog | undefined;
  /**
   * Position after which known mails must still be compared with the listing, since their changes are unknown; `''` for
   * all of them, undefined for none.
   */
  uncompared: string | undefined;
  #unread: readonly string[] = [];

  /** `stored` is the stored cursor. A cursor of another mailbox, or of other labels, is not used. */
  constructor(stored: unknown, key: { readonly mailbox: string; readonly labels: readonly string[] }) {
    this.#key = key;
    if (!isRecord(stored) || stored['mailbox'] !== key.mailbox) return;
    if (JSON.stringify(stored['labels']) !== JSON.stringify(key.labels)) return;
    const { historyId, backlog, uncompared, again } = stored;
    if (typeof historyId !== 'string' || !/^\d+$/.test(historyId)) return;
    this.historyId = historyId;
    this.backlog = backlogOf(backlog);
    if (typeof uncompared === 'string') this.uncompared = uncompared;
    if (Array.isArray(again)) this.#unread = again.filter((id) => typeof id === 'string');
  }

  /** Mails that were emitted and could not be read. */
  get unread(): readonly string[] {
    return this.#unread;
  }

  /** Starts a listing of all mails, newest first. */
  begin(historyId: string, compares: boolean): void {
    this.historyId = historyId;
    this.backlog = { label: 0, done: 0, compares, passes: 0, isShifted: false };
    this.uncompared = compares ? '' : undefined;
  }

  /** The cursor to store after the emitted mails (`given`), some of which could not be read. */
  next(given: ReadonlySet<string>, unread: readonly string[]): unknown {
    const again = this.#unread.filter((id) => !given.has(id));
    this.#unread = [...new Set([...again, ...unread])].slice(-MAX_UNREAD);
    return {
      ...this.#key,
      historyId: this.historyId,
      ...(this.backlog !== undefined && { backlog: this.backlog }),
      ...(this.uncompared !== undefined && { uncompared: this.uncompared }),
      ...(this.#unread.length > 0 && { again: this.#unread }),
    };
  }
}

function backlogOf(stored: unknown): Backlog | undefined {
  if (!isRecord(stored)) return undefined;
  const { label, page, done, compares, passes, isShifted } = stored;
  const count = (value: unknown) => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
  return {
    ...{ label: count(label), done: count(done), compares: compares === true },
    ...{ passes: count(passes), isShifted: isShifted === true },
    ...(typeof page === 'string' && { page }),
  };
}

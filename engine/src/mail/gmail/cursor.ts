import { isRecord } from '../../base/json.ts';

/** What is left of listing everything. */
export interface Backlog {
  /** Which of the fetched labels is being listed, from 0. */
  readonly label: number;
  /** The page to go on with; absent for the first one. */
  readonly page?: string;
  /** Mails that were dealt with. */
  readonly done: number;
  /** The labels of mails that were taken before are compared: what happened to them meanwhile is not known. */
  readonly compares: boolean;
  /** Times that all was listed before this one, since mails were leaving. */
  readonly passes: number;
  /** Mails left the fetched labels while they were listed. */
  readonly isShifted: boolean;
}

/** Mails that could not be read and are tried anew by the next process; more than that are given up. */
const MOST_AGAIN = 500;

/** How far an account was dealt with. */
export class GmailCursor {
  readonly #key: { readonly mailbox: string; readonly labels: readonly string[] };
  /** Changes up to here were dealt with; undefined before the first look. */
  historyId: string | undefined;
  /** Undefined once all was listed. */
  backlog: Backlog | undefined;
  /**
   * Kept mails after this have yet to be compared with all that there is, since what became of them was not told; `''` for all of
   * them, undefined for none.
   */
  uncompared: string | undefined;
  #again: readonly string[] = [];

  /** `kept` is the place of the last look; one of another mailbox, or of other labels, is begun anew. */
  constructor(kept: unknown, key: { readonly mailbox: string; readonly labels: readonly string[] }) {
    this.#key = key;
    if (!isRecord(kept) || kept['mailbox'] !== key.mailbox) return;
    if (JSON.stringify(kept['labels']) !== JSON.stringify(key.labels)) return;
    const { historyId, backlog, uncompared, again } = kept;
    if (typeof historyId !== 'string' || !/^\d+$/.test(historyId)) return;
    this.historyId = historyId;
    this.backlog = backlogOf(backlog);
    if (typeof uncompared === 'string') this.uncompared = uncompared;
    if (Array.isArray(again)) this.#again = again.filter((id) => typeof id === 'string');
  }

  /** Mails that were given and could not be read. */
  get unread(): readonly string[] {
    return this.#again;
  }

  /** Everything is to be listed, from the newest on. */
  begin(historyId: string, compares: boolean): void {
    this.historyId = historyId;
    this.backlog = { label: 0, done: 0, compares, passes: 0, isShifted: false };
    this.uncompared = compares ? '' : undefined;
  }

  /** The value to keep after mails were given, some of which could not be read. */
  keep(given: ReadonlySet<string>, unread: readonly string[]): unknown {
    const again = this.#again.filter((id) => !given.has(id));
    this.#again = [...new Set([...again, ...unread])].slice(-MOST_AGAIN);
    return {
      ...this.#key,
      historyId: this.historyId,
      ...(this.backlog !== undefined && { backlog: this.backlog }),
      ...(this.uncompared !== undefined && { uncompared: this.uncompared }),
      ...(this.#again.length > 0 && { again: this.#again }),
    };
  }
}

function backlogOf(kept: unknown): Backlog | undefined {
  if (!isRecord(kept)) return undefined;
  const { label, page, done, compares, passes, isShifted } = kept;
  const count = (value: unknown) => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
  return {
    ...{ label: count(label), done: count(done), compares: compares === true },
    ...{ passes: count(passes), isShifted: isShifted === true },
    ...(typeof page === 'string' && { page }),
  };
}

import type { Logger } from '../base/log.ts';

/** A fetch that finds this many mails is a backlog: the log gets a line for each further 500 mails. */
const BACKLOG = 500;

/** Counts the mails of one account's fetch for its status, and logs a backlog. */
export class FetchProgress {
  readonly #log: Logger;
  readonly #accountId: string;
  readonly #onChange: (() => void) | undefined;
  #counts: { done: number; total: number } | undefined;

  constructor(log: Logger, accountId: string, onChange: (() => void) | undefined) {
    this.#log = log;
    this.#accountId = accountId;
    this.#onChange = onChange;
  }

  /** Mails done and found; undefined where no fetch runs or it found none. */
  counts(): { readonly done: number; readonly total: number } | undefined {
    return this.#counts && { ...this.#counts };
  }

  /** To be called when the source has counted the mails of the fetch. */
  setTotal(mails: number): void {
    const isFirst = this.#counts === undefined;
    this.#counts = mails === 0 ? undefined : { done: 0, total: mails };
    if (isFirst && mails >= BACKLOG)
      this.#log.info('a backlog of mail is fetched', { account: this.#accountId, mails });
    if (mails > 0) this.#onChange?.();
  }

  /** To be called when one mail is done. */
  addDone(): void {
    const counts = this.#counts;
    if (counts === undefined) return;
    counts.done++;
    this.#onChange?.();
    if (counts.total >= BACKLOG && counts.done % BACKLOG === 0)
      this.#log.info('a backlog of mail is being fetched', { account: this.#accountId, ...counts });
  }

  /** To be called when the fetch ends. */
  end(): void {
    this.#counts = undefined;
  }
}

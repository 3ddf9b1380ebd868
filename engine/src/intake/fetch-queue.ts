import type { SourceEvent } from '../mail/source.ts';
import type { AccountFetchResult } from './account-status.ts';

const NOTHING: AccountFetchResult = { taken: 0, failed: 0 };

/** What the queue needs of an account. */
interface FetchedAccount {
  readonly id: string;
  fetch(cycleId: string, isPatient: boolean): Promise<AccountFetchResult>;
}

/**
 * Fetches accounts: each account once at a time, and at most as many at once as the config allows, so that a slow
 * account delays no other.
 */
export class FetchQueue {
  readonly #limit: () => number;
  readonly #onAgain: () => void;
  readonly #running = new Map<string, Promise<AccountFetchResult>>();
  readonly #waiting = new Set<string>();
  readonly #again = new Set<string>();

  /**
   * `limit` returns how many accounts may be fetched at once. `onAgain` is called when a fetch has ended and another
   * fetch of the same account was left out meanwhile.
   */
  constructor(limit: () => number, onAgain: () => void) {
    this.#limit = limit;
    this.#onAgain = onAgain;
  }

  /**
   * Fetches the account for this cycle. Where a fetch of it runs or waits already, a patient caller waits for its own;
   * any other is left out, and `onAgain` follows.
   */
  async fetch(account: FetchedAccount, cycleId: string, isPatient: boolean): Promise<AccountFetchResult> {
    // By id: the account may have been opened again, and its previous fetch must end first.
    const { id } = account;
    if (!isPatient && (this.#waiting.has(id) || this.#running.has(id))) {
      this.#again.add(id);
      return NOTHING;
    }
    this.#waiting.add(id);
    while (this.#running.has(id) || this.#running.size >= this.#limit()) await Promise.race(this.#running.values());
    this.#waiting.delete(id);
    const fetch = account.fetch(cycleId, isPatient).finally(() => {
      this.#running.delete(id);
      if (this.#again.delete(id)) this.#onAgain();
    });
    this.#running.set(id, fetch);
    return fetch;
  }
}

/**
 * Mails of one account that are read and stored at the same time: several small ones, so that they share commits; of those that are large, or
 * whose size is not known before, a few, since all of them are in memory.
 */
const LANES = { small: 8, other: 2 } as const;
const SMALL_BYTES = 64 * 1024;

/** The mails of one account that are being read and stored. */
export class MailQueue {
  readonly #lanes = new Set<Promise<void>>();
  readonly #threads = new Map<string, Promise<unknown>>();

  /** Waits until this event may be handled: a mail beside some others, any other event alone. */
  async room(one: SourceEvent): Promise<void> {
    while (this.#lanes.size >= lanesFor(one)) await Promise.race(this.#lanes);
  }

  /** Adds the work on a mail, which never rejects. */
  add(work: Promise<void>): void {
    const lane: Promise<void> = work.finally(() => this.#lanes.delete(lane));
    this.#lanes.add(lane);
  }

  /** Resolves when no mail is worked on. */
  async all(): Promise<void> {
    await Promise.all(this.#lanes);
  }

  /** Stores one mail of a thread after the other, so that each knows those before it, such as one with the same Message-ID. */
  async inThread<T>(thread: string, store: () => Promise<T>): Promise<T> {
    const before = this.#threads.get(thread);
    const mine = before === undefined ? store() : before.then(store, store);
    this.#threads.set(thread, mine);
    try {
      return await mine;
    } finally {
      if (this.#threads.get(thread) === mine) this.#threads.delete(thread);
    }
  }
}

function lanesFor(one: SourceEvent): number {
  if (one.kind !== 'mail') return 1;
  return one.seen !== undefined && one.seen.size <= SMALL_BYTES ? LANES.small : LANES.other;
}

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

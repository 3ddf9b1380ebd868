import type { AccountFetcher, AccountFetchResult } from './account-fetcher.ts';

const NOTHING: AccountFetchResult = { taken: 0, failed: 0 };

/**
 * Fetches accounts: each account once at a time, and at most as many at once as the config allows, so that a slow
 * account delays no other.
 */
export class FetchQueue {
  readonly #most: () => number;
  readonly #onAgain: () => void;
  readonly #underWay = new Map<string, Promise<AccountFetchResult>>();
  readonly #planned = new Set<string>();
  readonly #again = new Set<string>();

  /**
   * `most` returns how many accounts may be fetched at once. `onAgain` is called when a fetch has ended and another
   * fetch of the same account was left out meanwhile.
   */
  constructor(most: () => number, onAgain: () => void) {
    this.#most = most;
    this.#onAgain = onAgain;
  }

  /**
   * Fetches the account for this cycle. Where a fetch of it runs or waits already, a patient caller waits for its own;
   * any other is left out, and `onAgain` follows.
   */
  async at(account: AccountFetcher, cycleId: string, isPatient: boolean): Promise<AccountFetchResult> {
    // By id: the account may have been opened again, and its previous fetch must end first.
    const { id } = account;
    if (!isPatient && (this.#planned.has(id) || this.#underWay.has(id))) {
      this.#again.add(id);
      return NOTHING;
    }
    this.#planned.add(id);
    while (this.#underWay.has(id) || this.#underWay.size >= this.#most()) await Promise.race(this.#underWay.values());
    this.#planned.delete(id);
    const look = account.fetch(cycleId, isPatient).finally(() => {
      this.#underWay.delete(id);
      if (this.#again.delete(id)) this.#onAgain();
    });
    this.#underWay.set(id, look);
    return look;
  }
}

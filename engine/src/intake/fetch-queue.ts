import type { AccountFetcher, AccountFetchResult } from './account-fetcher.ts';

const NOTHING: AccountFetchResult = { taken: 0, failed: 0 };

/** Looks at accounts: of each one at a time, and of all so many as the config allows, so that a slow account is slow alone. */
export class FetchQueue {
  readonly #most: () => number;
  readonly #onAgain: () => void;
  readonly #underWay = new Map<string, Promise<AccountFetchResult>>();
  readonly #planned = new Set<string>();
  readonly #again = new Set<string>();

  /** `onAgain` is called when a look has ended at an account that was to be looked at once more meanwhile. */
  constructor(most: () => number, onAgain: () => void) {
    this.#most = most;
    this.#onAgain = onAgain;
  }

  /** A look of this cycle. Where one is under way or about to begin it is left to another cycle, unless somebody waits for it. */
  async at(account: AccountFetcher, cycleId: string, isPatient: boolean): Promise<AccountFetchResult> {
    // The same account may be open anew: by its name, so that the old one ends first.
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

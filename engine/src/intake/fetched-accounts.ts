import { EngineError, errorBody } from '../base/error.ts';
import type { Account } from '../config/config.ts';
import type { OpenSource } from '../mail/source.ts';
import type { Claims } from '../cluster/claims.ts';
import { AccountFetcher, type AccountFetcherOptions } from './account-fetcher.ts';
import type { AccountStatus } from './account-status.ts';
import type { Dependencies } from '../run/dependencies.ts';

/** Options for all accounts. */
export interface FetchedAccountsOptions extends Omit<AccountFetcherOptions, 'isOurs'> {
  readonly openSource: OpenSource;
  /**
   * Where several processes share the store: an account is open only while this process holds its claim `account <id>`.
   */
  readonly claims?: Claims;
}

/** An account that this process does not fetch. */
export interface RemoteAccount {
  readonly accountId: string;
  /** `host/pid` of the process that fetches it; absent where it is unknown. */
  readonly fetchedBy?: string;
}

interface Entry {
  document: Account;
  /** Set while this process fetches the account. */
  fetch: AccountFetcher | undefined;
  giveUp: (() => Promise<void>) | undefined;
}

/** The accounts of the config, open where this process fetches them. */
export class FetchedAccounts {
  readonly #deps: Dependencies;
  readonly #options: FetchedAccountsOptions;
  readonly #onChange: (isClaim: boolean) => void;
  readonly #entries = new Map<string, Entry>();
  /** Removed accounts whose claim is not released yet. */
  readonly #leaving = new Set<string>();

  /** `onChange` is called when there may be new mail; with `true` when a claim opened or closed an account. */
  constructor(deps: Dependencies, options: FetchedAccountsOptions, onChange: (isClaim: boolean) => void) {
    this.#deps = deps;
    this.#options = options;
    this.#onChange = onChange;
  }

  /**
   * Opens, reopens and closes accounts so that they are those of the config; true where any changed. With claims,
   * `isWanted` is true where this process takes part in fetching.
   */
  follow(isWanted: boolean): boolean {
    const wanted = this.#deps.config.current().accounts;
    let isChanged = false;
    for (const [id, entry] of this.#entries) {
      const document = wanted.get(id);
      if (document === undefined) {
        this.#entries.delete(id);
        void this.#leave(entry);
        isChanged = true;
      } else if (entry.document !== document && JSON.stringify(entry.document) !== JSON.stringify(document)) {
        entry.document = document;
        const isHere = entry.fetch !== undefined;
        void entry.fetch?.stop();
        entry.fetch = undefined;
        if (isHere) this.#open(entry);
        isChanged = true;
      }
    }
    for (const [id, document] of wanted) {
      let entry = this.#entries.get(id);
      if (entry === undefined) {
        entry = { document, fetch: undefined, giveUp: undefined };
        this.#entries.set(id, entry);
        isChanged = true;
        if (this.#options.claims === undefined) this.#open(entry);
      }
      if (isWanted) this.#want(entry);
    }
    return isChanged;
  }

  /** Accounts that this process fetches. */
  here(): AccountFetcher[] {
    return [...this.#entries.values()].flatMap(({ fetch }) => fetch ?? []);
  }

  /** Accounts that it does not fetch. */
  elsewhere(): RemoteAccount[] {
    return [...this.#entries.values()]
      .filter(({ fetch }) => fetch === undefined)
      .map((entry) => this.#elsewhereOf(entry));
  }

  status(): AccountStatus[] {
    return [...this.#entries.values()].map(
      (entry) => entry.fetch?.status() ?? { ...this.#elsewhereOf(entry), state: 'elsewhere', unreadable: [], taken: 0 },
    );
  }

  /** Closes all accounts; resolves when no fetch runs any more and all claims are released. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map((entry) => this.#leave(entry)));
  }

  #elsewhereOf({ document: { id } }: Entry): RemoteAccount {
    const holder = this.#options.claims?.holderOf(claimOf(id));
    if (holder === undefined) return { accountId: id };
    const { worker, host, pid } = holder;
    return { accountId: id, fetchedBy: host === undefined || pid === undefined ? worker : `${host}/${pid}` };
  }

  #want(entry: Entry): void {
    const { id } = entry.document;
    if (this.#leaving.has(id)) return;
    entry.giveUp ??= this.#options.claims?.want(claimOf(id), {
      onTaken: () => {
        if (this.#entries.get(id) !== entry) return;
        this.#open(entry);
        this.#onChange(true);
      },
      onLost: () => {
        void entry.fetch?.stop();
        entry.fetch = undefined;
        this.#onChange(true);
      },
    });
  }

  #open(entry: Entry): void {
    const fetch = this.#fetchOf(entry.document);
    entry.fetch = fetch;
    void fetch.watch(() => this.#onChange(false));
  }

  #fetchOf(account: Account): AccountFetcher {
    const { claims, openSource } = this.#options;
    const isOurs = () => claims === undefined || claims.isHeld(claimOf(account.id));
    const options = { ...this.#options, isOurs };
    try {
      return new AccountFetcher(this.#deps, account.id, openSource(account), options);
    } catch (cause) {
      const error = new EngineError(
        'ACCOUNT_FAILED',
        `account ${account.id} cannot be opened: ${errorBody(cause).message}`,
        { cause },
      );
      return new AccountFetcher(this.#deps, account.id, error, options);
    }
  }

  /** The claim is released only when no fetch runs any more, so that the next process finds everything stored. */
  async #leave({ document: { id }, fetch, giveUp }: Entry): Promise<void> {
    if (giveUp !== undefined) this.#leaving.add(id);
    await fetch?.stop();
    if (giveUp === undefined) return;
    await giveUp();
    this.#leaving.delete(id);
    // The config may have added the account again meanwhile.
    if (this.#entries.has(id)) this.#onChange(false);
  }
}

function claimOf(accountId: string): string {
  return `account ${accountId}`;
}

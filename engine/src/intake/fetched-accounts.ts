import { EngineError, errorBody } from '../base/error.ts';
import type { Account } from '../config/config.ts';
import type { OpenSource } from '../mail/source.ts';
import type { Claims } from '../cluster/claims.ts';
import { AccountFetcher, type AccountFetcherOptions } from './account-fetcher.ts';
import type { AccountStatus } from './account-status.ts';
import type { Dependencies } from '../run/dependencies.ts';

export interface FetchedAccountsOptions extends Omit<AccountFetcherOptions, 'isOurs'> {
  readonly openSource: OpenSource;
  /** Where several processes share the store: an account is open only while its claim `account <id>` is held here. */
  readonly claims?: Claims;
}

/** An account that this process does not fetch. */
export interface RemoteAccount {
  readonly accountId: string;
  /** `host/pid` of the process that does; absent where none is known. */
  readonly fetchedBy?: string;
}

interface Entry {
  document: Account;
  /** While it is fetched here. */
  fetch: AccountFetcher | undefined;
  giveUp: (() => Promise<void>) | undefined;
}

/** The accounts of the config, open as far as they are fetched here. */
export class FetchedAccounts {
  readonly #deps: Dependencies;
  readonly #options: FetchedAccountsOptions;
  readonly #onChange: (isClaim: boolean) => void;
  readonly #entries = new Map<string, Entry>();
  /** Accounts whose claim is still to be given up. */
  readonly #leaving = new Set<string>();

  /** `onChange` is called when there may be new mail, and with true when an account came or went by its claim. */
  constructor(deps: Dependencies, options: FetchedAccountsOptions, onChange: (isClaim: boolean) => void) {
    this.#deps = deps;
    this.#options = options;
    this.#onChange = onChange;
  }

  /**
   * Makes the accounts those of the config; true where something changed. With claims, `isWanted` says whether this process
   * is to take part in fetching.
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

  /** Those that are fetched here. */
  here(): AccountFetcher[] {
    return [...this.#entries.values()].flatMap(({ fetch }) => fetch ?? []);
  }

  /** Those that are not. */
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

  /** Closes all of them; resolves when nothing is under way and what was claimed is given up. */
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

  /** Given up only when nothing is under way, so that the next process finds everything done. */
  async #leave({ document: { id }, fetch, giveUp }: Entry): Promise<void> {
    if (giveUp !== undefined) this.#leaving.add(id);
    await fetch?.stop();
    if (giveUp === undefined) return;
    await giveUp();
    this.#leaving.delete(id);
    // It may have been added again meanwhile.
    if (this.#entries.has(id)) this.#onChange(false);
  }
}

function claimOf(accountId: string): string {
  return `account ${accountId}`;
}

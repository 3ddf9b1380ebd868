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
  fetcher: AccountFetcher | undefined;
  release: (() => Promise<void>) | undefined;
}

/** The accounts of the config, open where this process fetches them. */
export class FetchedAccounts {
  readonly #deps: Dependencies;
  readonly #options: FetchedAccountsOptions;
  readonly #onChange: (isClaim: boolean) => void;
  readonly #entries = new Map<string, Entry>();
  /** Removed accounts whose claim is not released yet. */
  readonly #releasing = new Set<string>();
  /** What is being closed after a change of the config or the loss of a claim. */
  readonly #closing = new Set<Promise<void>>();

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
  applyConfig(isWanted: boolean): boolean {
    const wanted = this.#deps.config.current().accounts;
    let isChanged = false;
    for (const [id, entry] of this.#entries) {
      const document = wanted.get(id);
      if (document === undefined) {
        this.#entries.delete(id);
        this.#closeLater(this.#close(entry));
        isChanged = true;
      } else if (entry.document !== document && JSON.stringify(entry.document) !== JSON.stringify(document)) {
        entry.document = document;
        const isHere = entry.fetcher !== undefined;
        this.#stopFetcher(entry);
        if (isHere) this.#open(entry);
        isChanged = true;
      }
    }
    for (const [id, document] of wanted) {
      let entry = this.#entries.get(id);
      if (entry === undefined) {
        entry = { document, fetcher: undefined, release: undefined };
        this.#entries.set(id, entry);
        isChanged = true;
        if (this.#options.claims === undefined) this.#open(entry);
      }
      if (isWanted) this.#claim(entry);
    }
    return isChanged;
  }

  /** Accounts that this process fetches. */
  local(): AccountFetcher[] {
    return [...this.#entries.values()].flatMap(({ fetcher }) => fetcher ?? []);
  }

  /** Accounts that it does not fetch. */
  remote(): RemoteAccount[] {
    return [...this.#entries.values()]
      .filter(({ fetcher }) => fetcher === undefined)
      .map((entry) => this.#remoteOf(entry));
  }

  status(): AccountStatus[] {
    return [...this.#entries.values()].map(
      (entry) => entry.fetcher?.status() ?? { ...this.#remoteOf(entry), state: 'elsewhere', unreadable: [], taken: 0 },
    );
  }

  /** Closes all accounts; resolves when no fetch runs any more and all claims are released. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map((entry) => this.#close(entry)));
    await Promise.all(this.#closing);
  }

  #remoteOf({ document: { id } }: Entry): RemoteAccount {
    const holder = this.#options.claims?.holderOf(claimOf(id));
    if (holder === undefined) return { accountId: id };
    const { worker, host, pid } = holder;
    return { accountId: id, fetchedBy: host === undefined || pid === undefined ? worker : `${host}/${pid}` };
  }

  #claim(entry: Entry): void {
    const { id } = entry.document;
    if (this.#releasing.has(id)) return;
    entry.release ??= this.#options.claims?.acquire(claimOf(id), {
      onTaken: () => {
        if (this.#entries.get(id) !== entry) return;
        this.#open(entry);
        this.#onChange(true);
      },
      onLost: () => {
        this.#stopFetcher(entry);
        this.#onChange(true);
      },
    });
  }

  #open(entry: Entry): void {
    const fetcher = this.#fetcherOf(entry.document);
    entry.fetcher = fetcher;
    void fetcher.watch(() => this.#onChange(false));
  }

  #fetcherOf(account: Account): AccountFetcher {
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

  #stopFetcher(entry: Entry): void {
    if (entry.fetcher !== undefined) this.#closeLater(entry.fetcher.stop());
    entry.fetcher = undefined;
  }

  #closeLater(closed: Promise<void>): void {
    const closing = closed.catch(() => {}).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** The claim is released only when no fetch runs any more, so that the next process finds everything stored. */
  async #close({ document: { id }, fetcher, release }: Entry): Promise<void> {
    if (release !== undefined) this.#releasing.add(id);
    await fetcher?.stop();
    if (release === undefined) return;
    await release();
    this.#releasing.delete(id);
    // The config may have added the account again meanwhile.
    if (this.#entries.has(id)) this.#onChange(false);
  }
}

function claimOf(accountId: string): string {
  return `account ${accountId}`;
}

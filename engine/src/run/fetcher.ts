import { isoTime } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';
import type { Account } from '../config/config.ts';
import type { MailSource } from '../mail/source.ts';
import { AccountFetch, type AccountStatus } from './account-fetch.ts';
import type { JudgeMail } from './intake.ts';
import type { Parts } from './parts.ts';

export interface CycleStatus {
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly taken: number;
  readonly failed: number;
}

export interface FetcherStatus {
  readonly state: 'running' | 'stopped';
  readonly isFetching: boolean;
  readonly everySeconds: number;
  readonly lastCycle?: CycleStatus;
  readonly accounts: readonly AccountStatus[];
}

/** Opens the source of an account; `ACCOUNT_FAILED` where its provider is not built. */
export type OpenSource = (account: Account) => MailSource;

/** Looks at every account now and then, and at once when one of them tells of a change. Accounts fail alone. */
export class Fetcher {
  readonly #parts: Parts;
  readonly #openSource: OpenSource;
  readonly #judge: JudgeMail;
  readonly #onTaken: () => void;
  readonly #accounts = new Map<string, { document: Account; fetch: AccountFetch }>();
  #isRunning = false;
  #cycle: Promise<CycleStatus> | undefined;
  #lastCycle: CycleStatus | undefined;
  #isAgainWanted = false;
  #cancelNext: () => void = () => {};

  constructor(parts: Parts, ways: { openSource: OpenSource; judge: JudgeMail; onTaken: () => void }) {
    this.#parts = parts;
    this.#openSource = ways.openSource;
    this.#judge = ways.judge;
    this.#onTaken = ways.onTaken;
  }

  status(): FetcherStatus {
    this.#reconcile();
    return {
      state: this.#isRunning ? 'running' : 'stopped',
      isFetching: this.#cycle !== undefined,
      everySeconds: this.#parts.config.current().settings.fetch.everySeconds,
      ...(this.#lastCycle !== undefined && { lastCycle: this.#lastCycle }),
      accounts: [...this.#accounts.values()].map(({ fetch }) => fetch.status()),
    };
  }

  /** Begins to fetch in the background; twice is as good as once. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#tell();
    void this.#background();
  }

  /** Ends the background; resolves when a cycle that is under way has ended. What was not taken is taken next time. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelNext();
    for (const { fetch } of this.#accounts.values()) await fetch.stop();
    this.#accounts.clear();
    await this.#cycle?.catch(() => {});
    this.#tell();
  }

  /** One look at every account, now, waiting a moment for files that are just being written. */
  async fetch(): Promise<{ cycleId: string; taken: number; failed: number }> {
    // A cycle that is under way may have looked already: what was dropped since is found by one of its own.
    await this.#cycle?.catch(() => {});
    const { id, taken, failed } = await this.#runCycle(true);
    return { cycleId: id, taken, failed };
  }

  /** The config has changed: accounts are opened, changed and closed as it says. */
  configChanged(): void {
    if (this.#reconcile() && this.#isRunning) this.#wake();
  }

  async #background(): Promise<void> {
    while (this.#isRunning) {
      await this.#runCycle().catch((error: unknown) =>
        this.#parts.log.error('fetching failed', { ...errorBody(error) }),
      );
      if (!this.#isRunning) return;
      if (this.#isAgainWanted) {
        this.#isAgainWanted = false;
        continue;
      }
      await new Promise<void>((resolve) => {
        const cancel = this.#parts.clock.delay(
          resolve,
          this.#parts.config.current().settings.fetch.everySeconds * 1000,
        );
        this.#cancelNext = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  #wake(): void {
    if (this.#cycle === undefined) this.#cancelNext();
    else this.#isAgainWanted = true;
  }

  #runCycle(isPatient = false): Promise<CycleStatus> {
    this.#cycle ??= this.#doCycle(isPatient).finally(() => {
      this.#cycle = undefined;
      this.#tell();
    });
    return this.#cycle;
  }

  async #doCycle(isPatient: boolean): Promise<CycleStatus> {
    const { clock, ids, config } = this.#parts;
    this.#reconcile();
    const id = ids.next('cycle');
    const startedAt = isoTime(clock.now());
    this.#lastCycle = { id, startedAt, taken: 0, failed: 0 };
    const waiting = [...this.#accounts.values()].map(({ fetch }) => fetch);
    let taken = 0;
    let failed = 0;
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const result = await next.fetch(id, isPatient);
        taken += result.taken;
        failed += result.failed;
      }
    };
    await Promise.all(Array.from({ length: config.current().settings.fetch.concurrency }, lane));
    this.#lastCycle = { id, startedAt, endedAt: isoTime(clock.now()), taken, failed };
    return this.#lastCycle;
  }

  /** Makes the open accounts those of the config; true where something changed. */
  #reconcile(): boolean {
    const wanted = this.#parts.config.current().accounts;
    let isChanged = false;
    for (const [id, { document, fetch }] of this.#accounts) {
      if (wanted.get(id) === document || JSON.stringify(wanted.get(id)) === JSON.stringify(document)) continue;
      this.#accounts.delete(id);
      void fetch.stop();
      isChanged = true;
    }
    for (const [id, document] of wanted) {
      if (this.#accounts.has(id)) continue;
      isChanged = true;
      const fetch = this.#open(document);
      this.#accounts.set(id, { document, fetch });
      void fetch.watch(() => this.#isRunning && this.#wake());
    }
    return isChanged;
  }

  #open(account: Account): AccountFetch {
    const ways = { judge: this.#judge, onTaken: this.#onTaken };
    try {
      return new AccountFetch(this.#parts, account.id, this.#openSource(account), ways);
    } catch (cause) {
      const error = new EngineError(
        'ACCOUNT_FAILED',
        `account ${account.id} cannot be opened: ${errorBody(cause).message}`,
        { cause },
      );
      return new AccountFetch(this.#parts, account.id, error, ways);
    }
  }

  #tell(): void {
    this.#parts.live.publish('fetcher', { state: this.#isRunning ? 'running' : 'stopped' });
  }
}

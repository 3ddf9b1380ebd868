import { isoTime } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';
import type { Signals } from '../cluster/signals.ts';
import type { AccountStatus } from './account-status.ts';
import { FetchedAccounts, type FetchedAccountsOptions, type RemoteAccount } from './fetched-accounts.ts';
import { FetchQueue } from './fetch-queue.ts';
import type { Dependencies } from '../run/dependencies.ts';

/** The signal that makes other processes fetch now. */
const FETCH_SIGNAL = 'fetch';

/** One fetch of all accounts; times are ISO 8601. */
export interface CycleStatus {
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly taken: number;
  readonly failed: number;
}

/** State of the fetcher and its accounts, as the API serves it. */
export interface FetcherStatus {
  readonly state: 'running' | 'stopped';
  readonly isFetching: boolean;
  readonly everySeconds: number;
  readonly lastCycle?: CycleStatus;
  readonly accounts: readonly AccountStatus[];
}

/** Counts of one fetch of all accounts. */
export interface FetchResult {
  readonly cycleId: string;
  readonly taken: number;
  readonly failed: number;
  /**
   * Accounts that this process does not fetch. Their processes were notified; the mails that they find are not counted
   * here.
   */
  readonly elsewhere?: readonly RemoteAccount[];
}

/** A cycle waits this long for its accounts, in milliseconds; slower accounts go on beside the next cycle. */
const SLOW_MS = 10_000;

/** The live event with the progress of a fetch is sent at most once in this time, in milliseconds. */
const PUBLISH_MS = 500;

/** Options of the fetcher. */
export interface FetcherOptions extends Omit<FetchedAccountsOptions, 'onProgress'> {
  /** Notifies other processes to fetch; with `claims`. */
  readonly signals?: Pick<Signals, 'send' | 'on'>;
}

/**
 * Fetches every account at intervals, and at once when its source announces a change. An account that fails or is slow
 * does not affect the others. With `claims` it fetches the accounts that no other process fetches, and takes over those
 * of a process that stops or dies (see `Claims`).
 */
export class Fetcher {
  readonly #deps: Dependencies;
  readonly #options: FetcherOptions;
  readonly #accounts: FetchedAccounts;
  readonly #queue: FetchQueue;
  #isRunning = false;
  #isClosed = false;
  #isInBackground = false;
  /** Fetches that a caller waits for: they open accounts also while the fetcher is stopped. */
  #callers = 0;
  /**
   * Cycles that have not ended; among them the one that the background waits for, and the one that callers wait for.
   */
  readonly #cycles = new Set<Promise<CycleStatus>>();
  #waitedFor: Promise<CycleStatus> | undefined;
  #askedFor: Promise<CycleStatus> | undefined;
  #lastCycle: CycleStatus | undefined;
  #isAgainWanted = false;
  #cancelNext: () => void = () => {};
  #cancelPublishing: (() => void) | undefined;
  #unsubscribe: () => void = () => {};

  constructor(deps: Dependencies, options: FetcherOptions) {
    this.#deps = deps;
    this.#options = options;
    const onProgress = () => this.#publishSoon();
    this.#accounts = new FetchedAccounts(deps, { ...options, onProgress }, (isClaim) => {
      if (isClaim) this.#publishStatus();
      if (this.#isRunning) this.#wake();
    });
    const limit = () => deps.config.current().settings.fetch.concurrency;
    this.#queue = new FetchQueue(limit, () => this.#isRunning && this.#wake());
  }

  status(): FetcherStatus {
    this.#applyConfig();
    // While this process takes no part in fetching, it does not refresh regularly which process fetches what.
    if (!this.#isWanted) void this.#options.claims?.refresh();
    return {
      state: this.#isRunning ? 'running' : 'stopped',
      isFetching: this.#cycles.size > 0,
      everySeconds: this.#deps.config.current().settings.fetch.everySeconds,
      ...(this.#lastCycle !== undefined && { lastCycle: this.#lastCycle }),
      accounts: this.#accounts.status(),
    };
  }

  /** Starts to fetch in the background; does nothing where it runs already, and after `close`. */
  start(): void {
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    this.#unsubscribe = this.#options.signals?.on(FETCH_SIGNAL, () => this.#wake()) ?? this.#unsubscribe;
    this.#publishStatus();
    // A background that was just stopped looks anew once its cycle has ended, and not only after the interval.
    this.#wake();
    void this.#background();
  }

  /**
   * Stops fetching in the background; resolves when running cycles have ended and other processes can fetch the
   * accounts. The next start finds what was not stored.
   */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelNext();
    this.#cancelPublishing?.();
    this.#cancelPublishing = undefined;
    this.#unsubscribe();
    await this.#accounts.close();
    await Promise.allSettled(this.#cycles);
    this.#publishStatus();
  }

  /** Stops for good: from now on no call and no change of the config opens an account. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  /**
   * Fetches every account once, now; waits a moment for files that are just being written. Processes that fetch other
   * accounts are notified to do so. `BUSY` after `close`.
   */
  async fetch(): Promise<FetchResult> {
    this.#requireOpen();
    // A running cycle may have listed its sources already: mail that arrived since needs a cycle of its own.
    await Promise.allSettled([this.#waitedFor, this.#askedFor]);
    this.#requireOpen();
    this.#callers++;
    try {
      this.#askedFor ??= this.#cycle(true).finally(() => (this.#askedFor = undefined));
      const { id, taken, failed } = await this.#askedFor;
      const elsewhere = this.#accounts.remote();
      if (elsewhere.length > 0) this.#options.signals?.send(FETCH_SIGNAL);
      return { cycleId: id, taken, failed, ...(elsewhere.length > 0 && { elsewhere }) };
    } finally {
      this.#callers--;
      if (this.#options.claims !== undefined && !this.#isWanted) await this.#accounts.close();
    }
  }

  /** To be called after a change of the config: opens, reopens and closes accounts. */
  configChanged(): void {
    if (this.#applyConfig() && this.#isRunning) this.#wake();
  }

  async #background(): Promise<void> {
    // A background that was just stopped may still wait for its cycle: then it continues.
    if (this.#isInBackground) return;
    this.#isInBackground = true;
    while (this.#isRunning) {
      this.#isAgainWanted = false;
      this.#waitedFor = this.#cycle(false);
      const cycle = this.#waitedFor.catch((error: unknown) =>
        this.#deps.log.error('a fetch cycle failed', { ...errorBody(error) }),
      );
      await this.#pause(SLOW_MS, cycle);
      // A cycle that has not ended is left behind, so that its slow accounts do not delay the others.
      this.#waitedFor = undefined;
      if (!this.#isRunning || this.#isAgainWanted) continue;
      const wake = new Promise<void>((resolve) => (this.#cancelNext = resolve));
      await this.#pause(this.#deps.config.current().settings.fetch.everySeconds * 1000, wake);
    }
    this.#isInBackground = false;
  }

  /** Resolves after this time, or when `other` settles. */
  async #pause(ms: number, other: Promise<unknown>): Promise<void> {
    const over = Promise.withResolvers<void>();
    const cancel = this.#deps.clock.delay(over.resolve, ms);
    await Promise.race([over.promise, other]);
    cancel();
  }

  #wake(): void {
    this.#isAgainWanted = true;
    this.#cancelNext();
  }

  #cycle(isPatient: boolean): Promise<CycleStatus> {
    const cycle = this.#doCycle(isPatient).finally(() => {
      this.#cycles.delete(cycle);
      this.#publishStatus();
    });
    this.#cycles.add(cycle);
    return cycle;
  }

  async #doCycle(isPatient: boolean): Promise<CycleStatus> {
    const { clock, ids } = this.#deps;
    this.#applyConfig();
    // Claims that are free are taken first, so that the caller is not told that another process fetches the account.
    if (isPatient) await this.#options.claims?.refresh();
    const id = ids.next('cycle');
    const startedAt = isoTime(clock.now());
    this.#lastCycle = { id, startedAt, taken: 0, failed: 0 };
    const fetches = this.#accounts.local().map((account) => this.#queue.fetch(account, id, isPatient));
    const results = await Promise.all(fetches);
    const taken = results.reduce((sum, result) => sum + result.taken, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    const cycle: CycleStatus = { id, startedAt, endedAt: isoTime(clock.now()), taken, failed };
    if (this.#lastCycle.id === id) this.#lastCycle = cycle;
    return cycle;
  }

  get #isWanted(): boolean {
    return this.#isRunning || this.#callers > 0;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new EngineError('BUSY', 'this process is stopping');
  }

  #applyConfig(): boolean {
    return !this.#isClosed && this.#accounts.applyConfig(this.#isWanted);
  }

  /** Not needed at the end of a fetch, which publishes its own event. */
  #publishSoon(): void {
    this.#cancelPublishing ??= this.#deps.clock.delay(() => {
      this.#cancelPublishing = undefined;
      if (this.#cycles.size > 0) this.#publishStatus();
    }, PUBLISH_MS);
  }

  #publishStatus(): void {
    this.#deps.live.publish('fetcher', { state: this.#isRunning ? 'running' : 'stopped' });
  }
}

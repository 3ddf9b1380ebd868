import { isoTime } from '../base/clock.ts';
import { errorBody } from '../base/error.ts';
import type { Signals } from '../cluster/signals.ts';
import type { AccountStatus } from './account-status.ts';
import { FetchedAccounts, type FetchedAccountsOptions, type RemoteAccount } from './fetched-accounts.ts';
import { FetchQueue } from './fetch-queue.ts';
import type { Dependencies } from '../run/dependencies.ts';

/** The signal to look for new mail now. */
const KIND = 'fetch';

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

/** What came of a look. */
export interface FetchResult {
  readonly cycleId: string;
  readonly taken: number;
  readonly failed: number;
  /** Accounts that this process does not fetch: those who do were told to look, and what they find is not counted here. */
  readonly elsewhere?: readonly RemoteAccount[];
}

/** A cycle waits so long for its accounts; those that take longer go on beside the next. */
const SLOW_MS = 10_000;

/** How far a look has come is told this often at most. */
const TELL_MS = 500;

export interface FetcherOptions extends Omit<FetchedAccountsOptions, 'onProgress'> {
  /** Tells other processes to look, with `claims`. */
  readonly signals?: Pick<Signals, 'send' | 'on'>;
}

/**
 * Looks at every account now and then, and at once when one of them tells of a change. Accounts fail alone, and one that is slow
 * keeps no other waiting. With `claims` it fetches those accounts that no other process does, and takes over those of a process
 * that stops or dies (see `Claims`).
 */
export class Fetcher {
  readonly #deps: Dependencies;
  readonly #options: FetcherOptions;
  readonly #accounts: FetchedAccounts;
  readonly #queue: FetchQueue;
  #isRunning = false;
  #isInBackground = false;
  /** Looks that somebody waits for: they want accounts also while the fetcher is stopped. */
  #asked = 0;
  /** Those that have not ended; among them the one that the background waits for, and the one that somebody asked for. */
  readonly #cycles = new Set<Promise<CycleStatus>>();
  #waitedFor: Promise<CycleStatus> | undefined;
  #askedFor: Promise<CycleStatus> | undefined;
  #lastCycle: CycleStatus | undefined;
  #isAgainWanted = false;
  #cancelNext: () => void = () => {};
  #cancelTelling: (() => void) | undefined;
  #unhear: () => void = () => {};

  constructor(deps: Dependencies, options: FetcherOptions) {
    this.#deps = deps;
    this.#options = options;
    const onProgress = () => this.#tellSometimes();
    this.#accounts = new FetchedAccounts(deps, { ...options, onProgress }, (isClaim) => {
      if (isClaim) this.#tell();
      if (this.#isRunning) this.#wake();
    });
    const most = () => deps.config.current().settings.fetch.concurrency;
    this.#queue = new FetchQueue(most, () => this.#isRunning && this.#wake());
  }

  status(): FetcherStatus {
    this.#follow();
    // Who fetches what is looked up now and then only while we take part in it.
    if (!this.#isWanted) void this.#options.claims?.look();
    return {
      state: this.#isRunning ? 'running' : 'stopped',
      isFetching: this.#cycles.size > 0,
      everySeconds: this.#deps.config.current().settings.fetch.everySeconds,
      ...(this.#lastCycle !== undefined && { lastCycle: this.#lastCycle }),
      accounts: this.#accounts.status(),
    };
  }

  /** Begins to fetch in the background; twice is as good as once. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#unhear = this.#options.signals?.on(KIND, () => this.#wake()) ?? this.#unhear;
    this.#tell();
    void this.#background();
  }

  /**
   * Ends the background; resolves when a cycle that is under way has ended, and other processes can have the accounts. What
   * was not taken is taken next time.
   */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelNext();
    this.#cancelTelling?.();
    this.#cancelTelling = undefined;
    this.#unhear();
    await this.#accounts.close();
    await Promise.allSettled(this.#cycles);
    this.#tell();
  }

  /**
   * One look at every account, now, waiting a moment for files that are just being written. Of accounts that another process
   * fetches, that one is told to look.
   */
  async fetch(): Promise<FetchResult> {
    // A cycle that is under way may have looked already: what was dropped since is found by one of its own.
    await Promise.allSettled([this.#waitedFor, this.#askedFor]);
    this.#asked++;
    try {
      this.#askedFor ??= this.#cycle(true).finally(() => (this.#askedFor = undefined));
      const { id, taken, failed } = await this.#askedFor;
      const elsewhere = this.#accounts.elsewhere();
      if (elsewhere.length > 0) this.#options.signals?.send(KIND);
      return { cycleId: id, taken, failed, ...(elsewhere.length > 0 && { elsewhere }) };
    } finally {
      this.#asked--;
      if (this.#options.claims !== undefined && !this.#isWanted) await this.#accounts.close();
    }
  }

  /** The config has changed: accounts are opened, changed and closed as it says. */
  configChanged(): void {
    if (this.#follow() && this.#isRunning) this.#wake();
  }

  async #background(): Promise<void> {
    // Of one that was just stopped, the cycle may still be under way: it goes on then.
    if (this.#isInBackground) return;
    this.#isInBackground = true;
    while (this.#isRunning) {
      this.#isAgainWanted = false;
      this.#waitedFor = this.#cycle(false);
      const cycle = this.#waitedFor.catch((error: unknown) =>
        this.#deps.log.error('fetching failed', { ...errorBody(error) }),
      );
      await this.#pause(SLOW_MS, cycle);
      // One that is still under way is left behind: the accounts that it waits for are no others' to wait for.
      this.#waitedFor = undefined;
      if (!this.#isRunning || this.#isAgainWanted) continue;
      const wake = new Promise<void>((resolve) => (this.#cancelNext = resolve));
      await this.#pause(this.#deps.config.current().settings.fetch.everySeconds * 1000, wake);
    }
    this.#isInBackground = false;
  }

  /** Until so much time has passed, or something else has come. */
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
      this.#tell();
    });
    this.#cycles.add(cycle);
    return cycle;
  }

  async #doCycle(isPatient: boolean): Promise<CycleStatus> {
    const { clock, ids } = this.#deps;
    this.#follow();
    // What nobody fetches is taken before somebody who waits is told that it is fetched elsewhere.
    if (isPatient) await this.#options.claims?.look();
    const id = ids.next('cycle');
    const startedAt = isoTime(clock.now());
    this.#lastCycle = { id, startedAt, taken: 0, failed: 0 };
    const looks = this.#accounts.here().map((account) => this.#queue.at(account, id, isPatient));
    const results = await Promise.all(looks);
    const taken = results.reduce((sum, result) => sum + result.taken, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    const cycle: CycleStatus = { id, startedAt, endedAt: isoTime(clock.now()), taken, failed };
    if (this.#lastCycle.id === id) this.#lastCycle = cycle;
    return cycle;
  }

  get #isWanted(): boolean {
    return this.#isRunning || this.#asked > 0;
  }

  #follow(): boolean {
    return this.#accounts.follow(this.#isWanted);
  }

  /** The end of a look tells by itself. */
  #tellSometimes(): void {
    this.#cancelTelling ??= this.#deps.clock.delay(() => {
      this.#cancelTelling = undefined;
      if (this.#cycles.size > 0) this.#tell();
    }, TELL_MS);
  }

  #tell(): void {
    this.#deps.live.publish('fetcher', { state: this.#isRunning ? 'running' : 'stopped' });
  }
}

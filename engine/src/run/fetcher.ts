import { isoTime } from '../base/clock.ts';
import { errorBody } from '../base/error.ts';
import type { Signals } from '../store/signals.ts';
import type { AccountStatus } from './account-fetch.ts';
import { Accounts, type AccountWays, type Elsewhere } from './accounts.ts';
import type { Parts } from './parts.ts';

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
  readonly elsewhere?: readonly Elsewhere[];
}

/** How far a look has come is told this often at most. */
const TELL_MS = 500;

export interface FetcherWays extends Omit<AccountWays, 'onProgress'> {
  /** Tells other processes to look, with `claims`. */
  readonly signals?: Pick<Signals, 'send' | 'on'>;
}

/**
 * Looks at every account now and then, and at once when one of them tells of a change. Accounts fail alone. With `claims` it
 * fetches those accounts that no other process does, and takes over those of a process that stops or dies (see `Claims`).
 */
export class Fetcher {
  readonly #parts: Parts;
  readonly #ways: FetcherWays;
  readonly #accounts: Accounts;
  #isRunning = false;
  /** Looks that somebody waits for: they want accounts also while the fetcher is stopped. */
  #asked = 0;
  #cycle: Promise<CycleStatus> | undefined;
  #lastCycle: CycleStatus | undefined;
  #isAgainWanted = false;
  #cancelNext: () => void = () => {};
  #cancelTelling: (() => void) | undefined;
  #unhear: () => void = () => {};

  constructor(parts: Parts, ways: FetcherWays) {
    this.#parts = parts;
    this.#ways = ways;
    const onProgress = () => this.#tellSometimes();
    this.#accounts = new Accounts(parts, { ...ways, onProgress }, (isClaim) => {
      if (isClaim) this.#tell();
      if (this.#isRunning) this.#wake();
    });
  }

  status(): FetcherStatus {
    this.#follow();
    // Who fetches what is looked up now and then only while we take part in it.
    if (!this.#isWanted) void this.#ways.claims?.look();
    return {
      state: this.#isRunning ? 'running' : 'stopped',
      isFetching: this.#cycle !== undefined,
      everySeconds: this.#parts.config.current().settings.fetch.everySeconds,
      ...(this.#lastCycle !== undefined && { lastCycle: this.#lastCycle }),
      accounts: this.#accounts.status(),
    };
  }

  /** Begins to fetch in the background; twice is as good as once. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#unhear = this.#ways.signals?.on(KIND, () => this.#wake()) ?? this.#unhear;
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
    await this.#cycle?.catch(() => {});
    this.#tell();
  }

  /**
   * One look at every account, now, waiting a moment for files that are just being written. Of accounts that another process
   * fetches, that one is told to look.
   */
  async fetch(): Promise<FetchResult> {
    // A cycle that is under way may have looked already: what was dropped since is found by one of its own.
    await this.#cycle?.catch(() => {});
    this.#asked++;
    try {
      const { id, taken, failed } = await this.#runCycle(true);
      const elsewhere = this.#accounts.elsewhere();
      if (elsewhere.length > 0) this.#ways.signals?.send(KIND);
      return { cycleId: id, taken, failed, ...(elsewhere.length > 0 && { elsewhere }) };
    } finally {
      this.#asked--;
      if (this.#ways.claims !== undefined && !this.#isWanted) await this.#accounts.close();
    }
  }

  /** The config has changed: accounts are opened, changed and closed as it says. */
  configChanged(): void {
    if (this.#follow() && this.#isRunning) this.#wake();
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
    this.#follow();
    // What nobody fetches is taken before somebody who waits is told that it is fetched elsewhere.
    if (isPatient) await this.#ways.claims?.look();
    const id = ids.next('cycle');
    const startedAt = isoTime(clock.now());
    this.#lastCycle = { id, startedAt, taken: 0, failed: 0 };
    const waiting = this.#accounts.here();
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

  get #isWanted(): boolean {
    return this.#isRunning || this.#asked > 0;
  }

  #follow(): boolean {
    return this.#accounts.follow(this.#isWanted);
  }

  /** The end of a look tells by itself. */
  #tellSometimes(): void {
    this.#cancelTelling ??= this.#parts.clock.delay(() => {
      this.#cancelTelling = undefined;
      if (this.#cycle !== undefined) this.#tell();
    }, TELL_MS);
  }

  #tell(): void {
    this.#parts.live.publish('fetcher', { state: this.#isRunning ? 'running' : 'stopped' });
  }
}

/** The source of time. Code that needs the current time or a delay takes a clock, so that tests control time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since an arbitrary moment. This clock cannot be set, and it stops while the machine sleeps. A clock
   * without it counts as steady by `now`.
   */
  steady?(): number;
  /** Calls `fn` once after `ms` milliseconds; the returned function cancels it. */
  delay(fn: () => void, ms: number): () => void;
}

/** Longest delay of Node's timers; a longer one fires at once. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  delay(fn, ms) {
    const timer = setTimeout(fn, Math.min(Math.max(0, ms), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};

/** One moment by both clocks of this machine. */
export interface ClockReading {
  readonly steadyMs: number;
  readonly wallMs: number;
}

/** Reads both clocks. Without a steady clock, the wall clock stands for both. */
export function readClocks(clock: Clock): ClockReading {
  const wallMs = clock.now();
  return { steadyMs: clock.steady?.() ?? wallMs, wallMs };
}

/**
 * Milliseconds between two readings, by the clock that shows more: the steady clock stops while the machine sleeps, and the
 * wall clock can be set back.
 */
export function elapsedMs(from: ClockReading, to: ClockReading): number {
  return Math.max(to.steadyMs - from.steadyMs, to.wallMs - from.wallMs);
}

/** A clock for tests: time passes only by `advance`. Due callbacks run in the order of their time. */
export class SimulatedClock implements Clock {
  #now: number;
  /** Difference between the wall clock and the steady clock, from `set`. */
  #setBy = 0;
  #pending: { due: number; fn: () => void }[] = [];

  constructor(startMs = 1_760_000_000_000) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now + this.#setBy;
  }

  steady(): number {
    return this.#now;
  }

  /** Sets the wall clock forward by `ms`, or back. Delays keep their remaining time. */
  set(ms: number): void {
    this.#setBy += ms;
  }

  /** Time passes as in a stopped process: callbacks that fall due run at the next `advance`. */
  freeze(ms: number): void {
    this.#now += ms;
  }

  delay(fn: () => void, ms: number): () => void {
    const entry = { due: this.#now + Math.max(0, ms), fn };
    this.#pending.push(entry);
    return () => {
      this.#pending = this.#pending.filter((other) => other !== entry);
    };
  }

  /** Moves time forward by `ms` and runs the callbacks that fall due. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#pending.filter((entry) => entry.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#pending = this.#pending.filter((entry) => entry !== next);
      this.#now = Math.max(this.#now, next.due);
      next.fn();
    }
    this.#now = end;
  }
}

/** Epoch milliseconds as ISO 8601 in UTC, the format of every API field. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

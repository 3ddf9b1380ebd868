/** The source of time. Everything that needs "now" or a delay takes one, so that tests move time by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since some moment, that nobody can set and that stand still while the machine sleeps. Where it is missing,
   * `now` is taken for as steady as that.
   */
  steady?(): number;
  /** Calls `fn` once after `ms` milliseconds; the returned function cancels it. */
  delay(fn: () => void, ms: number): () => void;
}

/** Longest delay that Node's timers take; above it they fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The machine's own clock. */
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

/** A clock that stands still until `advance` moves it. Due callbacks run in order of their time. */
export class SimulatedClock implements Clock {
  #now: number;
  /** By how much somebody has set the clock. */
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

  /** Sets the clock forward by `ms`, or back: what is delayed is still as far away. */
  set(ms: number): void {
    this.#setBy += ms;
  }

  /** Lets `ms` pass as in a process that is stopped: what falls due on the way runs at the next `advance`. */
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

  /** Moves time forward by `ms`, running what falls due on the way. */
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

/** Epoch milliseconds as ISO 8601 in UTC, the form that every API field uses. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

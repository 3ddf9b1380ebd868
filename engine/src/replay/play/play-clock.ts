import type { Clock } from '../../base/clock.ts';

interface Pending {
  readonly due: number;
  readonly order: number;
  readonly fn: () => void;
}

/**
 * The clock of a play. Time stands still while the engine works, and goes on to the next answer from outside, or to the next
 * time for which the engine waits. So a play takes no longer than its computations, and answers arrive in the recorded order.
 */
export class PlayClock implements Clock {
  #now: number;
  #count = 0;
  #hanging = 0;
  readonly #delays = new Set<Pending>();
  readonly #arrivals = new Set<Pending>();

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  delay(fn: () => void, ms: number): () => void {
    return this.#add(this.#delays, fn, ms);
  }

  /** Resolves after `ms` of the play, as an answer from outside. Abort rejects with the signal's reason. */
  arrive(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#add(this.#arrivals, resolve, ms);
      const stop = () => {
        cancel();
        reject(signal?.reason);
      };
      if (signal?.aborted === true) return stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Never resolves, as an answer that the run did not wait for. Abort rejects with the signal's reason. */
  hang(signal: AbortSignal | undefined): Promise<never> {
    this.#hanging++;
    return new Promise((_resolve, reject) => {
      const stop = () => {
        this.#hanging--;
        reject(signal?.reason);
      };
      if (signal?.aborted === true) return stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Number of answers that never come. */
  get hanging(): number {
    return this.#hanging;
  }

  /** Number of answers that are under way. */
  get arriving(): number {
    return this.#arrivals.size;
  }

  /** Goes on to the next answer and delivers it. */
  nextArrival(): void {
    const [next] = sorted(this.#arrivals);
    if (next === undefined) return;
    this.#arrivals.delete(next);
    this.advanceTo(next.due);
    next.fn();
  }

  /** Goes on to a time, and fires every delay that ends until then. */
  advanceTo(ms: number): void {
    for (;;) {
      const [next] = sorted(this.#delays);
      if (next === undefined || next.due > ms) break;
      this.#delays.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.fn();
    }
    this.#now = Math.max(this.#now, ms);
  }

  #add(to: Set<Pending>, fn: () => void, ms: number): () => void {
    const pending = { due: this.#now + Math.max(0, ms), order: this.#count++, fn };
    to.add(pending);
    return () => void to.delete(pending);
  }
}

function sorted(pending: ReadonlySet<Pending>): Pending[] {
  return [...pending].sort((a, b) => a.due - b.due || a.order - b.order);
}

import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { AccountTokens } from '../account.ts';

/** Outlook's limit of concurrent requests of one app for one mailbox (Graph, "Throttling limits: Outlook service"). */
const MAX_CONCURRENT = 4;

interface Waiting {
  readonly slots: number;
  readonly start: () => void;
}

/** Limits an account to four concurrent requests, first come first served, and stores until when requests are paused. */
export class GraphConcurrency {
  readonly #clock: Clock;
  #free = MAX_CONCURRENT;
  #openAtMs = 0;
  #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs `work` as soon as enough slots are free. `slots` is the number of requests that `work` makes at a time. Rejects on
   * abort before `work` starts.
   */
  async run<T>(slots: number, work: () => Promise<T>, { signal }: Abortable): Promise<T> {
    const acquired = Math.min(slots, MAX_CONCURRENT);
    await this.#acquire(acquired, signal);
    try {
      return await work();
    } finally {
      this.#free += acquired;
      this.#startNext();
    }
  }

  /** Records that Microsoft asked to wait. Never shortens an earlier pause. */
  pause(ms: number): void {
    this.#openAtMs = Math.max(this.#openAtMs, this.#clock.now() + ms);
  }

  /** Milliseconds until the end of the pause; 0 without one. */
  pauseMs(): number {
    return Math.max(0, this.#openAtMs - this.#clock.now());
  }

  async #acquire(slots: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(signal?.reason);
        this.#startNext();
      };
      const start = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting: Waiting = { slots, start };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#startNext();
    });
  }

  #startNext(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || next.slots > this.#free) return;
      this.#waiting.shift();
      this.#free -= next.slots;
      next.start();
    }
  }
}

/** Mail, calendar and to-dos of an account have separate clients, but Microsoft counts their requests together. */
const byTokens = new WeakMap<AccountTokens, GraphConcurrency>();

/** The shared limiter of an account. `tokens` identifies the account: there is one object for each. */
export function concurrencyOf(tokens: AccountTokens, clock: Clock): GraphConcurrency {
  const concurrency = byTokens.get(tokens) ?? new GraphConcurrency(clock);
  byTokens.set(tokens, concurrency);
  return concurrency;
}

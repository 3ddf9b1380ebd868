import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { AccountTokens } from '../account.ts';

/** Outlook answers so many requests of one app for one mailbox at a time (Graph, "Throttling limits: Outlook service"). */
const MAX_CONCURRENT = 4;

interface Waiting {
  readonly slots: number;
  readonly start: () => void;
}

/** Lets at most four requests of an account through at a time, in the order in which they came; knows until when it is paused. */
export class GraphConcurrency {
  readonly #clock: Clock;
  #free = MAX_CONCURRENT;
  #openAtMs = 0;
  #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does `work` when there is room for it; `places` is how many requests it makes at a time. Rejects on abort. */
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

  /** Microsoft has asked to wait: nothing is to begin before that. */
  pause(ms: number): void {
    this.#openAtMs = Math.max(this.#openAtMs, this.#clock.now() + ms);
  }

  /** How long it is paused for yet. */
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

/** Mail, calendar and to-dos of an account are opened apart, but Microsoft counts their requests together. */
const byTokens = new WeakMap<AccountTokens, GraphConcurrency>();

/** The one gate of an account; `tokens` is one object an account. */
export function concurrencyOf(tokens: AccountTokens, clock: Clock): GraphConcurrency {
  const concurrency = byTokens.get(tokens) ?? new GraphConcurrency(clock);
  byTokens.set(tokens, concurrency);
  return concurrency;
}

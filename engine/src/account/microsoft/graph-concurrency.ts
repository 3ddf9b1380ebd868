import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { AccountTokens } from '../account.ts';

/** Outlook answers so many requests of one app for one mailbox at a time (Graph, "Throttling limits: Outlook service"). */
const MOST = 4;

interface Waiting {
  readonly places: number;
  readonly enter: () => void;
}

/** Lets at most four requests of an account through at a time, in the order in which they came; knows until when it is paused. */
export class GraphConcurrency {
  readonly #clock: Clock;
  #free = MOST;
  #openAtMs = 0;
  #waiting: Waiting[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does `work` when there is room for it; `places` is how many requests it makes at a time. Rejects on abort. */
  async pass<T>(places: number, work: () => Promise<T>, { signal }: Abortable): Promise<T> {
    const taken = Math.min(places, MOST);
    await this.#enter(taken, signal);
    try {
      return await work();
    } finally {
      this.#free += taken;
      this.#admit();
    }
  }

  /** Microsoft has asked to wait: nothing is to begin before that. */
  pause(ms: number): void {
    this.#openAtMs = Math.max(this.#openAtMs, this.#clock.now() + ms);
  }

  /** How long it is paused for yet. */
  leftMs(): number {
    return Math.max(0, this.#openAtMs - this.#clock.now());
  }

  async #enter(places: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(signal?.reason);
        this.#admit();
      };
      const enter = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting: Waiting = { places, enter };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || next.places > this.#free) return;
      this.#waiting.shift();
      this.#free -= next.places;
      next.enter();
    }
  }
}

/** Mail, calendar and to-dos of an account are opened apart, but Microsoft counts their requests together. */
const gates = new WeakMap<AccountTokens, GraphConcurrency>();

/** The one gate of an account; `tokens` is one object an account. */
export function concurrencyOf(tokens: AccountTokens, clock: Clock): GraphConcurrency {
  const gate = gates.get(tokens) ?? new GraphConcurrency(clock);
  gates.set(tokens, gate);
  return gate;
}

import type { Claims } from '../cluster/claims.ts';
import type { Deliveries } from '../notification/deliveries.ts';
import type { LiveBus } from '../trace/live-bus.ts';
import type { DueReminders } from './due-reminders.ts';

const CLAIM = 'notices';

/**
 * Fires reminders and delivers notifications, from `start` until `stop`. Wakes at each new one, also of another process. With
 * `claims`, one of the processes that share the store does it for all.
 */
export class Notices {
  readonly #live: Pick<LiveBus, 'subscribe'>;
  readonly #parts: { readonly reminders: DueReminders; readonly deliveries: Deliveries };
  readonly #claims: Claims | undefined;
  #giveUp: (() => Promise<void>) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(
    live: Pick<LiveBus, 'subscribe'>,
    parts: { readonly reminders: DueReminders; readonly deliveries: Deliveries },
    claims?: Claims,
  ) {
    this.#live = live;
    this.#parts = parts;
    this.#claims = claims;
  }

  start(): void {
    const { reminders, deliveries } = this.#parts;
    this.#unsubscribe ??= this.#live.subscribe(({ name }) => {
      if (name === 'reminder' || name === 'reset') reminders.wake();
      if (name === 'notification' || name === 'reset') deliveries.wake();
    });
    const begin = () => {
      reminders.start();
      deliveries.start();
    };
    if (this.#claims === undefined) begin();
    else this.#giveUp ??= this.#claims.acquire(CLAIM, { onTaken: begin, onLost: () => void this.#end() });
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    await this.#end();
    await this.#giveUp?.();
    this.#giveUp = undefined;
  }

  async #end(): Promise<void> {
    await Promise.all([this.#parts.reminders.stop(), this.#parts.deliveries.stop()]);
  }
}

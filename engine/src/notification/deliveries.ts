import type { Clock } from '../base/clock.ts';
import { errorBody, EngineError } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import { bodyOf } from '../store/damaged-row.ts';
import { readableRows } from '../store/readable-rows.ts';
import type { Change, Row, Store } from '../store/store.ts';
import type { Channel, Notification } from './notification.ts';
import { type DeliveryBody, notificationOf } from './notification-rows.ts';

/** Waits after failed attempts; after the last one the delivery has failed. */
const RETRY_MS = [30_000, 120_000, 600_000, 3_600_000, 21_600_000] as const;
/** Wait after an error of the store. */
const STORE_RETRY_MS = 60_000;
/** Longest sleep: other processes may have added notifications whose signals were lost. */
const MAX_SLEEP_MS = 300_000;
const BATCH = 50;
const FINAL: readonly string[] = ['NOTIFY_FAILED', 'BAD_REQUEST', 'MAIL_REFUSED'];

/** Delivers a notification by a channel. Undefined: the settings no longer have the channel. */
export type Deliver = (
  channel: Channel,
  notification: Notification,
  options: { readonly signal: AbortSignal },
) => Promise<void> | undefined;

/**
 * Delivers pending notifications by webhook and mail, from the ledger rows that were stored with them. A delivery that is cut
 * off by a crash is repeated under the same key: the webhook's `Idempotency-Key`, or the Message-ID of the mail. Failed ones
 * are repeated for about seven hours.
 */
export class Deliveries {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #deliver: Deliver;
  #stopping = new AbortController();
  #isStarted = false;
  #isWanted = false;
  #work: Promise<void> | undefined;
  #cancel: () => void = () => {};

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Logger }, deliver: Deliver) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#deliver = deliver;
  }

  /** Starts to deliver what is pending, and what `wake` announces. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#stopping = new AbortController();
    this.wake();
  }

  /** Delivers what is pending now. To be called after a notification was stored. */
  wake(): void {
    if (!this.#isStarted) return;
    this.#cancel();
    this.#isWanted = true;
    this.#work ??= this.#drain();
  }

  /** Aborts what is under way, which is repeated after the next start; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#cancel();
    this.#stopping.abort(new EngineError('RUN_CANCELLED', 'the engine stops'));
    await this.#work;
  }

  async #drain(): Promise<void> {
    let wait = MAX_SLEEP_MS;
    while (this.#isWanted && this.#isStarted) {
      this.#isWanted = false;
      try {
        wait = await this.#deliverPending();
      } catch (error) {
        this.#log.error('notifications could not be delivered; trying again', { ...errorBody(error) });
        wait = STORE_RETRY_MS;
      }
    }
    // Before anything can wake it: a wake from now on begins anew.
    this.#work = undefined;
    if (this.#isStarted) this.#cancel = this.#clock.delay(() => this.wake(), wait);
  }

  /** Delivers each pending notification whose time has come. Returns the time until the next attempt, in milliseconds. */
  async #deliverPending(): Promise<number> {
    let next = this.#clock.now() + MAX_SLEEP_MS;
    const readable = readableRows(this.#store, () => {});
    for (let after = { at: -1, id: '' }; this.#isStarted;) {
      const rows = await readable.list('notification', {
        where: [
          ['delivery', '=', 'pending'],
          ['at', '>=', after.at],
        ],
        order: [
          ['at', 'asc'],
          ['id', 'asc'],
        ],
        limit: BATCH,
      });
      const unseen = rows.filter(({ at, id }) => at > after.at || id > after.id);
      for (const row of unseen) next = Math.min(next, await this.#deliverRow(row));
      const last = unseen.at(-1);
      if (last === undefined || rows.length < BATCH) break;
      after = { at: last.at, id: last.id };
    }
    return Math.max(0, next - this.#clock.now());
  }

  /** Delivers a notification by its open channels. Returns when the next attempt is due; Infinity if all have ended. */
  async #deliverRow(row: Row<'notification'>): Promise<number> {
    // A delivery that cannot be read is given up: it would hold up all others.
    const ledger = readableRows(this.#store, ({ key, reason }) =>
      this.#log.error('a delivery of a notification cannot be read', { delivery: key, reason }),
    );
    const open = await ledger.list('ledger', {
      where: [
        ['machine', '=', row.id],
        ['state', '=', 'intended'],
      ],
    });
    const due = await Promise.all(open.map((delivery) => this.#attempt(row, delivery)));
    const next = Math.min(...due);
    const set = { delivery: 'done' };
    if (next === Infinity) await this.#store.apply([{ op: 'update', table: 'notification', key: { id: row.id }, set }]);
    return next;
  }

  async #attempt(row: Row<'notification'>, delivery: Row<'ledger'>): Promise<number> {
    const body = bodyOf<DeliveryBody>('ledger', delivery);
    const left = body.nextAt - this.#clock.now();
    // More than the whole wait: the clock was set back since.
    if (left > 0 && left <= (RETRY_MS[body.attempts - 1] ?? 0)) return body.nextAt;
    const { signal } = this.#stopping;
    const channel = delivery.call === 'mail' ? 'mail' : 'webhook';
    try {
      const delivered = this.#deliver(channel, notificationOf(row), { signal });
      await delivered;
      await this.#store.apply([mark(delivery, delivered === undefined ? 'cancelled' : 'done', body)]);
      return Infinity;
    } catch (error) {
      // Nothing is recorded: the next start repeats it under the same key.
      if (signal.aborted) return body.nextAt;
      return this.#noteFailure(delivery, body, error);
    }
  }

  async #noteFailure(delivery: Row<'ledger'>, body: DeliveryBody, error: unknown): Promise<number> {
    const { code, message } = errorBody(error);
    const wait = isFinal(error) ? undefined : RETRY_MS[body.attempts];
    const nextAt = this.#clock.now() + (wait ?? 0);
    const failed = { ...body, attempts: body.attempts + 1, nextAt, error: { code, message } };
    const about = { notification: delivery.machine, channel: delivery.call, code, message };
    if (wait === undefined) this.#log.warn('a notification was not delivered', about);
    else this.#log.info('a notification could not be delivered; trying again', about);
    await this.#store.apply([mark(delivery, wait === undefined ? 'failed' : 'intended', failed)]);
    return wait === undefined ? Infinity : nextAt;
  }
}

/** Whether another attempt would fail as well. Other errors, such as of a mail account, may pass. */
function isFinal(error: unknown): boolean {
  return error instanceof EngineError && FINAL.includes(error.code) && !error.retryable;
}

function mark(
  { machine, call }: Row<'ledger'>,
  state: 'intended' | 'done' | 'failed' | 'cancelled',
  body: DeliveryBody,
): Change {
  const set = { state, body: JSON.stringify(body) };
  return { op: 'update', table: 'ledger', key: { machine, call }, set, expect: { state: 'intended' } };
}

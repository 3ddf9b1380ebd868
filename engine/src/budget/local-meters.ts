import type { ResourceUse } from './budget.ts';
import { type AdmittedRequests, RateWindow } from './rate-window.ts';
import type { Change, Store } from '../store/store.ts';
import { LocalDay } from './local-day-counter.ts';
import { type Admitted, type LimitReached, longest, type Meters, type AdmissionRequest, WIRE_MS } from './meters.ts';
import { type Reservation, Reservations } from './reservations.ts';
import { readableRows } from '../store/readable-rows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Rows per delete. */
const BATCH = 500;

/** Deletes counts of minutes before a time; no limit covers more than an hour. */
export async function forgetRates(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('rate', { where: [['minute', '<', beforeMs]], limit: BATCH, bodies: false });
    if (rows.length === 0) return;
    await store.apply(rows.map(({ name, minute }) => ({ op: 'delete', table: 'rate', where: { name, minute } })));
  }
}

/** A request, and its entries in rate windows. */
interface HeldReservation extends Reservation {
  taken: readonly { readonly name: string; readonly window: RateWindow; readonly at: number }[];
  /** The minute of its admission, of which the rows of its windows are due with its step; undefined once they were given. */
  unstored: number | undefined;
  isSent: boolean;
}

/** Meters of a process that has the store for itself: kept in memory and written in the transaction of each step. */
export class LocalMeters implements Meters {
  readonly #store: Store;
  /** By name; stored as one row a minute, so that limits survive a restart. */
  readonly #windows = new Map<string, RateWindow>();
  readonly #held = new Reservations<HeldReservation>();
  readonly #day: LocalDay;

  constructor(store: Store) {
    this.#store = store;
    this.#day = new LocalDay(store);
  }

  async load(now: number): Promise<void> {
    const rows = await readableRows(this.#store, () => {}).list('rate', {
      where: [['minute', '>', now - HOUR_MS]],
      order: [['minute', 'asc']],
    });
    const past = new Map<string, AdmittedRequests[]>();
    for (const { name, minute, body } of rows) {
      // The time within the minute is not stored: its last moment is the safe assumption.
      const at = Math.min(now, minute + MINUTE_MS - 1);
      const passed = { at, ...(JSON.parse(body) as { requests: number; tokens: number }) };
      past.set(name, [...(past.get(name) ?? []), passed]);
    }
    for (const [name, list] of past) this.#windows.set(name, new RateWindow(list));
    await this.#day.load(now);
  }

  async reserve(wanted: AdmissionRequest, now: number): Promise<Admitted | LimitReached> {
    const { rates, use, day } = wanted;
    if (day !== undefined) await this.#day.open(() => this.#held.all, now);
    if (rates.length > 0) this.#keepUnsent(now);
    const waits = rates.map(({ name, limits }): LimitReached => {
      return { kind: 'later', waitMs: this.#window(name).waitMs(limits, use.tokens, now), limit: name };
    });
    const { waitMs, why } = day === undefined ? { waitMs: 0 } : this.#day.wait(day, use, now);
    if (why !== undefined) waits.push({ kind: 'later', waitMs, limit: `day budget: ${why}` });
    const reached = longest(waits);
    if (reached === undefined) this.#reserve(wanted, now);
    return reached ?? { kind: 'granted', changes: [] };
  }

  async send(machineId: string, now: number): Promise<number> {
    const held = this.#held.get(machineId);
    if (held === undefined) return 0;
    held.isSent = true;
    move(held, now + WIRE_MS);
    return 0;
  }

  undo(machineId: string): void {
    const held = this.#held.remove(machineId);
    if (held === undefined) return;
    for (const { window, at } of held.taken) window.remove(at, held.use.tokens);
    this.#day.release(held);
  }

  settle(machineId: string, used: ResourceUse): void {
    const held = this.#held.remove(machineId);
    if (held === undefined) return;
    for (const { window, at } of held.taken) window.correct(at, used.tokens - held.use.tokens);
    this.#day.settle(held, used);
  }

  release(machineId: string): void {
    const held = this.#held.remove(machineId);
    if (held !== undefined) this.#day.release(held);
  }

  underWay(root: string): readonly Reservation[] {
    return this.#held.of(root);
  }

  forget(root: string): void {
    for (const { machineId } of this.#held.of(root)) this.release(machineId);
  }

  rows(root: string): readonly Change[] {
    const ofStep = this.#held.of(root);
    return [...this.#rateRows(ofStep), ...this.#day.rows(ofStep)];
  }

  async stop(): Promise<void> {}

  #reserve({ root, machineId, request, use, owners, rates, isRepeat }: AdmissionRequest, now: number): void {
    const taken = rates.map(({ name }) => {
      const window = this.#window(name);
      return { name, window, at: window.add(use.tokens, now) };
    });
    const unstored = rates.length === 0 ? undefined : now - (now % MINUTE_MS);
    const held = { root, machineId, request, use, owners, taken, unstored, isSent: false };
    const before = this.#held.add(held);
    if (before !== undefined) this.#day.release(before);
    this.#day.reserve(held, isRepeat, now);
  }

  /** The rows of the minutes in which the requests of a step were admitted, as they are now: other steps have admitted more. */
  #rateRows(ofStep: readonly HeldReservation[]): Change[] {
    const rows = new Map<string, Change>();
    for (const held of ofStep) {
      const { unstored: minute } = held;
      if (minute === undefined) continue;
      held.unstored = undefined;
      for (const { name, window } of held.taken) {
        const row = { name, minute, body: JSON.stringify(window.since(minute)) };
        rows.set(`${name} ${minute}`, { op: 'put', table: 'rate', row });
      }
    }
    return [...rows.values()];
  }

  /** Requests that still wait to be sent stay in their windows, however long that takes. */
  #keepUnsent(now: number): void {
    for (const held of this.#held.all) if (!held.isSent) move(held, now);
  }

  #window(name: string): RateWindow {
    let window = this.#windows.get(name);
    if (window === undefined) this.#windows.set(name, (window = new RateWindow()));
    return window;
  }
}

/** Moves a request to a later time in its windows. */
function move(held: HeldReservation, to: number): void {
  held.taken = held.taken.map(({ name, window, at }) => {
    if (at >= to) return { name, window, at };
    window.remove(at, held.use.tokens);
    return { name, window, at: window.add(held.use.tokens, to) };
  });
}

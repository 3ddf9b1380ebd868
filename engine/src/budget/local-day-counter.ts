import type { ResourceUse } from './budget.ts';
import type { Change, Store } from '../store/store.ts';
import type { Limits } from './counter.ts';
import { DAY_COUNTER, DayCounter } from './day-counter.ts';
import { type Reservation, reservationId } from './reservations.ts';

/**
 * The counter of the day budget in a process that has the store for itself: the same row as with several processes, but
 * kept in memory and written in the transaction of each step. So no sent request is missing on disk, and a start reads
 * one row. Counting starts with the first budget, and ends when a start finds no row of its day.
 */
export class LocalDay {
  readonly #store: Store;
  #rev = 0;
  #counter: DayCounter | undefined;
  #opening: Promise<void> | undefined;
  /** Counted requests and their marks. */
  readonly #marks = new Map<Reservation, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Continues the count of an earlier process of today. */
  async load(now: number): Promise<void> {
    const counter = await this.#read(now);
    if (counter.isWhole) this.#counter = counter;
  }

  /** Resolves when today's use is known. `underWay` returns uncounted requests under way. */
  async open(underWay: () => readonly Reservation[], now: number): Promise<void> {
    if (this.#counter?.isWhole === true) return;
    this.#opening ??= this.#open(underWay, now).finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** Milliseconds until a request fits, with the reason; call `open` first. */
  wait(limits: Limits, use: ResourceUse, now: number): { waitMs: number; why?: string } {
    return this.#at(now)?.wait(limits, use, now) ?? { waitMs: 0 };
  }

  reserve(request: Reservation, isRepeat: boolean, now: number): void {
    const counter = this.#at(now);
    if (counter === undefined) return;
    const id = reservationId(request);
    counter.renew(id, isRepeat);
    this.#marks.set(request, counter.reserve(id, request.use));
  }

  settle(request: Reservation, used: ResourceUse): void {
    const mark = this.#unmark(request);
    if (mark !== undefined) this.#counter?.settle(reservationId(request), mark, request.use, used);
  }

  release(request: Reservation): void {
    const mark = this.#unmark(request);
    if (mark !== undefined) this.#counter?.release(reservationId(request), mark, request.use);
  }

  /**
   * The row to write with a step; none while nothing is counted. Requests of that step lose their ids: once the step is
   * on disk they may have been sent. So the row contains only ids of steps that are about to be written, and stays
   * small.
   */
  rows(ofStep: readonly Reservation[]): readonly Change[] {
    if (this.#counter?.isWhole !== true) return [];
    for (const request of ofStep) this.#counter.renew(reservationId(request), true);
    const row = { name: DAY_COUNTER, rev: ++this.#rev, body: this.#counter.body };
    return [{ op: 'put', table: 'counter', row }];
  }

  async #open(underWay: () => readonly Reservation[], now: number): Promise<void> {
    const counter = await this.#read(now);
    // Requests that are answered during the read are booked already. After a failure the next call starts again.
    this.#counter = counter;
    for (const request of underWay()) this.#marks.set(request, counter.reserve(reservationId(request), request.use));
    await counter.fill(this.#store, now);
  }

  async #read(now: number): Promise<DayCounter> {
    const row = await this.#store.get('counter', { name: DAY_COUNTER });
    this.#rev = row?.rev ?? 0;
    return new DayCounter(row, now);
  }

  #at(now: number): DayCounter | undefined {
    this.#counter?.turn(now);
    return this.#counter;
  }

  #unmark(request: Reservation): number | undefined {
    const mark = this.#marks.get(request);
    this.#marks.delete(request);
    return mark;
  }
}

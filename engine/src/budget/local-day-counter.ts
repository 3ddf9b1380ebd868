import type { ResourceUse } from './budget.ts';
import type { Change, Store } from '../store/store.ts';
import type { Limits } from './counter.ts';
import { DAY_COUNTER, DayCounter } from './day-counter.ts';
import { type Reservation, reservationId } from './reservations.ts';

/**
 * The counter of the day's budget in a process that has the store to itself: the row that several processes would share, but
 * kept in memory, and written with the very steps that change it. So what is on disk never lacks a request that was made,
 * and a start reads one row. Nothing is counted before a budget asks for it; then everything is, until a start finds no
 * row of its day.
 */
export class LocalDay {
  readonly #store: Store;
  #rev = 0;
  #counter: DayCounter | undefined;
  #opening: Promise<void> | undefined;
  /** Requests that are counted, and under which mark. */
  readonly #marks = new Map<Reservation, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Goes on with what an earlier process has counted today. */
  async load(now: number): Promise<void> {
    const counter = await this.#read(now);
    if (counter.isWhole) this.#counter = counter;
  }

  /** Resolves once it is known what today has used. `underWay` are the requests that nobody has counted, in case. */
  async open(underWay: () => readonly Reservation[], now: number): Promise<void> {
    if (this.#counter?.isWhole === true) return;
    this.#opening ??= this.#open(underWay, now).finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** Milliseconds until a request fits, once it is open; and why it does not. */
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
   * The row as it is now, for a step; none where nobody counts. Requests of that step lose their names: once they are on
   * disk they may have been made. So the row bears the names of steps that are about to be written, and stays small.
   */
  rows(ofStep: readonly Reservation[]): readonly Change[] {
    if (this.#counter?.isWhole !== true) return [];
    for (const request of ofStep) this.#counter.renew(reservationId(request), true);
    const row = { name: DAY_COUNTER, rev: ++this.#rev, body: this.#counter.body };
    return [{ op: 'put', table: 'counter', row }];
  }

  async #open(underWay: () => readonly Reservation[], now: number): Promise<void> {
    const counter = await this.#read(now);
    // What is answered while the sum is read is booked already. Where that fails, the next one begins anew.
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

import { firstId } from '../base/id.ts';
import { exceeded, type ResourceUse } from './budget.ts';
import { type UseTotal, Tally } from './tally.ts';
import type { Reader, Row } from '../store/store.ts';
import { type Counter, type Limits, type NamedRequest, PendingRequests } from './counter.ts';
import { dayOf, type ModelUse, spendsOn, useOf } from './spend.ts';
import { readableRows } from '../store/readable-rows.ts';

/** Name of the row of the day budget; other rows are named after their limit. */
export const DAY_COUNTER = 'day';
const DAY_MS = 24 * 3_600_000;
/** A time further in the future was written with a wrong clock. */
const MAX_AHEAD_MS = 600_000;
/** Machines per query. */
const BATCH = 500;

interface Body {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly sum: UseTotal;
  readonly names: readonly NamedRequest[];
}

/**
 * Use of one UTC day over all processes, with reservations. A mark is the day on which a request was admitted; it is
 * counted there even if its answer comes on the next day. The day does not go back when a clock is some seconds behind.
 */
export class DayCounter implements Counter {
  #day: number;
  #tally: Tally;
  #names: PendingRequests;
  /** Runs with this id or a later one may have uncounted use; undefined where there are none. */
  #uncounted: string | undefined;

  /**
   * Opens a row as of `now`. If nothing was counted today, the counter is incomplete: runs that began today may have
   * worked before a budget was set, and if nothing was counted yesterday either, so may all runs that ended today.
   */
  constructor(row: Row<'counter'> | undefined, now: number) {
    const { day, sum, names }: Body =
      row === undefined ? { day: -Infinity, sum: new Tally().sum, names: [] } : (JSON.parse(row.body) as Body);
    this.#day = day;
    this.#tally = new Tally(sum);
    this.#names = new PendingRequests(names);
    this.turn(now);
    if (day < this.#day) this.#uncounted = day === this.#day - 1 ? firstRunIdOf(now) : '';
  }

  /** Opens a row and counts missing use. */
  static async open(reader: Reader, row: Row<'counter'> | undefined, now: number): Promise<DayCounter> {
    const counter = new DayCounter(row, now);
    await counter.fill(reader, now);
    return counter;
  }

  /** False until `fill` has counted missing use. */
  get isWhole(): boolean {
    return this.#uncounted === undefined;
  }

  /**
   * Counts missing use of today: of ended runs, and of open runs that began today. Bookings made meanwhile count too.
   * After a failure the counter must not be used.
   */
  async fill(reader: Reader, now: number): Promise<void> {
    const from = this.#uncounted;
    if (from === undefined) return;
    // Ended runs are read second: a run that ends meanwhile is found there, with all its use.
    const readable = readableRows(reader, () => {});
    const open = await openRuns(readable, now);
    for await (const { runId, apis } of spendsOn(readable, dayOf(now), from)) {
      open.delete(runId);
      this.#tally.change(undefined, useOf(apis));
    }
    for (const use of open.values()) this.#tally.change(undefined, use);
    this.#uncounted = undefined;
  }

  /** Starts the day of `now`. */
  turn(now: number): void {
    const today = Math.floor(now / DAY_MS);
    if (this.#day < today) {
      this.#tally = new Tally();
      this.#names = new PendingRequests();
    }
    if (this.#day < today || this.#day * DAY_MS > now + MAX_AHEAD_MS) this.#day = today;
  }

  get body(): string {
    const body: Body = { day: this.#day, sum: this.#tally.sum, names: this.#names.all };
    return JSON.stringify(body);
  }

  wait(limits: Limits, use: ResourceUse, now: number): { waitMs: number; why?: string } {
    const why = exceeded(limits, this.#tally.total, use);
    return why === undefined ? { waitMs: 0 } : { waitMs: (this.#day + 1) * DAY_MS - now, why };
  }

  renew(id: string, isRepeat: boolean): void {
    const before = this.#names.remove(id);
    if (before !== undefined && !isRepeat) this.#tally.change(before.use, undefined);
  }

  reserve(id: string, use: ResourceUse): number {
    this.#tally.change(undefined, use);
    this.#names.add(id, this.#day, use);
    return this.#day;
  }

  settle(id: string, day: number, estimate: ResourceUse, used: ResourceUse): void {
    this.#names.remove(id);
    if (day === this.#day) this.#tally.change(estimate, used);
  }

  undo(id: string, day: number, estimate: ResourceUse): void {
    this.release(id, day, estimate);
  }

  release(id: string, day: number, estimate: ResourceUse): void {
    this.#names.remove(id);
    if (day === this.#day) this.#tally.change(estimate, undefined);
  }
}

/** The smallest id of runs that begin on the day of `now`. */
function firstRunIdOf(now: number): string {
  return firstId('run', now - (now % DAY_MS));
}

/** Use of open runs that began today, by run. */
async function openRuns(reader: Reader, now: number): Promise<Map<string, ResourceUse>> {
  const open = await reader.list('run', {
    where: [
      ['status', 'in', ['running', 'waiting']],
      ['id', '>=', firstRunIdOf(now)],
    ],
    bodies: false,
  });
  const uses = new Map<string, ResourceUse>();
  for (let n = 0; n < open.length; n += BATCH) {
    const ids = open.slice(n, n + BATCH).map(({ id }) => id);
    for (const { id, body } of await reader.list('machine', { where: [['id', 'in', ids]] }))
      uses.set(id, useOf(spentBy(body)));
  }
  return uses;
}

/** The part of a stored machine that this file reads. */
interface StoredMachine {
  readonly facts: { readonly spentBy?: Readonly<Record<string, ModelUse>> };
}

function spentBy(body: string): Readonly<Record<string, ModelUse>> {
  const { facts } = JSON.parse(body) as StoredMachine;
  return facts.spentBy ?? {};
}

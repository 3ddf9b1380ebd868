import { firstId } from '../base/id.ts';
import { exceeded, type Use } from '../guard/budget.ts';
import { type Sum, Tally } from '../guard/tally.ts';
import type { Reader, Row } from '../store/store.ts';
import { type Counter, type Limits, type NamedRequest, Names } from './counter.ts';
import type { Facts } from './machine.ts';
import { dayOf, type Spent, spendsOn, useOf } from './spend.ts';

const DAY_MS = 24 * 3_600_000;
/** What lies further ahead of the clock than this was written under a clock that was wrong. */
const MAX_AHEAD_MS = 600_000;
/** Machines read at a time. */
const BATCH = 500;

interface Body {
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly sum: Sum;
  readonly names: readonly NamedRequest[];
}

/**
 * What requests of one UTC day have used and may be using, over all processes; a mark is the day on which a request was
 * let through, and there it stays, also when its answer comes on the next. The day does not run back under a clock that is
 * some seconds behind.
 */
export class DayCounter implements Counter {
  #day: number;
  #tally: Tally;
  #names: Names;

  constructor({ day, sum, names }: Body) {
    this.#day = day;
    this.#tally = new Tally(sum);
    this.#names = new Names(names);
  }

  /**
   * The counter of a row, as of `now`. Where nobody has counted since yesterday, it begins with what is known of today: the
   * runs that have ended today, and those that began today and have not ended.
   */
  static async open(reader: Reader, row: Row<'counter'> | undefined, now: number): Promise<DayCounter> {
    const today = Math.floor(now / DAY_MS);
    const body = row === undefined ? undefined : (JSON.parse(row.body) as Body);
    if (body === undefined || body.day < today - 1)
      return new DayCounter({ day: today, sum: await sumOf(reader, now), names: [] });
    if (body.day < today) return new DayCounter({ day: today, sum: new Tally().sum, names: [] });
    const isWrong = body.day * DAY_MS > now + MAX_AHEAD_MS;
    return new DayCounter(isWrong ? { ...body, day: today } : body);
  }

  get body(): string {
    const body: Body = { day: this.#day, sum: this.#tally.sum, names: this.#names.all };
    return JSON.stringify(body);
  }

  wait(limits: Limits, use: Use, now: number): { waitMs: number; why?: string } {
    const why = exceeded(limits, this.#tally.total, use);
    return why === undefined ? { waitMs: 0 } : { waitMs: (this.#day + 1) * DAY_MS - now, why };
  }

  renew(id: string, isRepeat: boolean): void {
    const before = this.#names.remove(id);
    if (before !== undefined && !isRepeat) this.#tally.change(before.use, undefined);
  }

  take(id: string, use: Use): number {
    this.#tally.change(undefined, use);
    this.#names.add(id, this.#day, use);
    return this.#day;
  }

  settle(id: string, day: number, estimate: Use, used: Use): void {
    this.#names.remove(id);
    if (day === this.#day) this.#tally.change(estimate, used);
  }

  undo(id: string, day: number, estimate: Use): void {
    this.release(id, day, estimate);
  }

  release(id: string, day: number, estimate: Use): void {
    this.#names.remove(id);
    if (day === this.#day) this.#tally.change(estimate, undefined);
  }
}

/** What is known of a day for which nobody has counted. */
async function sumOf(reader: Reader, now: number): Promise<Sum> {
  const tally = new Tally();
  for await (const { apis } of spendsOn(reader, dayOf(now))) tally.change(undefined, useOf(apis));
  const open = await reader.list('run', {
    where: [
      ['status', 'in', ['running', 'waiting']],
      ['id', '>=', firstId('run', now - (now % DAY_MS))],
    ],
    bodies: false,
  });
  for (let n = 0; n < open.length; n += BATCH) {
    const ids = open.slice(n, n + BATCH).map(({ id }) => id);
    for (const { body } of await reader.list('machine', { where: [['id', 'in', ids]] }))
      tally.change(undefined, useOf(spentBy(body)));
  }
  return tally.sum;
}

function spentBy(body: string): Readonly<Record<string, Spent>> {
  const { facts } = JSON.parse(body) as { facts: Pick<Facts, 'spentBy'> };
  return facts.spentBy ?? {};
}

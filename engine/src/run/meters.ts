import { type RateLimits, Window } from '../guard/window.ts';
import { addUse, type Use } from '../guard/budget.ts';
import type { Change, Store } from '../store/store.ts';
import { dayOf, spendOf, useOf } from './spend.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * What counts over all runs: requests of the last hour by api and by agent, and what today has cost. Kept in memory and
 * written with the steps that change it, a row a minute, so that limits hold across a restart.
 */
export class Meters {
  readonly #windows = new Map<string, Window>();
  /** What runs of today have used, ended or not, by run, and all of it together. */
  readonly #today = new Map<string, Use>();
  #used = new Tally();
  /** The same of requests under way, by machine. */
  readonly #held = new Map<string, Use>();
  #reserved = new Tally();
  /** Days since 1970, UTC. */
  #day = -1;

  /** Reads what an earlier process left of the last hour and of today. */
  async load(store: Store, now: number): Promise<void> {
    const rows = await store.list('rate', { where: [['minute', '>', now - HOUR_MS]], order: [['minute', 'asc']] });
    const past = new Map<string, { at: number; tokens: number }[]>();
    for (const { name, minute, body } of rows) {
      const { requests, tokens } = JSON.parse(body) as { requests: number; tokens: number };
      const list = past.get(name) ?? [];
      // Where in its minute a request was is not kept: the last moment of it is the safe guess.
      const at = Math.min(now, minute + MINUTE_MS - 1);
      for (let n = 0; n < requests; n++) list.push({ at, tokens: Math.ceil(tokens / requests) });
      past.set(name, list);
    }
    for (const [name, list] of past) this.#windows.set(name, new Window(list));
    for (const row of await store.list('spend', { where: [['day', '=', dayOf(now)]] }))
      this.note(row.run, useOf(spendOf(row).apis), now);
  }

  /** Milliseconds until a request of about `tokens` is within the limits of `name`. */
  waitMs(name: string, limits: RateLimits, tokens: number, now: number): number {
    return this.#window(name).waitMs(limits, tokens, now);
  }

  /** Notes a request; `settle` puts its tokens right, `changes` is the row of this minute. */
  take(name: string, tokens: number, now: number): { settle: (actual: number) => void; change: Change } {
    const window = this.#window(name);
    const settle = window.take(tokens, now);
    return { settle, change: this.row(name, now) };
  }

  /** The row of this minute as it now stands. */
  row(name: string, now: number): Change {
    const minute = now - (now % MINUTE_MS);
    return { op: 'put', table: 'rate', row: { name, minute, body: JSON.stringify(this.#window(name).since(minute)) } };
  }

  /** What a run has used in all. */
  note(runId: string, use: Use, now: number): void {
    this.#turnDay(now);
    this.#used.change(this.#today.get(runId), use);
    this.#today.set(runId, use);
  }

  /** Keeps free what a request under way may use, until `release`. */
  hold(machineId: string, use: Use): void {
    this.#reserved.change(this.#held.get(machineId), use);
    this.#held.set(machineId, use);
  }

  release(machineId: string): void {
    this.#reserved.change(this.#held.get(machineId), undefined);
    this.#held.delete(machineId);
    // What sums of fractions leave behind is dropped as soon as nothing is under way.
    if (this.#held.size === 0) this.#reserved = new Tally();
  }

  /** What runs have used today and may be using just now; unknown as soon as a part of it is. */
  today(now: number): Use {
    this.#turnDay(now);
    return addUse(this.#used.total, this.#reserved.total);
  }

  #turnDay(now: number): void {
    const day = Math.floor(now / DAY_MS);
    if (day === this.#day) return;
    this.#day = day;
    this.#today.clear();
    this.#used = new Tally();
  }

  #window(name: string): Window {
    let window = this.#windows.get(name);
    if (window === undefined) this.#windows.set(name, (window = new Window()));
    return window;
  }
}

/** A sum of uses that come and go: what hundreds of requests under way may take is asked for before each new one. */
class Tally {
  #tokens = 0;
  #cost = 0;
  #unknown = 0;

  /** Takes one part out and puts another in. */
  change(before: Use | undefined, after: Use | undefined): void {
    this.#count(before, -1);
    this.#count(after, 1);
  }

  get total(): Use {
    return { tokens: this.#tokens, cost: this.#unknown > 0 ? null : this.#cost };
  }

  #count(use: Use | undefined, sign: 1 | -1): void {
    if (use === undefined) return;
    this.#tokens += sign * use.tokens;
    if (use.cost === null) this.#unknown += sign;
    else this.#cost += sign * use.cost;
  }
}

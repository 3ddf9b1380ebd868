import { type RateLimits, Window } from '../guard/window.ts';
import { addUse, type Budget, exceeded, type Use } from '../guard/budget.ts';
import type { Change, Store } from '../store/store.ts';
import { dayOf, spendOf, untilTomorrow, useOf } from './spend.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A request that somebody wants to make. */
export interface Demand {
  readonly machine: string;
  /** Which request of the machine: one that is asked for again is not counted twice. */
  readonly request: string;
  /** By what it is limited; names as in `api main`, `agent reply`. */
  readonly limits: readonly { readonly name: string; readonly rates: RateLimits }[];
  /** The day's budget, where there is one. */
  readonly day: Budget | undefined;
  /** What it may take. */
  readonly use: Use;
  readonly now: number;
}

/** Whether it may be made now; `changes` are to be committed with the step that makes it. */
export type Verdict =
  | { readonly kind: 'granted'; readonly changes: readonly Change[] }
  | { readonly kind: 'later'; readonly waitMs: number; readonly limit: string };

/** How a request has ended. */
export interface Settlement extends Pick<Demand, 'machine' | 'limits' | 'day' | 'now'> {
  readonly actual: Use;
}

/**
 * What counts over all runs: requests of the last hour by api and by agent, and what today has cost. A request that is
 * granted is reserved until it is settled or dropped; a dropped one stays counted in its limits, since it may have been made.
 */
export interface Meters {
  /** Reads what earlier processes left of the last hour and of today. */
  load(store: Store, now: number): Promise<void>;
  admit(demand: Demand): Promise<Verdict>;
  settle(settlement: Settlement): void;
  drop(machine: string): void;
  /** What a run has used in all. */
  note(runId: string, use: Use, now: number): void;
}

/** The meters of a process that has the store to itself: in memory, and written with the steps that change them, a row a minute. */
export class LocalMeters implements Meters {
  readonly #windows = new Map<string, Window>();
  /** What runs of today have used, ended or not, by run, and all of it together. */
  readonly #today = new Map<string, Use>();
  #used = new Tally();
  /** Requests under way, by machine. */
  readonly #held = new Map<string, { request: string; use: Use; settle: (actual: number) => void }>();
  #reserved = new Tally();
  /** Days since 1970, UTC. */
  #day = -1;

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

  async admit(demand: Demand): Promise<Verdict> {
    const { machine, request, limits, use, now } = demand;
    if (this.#held.get(machine)?.request !== request) {
      const later = this.#later(demand);
      if (later !== undefined) return later;
      const settles = limits.map(({ name }) => this.#window(name).take(use.tokens, now));
      this.drop(machine);
      this.#reserved.change(undefined, use);
      this.#held.set(machine, { request, use, settle: (actual) => settles.forEach((settle) => settle(actual)) });
    }
    return { kind: 'granted', changes: limits.map(({ name }) => this.#row(name, now)) };
  }

  settle({ machine, actual }: Settlement): void {
    this.#held.get(machine)?.settle(actual.tokens);
    this.drop(machine);
  }

  drop(machine: string): void {
    this.#reserved.change(this.#held.get(machine)?.use, undefined);
    this.#held.delete(machine);
    // What sums of fractions leave behind is dropped as soon as nothing is under way.
    if (this.#held.size === 0) this.#reserved = new Tally();
  }

  note(runId: string, use: Use, now: number): void {
    this.#turnDay(now);
    this.#used.change(this.#today.get(runId), use);
    this.#today.set(runId, use);
  }

  #later({ limits, day, use, now }: Demand): Verdict | undefined {
    for (const { name, rates } of limits) {
      const waitMs = this.#window(name).waitMs(rates, use.tokens, now);
      if (waitMs > 0) return { kind: 'later', waitMs, limit: name };
    }
    if (day === undefined) return undefined;
    this.#turnDay(now);
    const why = exceeded(day, addUse(this.#used.total, this.#reserved.total), use);
    return why === undefined ? undefined : { kind: 'later', waitMs: untilTomorrow(now), limit: `day budget: ${why}` };
  }

  /** The row of this minute as it now stands. */
  #row(name: string, now: number): Change {
    const minute = now - (now % MINUTE_MS);
    return { op: 'put', table: 'rate', row: { name, minute, body: JSON.stringify(this.#window(name).since(minute)) } };
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

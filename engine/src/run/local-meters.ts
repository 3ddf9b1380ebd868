import { addUse, exceeded, type Use } from '../guard/budget.ts';
import { Tally } from '../guard/tally.ts';
import { type Passed, Window } from '../guard/window.ts';
import type { Change, Store } from '../store/store.ts';
import { type Granted, type Later, longest, type Meters, type RunUse, type Wanted } from './meters.ts';
import { type Reservation, Reservations } from './reservations.ts';
import { dayOf, spendsOn, untilTomorrow, useOf } from './spend.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Rows deleted at a time. */
const BATCH = 500;

/** Deletes what was counted of minutes before a time; no limit looks further back than an hour. */
export async function forgetRates(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('rate', { where: [['minute', '<', beforeMs]], limit: BATCH, bodies: false });
    if (rows.length === 0) return;
    await store.apply(rows.map(({ name, minute }) => ({ op: 'delete', table: 'rate', where: { name, minute } })));
  }
}

/** A request, and where and as of when it counts. */
interface Held extends Reservation {
  readonly taken: readonly { readonly window: Window; readonly at: number }[];
}

/**
 * Meters of a process that has the store to itself: kept in memory and written with the steps that change them, a row a
 * minute, so that limits hold across a restart.
 */
export class LocalMeters implements Meters {
  readonly #windows = new Map<string, Window>();
  readonly #held = new Reservations<Held>();
  /** What requests under way may take. */
  #reserved = new Tally();
  /** What runs of today have used, ended or not, by run, and all of it together. */
  readonly #today = new Map<string, Use>();
  #used = new Tally();
  /** Days since 1970, UTC. */
  #day = -1;

  async load(store: Store, now: number): Promise<void> {
    const rows = await store.list('rate', { where: [['minute', '>', now - HOUR_MS]], order: [['minute', 'asc']] });
    const past = new Map<string, Passed[]>();
    for (const { name, minute, body } of rows) {
      // When in its minute a request was is not kept: the last moment of it is the safe guess.
      const at = Math.min(now, minute + MINUTE_MS - 1);
      const passed = { at, ...(JSON.parse(body) as { requests: number; tokens: number }) };
      past.set(name, [...(past.get(name) ?? []), passed]);
    }
    for (const [name, list] of past) this.#windows.set(name, new Window(list));
    // What was settled while this is read is newer.
    for await (const { runId, apis } of spendsOn(store, dayOf(now)))
      if (!this.#today.has(runId)) this.#note(runId, useOf(apis), now);
  }

  async reserve(wanted: Wanted, now: number): Promise<Granted | Later> {
    const { rates, use, day } = wanted;
    const waits = rates.map(({ name, limits }): Later => {
      return { kind: 'later', waitMs: this.#window(name).waitMs(limits, use.tokens, now), limit: name };
    });
    const why = day === undefined ? undefined : exceeded(day, this.#todayAt(now), use);
    if (why !== undefined) waits.push({ kind: 'later', waitMs: untilTomorrow(now), limit: `day budget: ${why}` });
    return longest(waits) ?? { kind: 'granted', changes: this.#take(wanted, now) };
  }

  undo(machineId: string): void {
    const held = this.#free(machineId);
    for (const { window, at } of held?.taken ?? []) window.drop(at, held?.use.tokens ?? 0);
  }

  settle(machineId: string, used: Use, run: RunUse | undefined, now: number): void {
    const held = this.#free(machineId);
    for (const { window, at } of held?.taken ?? []) window.correct(at, used.tokens - (held?.use.tokens ?? 0));
    if (run !== undefined) this.#note(run.id, run.used, now);
  }

  release(machineId: string): void {
    this.#free(machineId);
  }

  underWay(root: string): readonly Reservation[] {
    return this.#held.of(root);
  }

  forget(root: string): void {
    for (const { machineId } of this.#held.of(root)) this.#free(machineId);
  }

  async stop(): Promise<void> {}

  /** Notes a request; returns the rows of this minute as they now stand. */
  #take(wanted: Wanted, now: number): Change[] {
    const { root, machineId, request, use, owners } = wanted;
    const minute = now - (now % MINUTE_MS);
    const taken: { window: Window; at: number }[] = [];
    const changes: Change[] = [];
    for (const { name } of wanted.rates) {
      const window = this.#window(name);
      taken.push({ window, at: window.take(use.tokens, now) });
      changes.push({ op: 'put', table: 'rate', row: { name, minute, body: JSON.stringify(window.since(minute)) } });
    }
    const before = this.#held.add({ root, machineId, request, use, owners, taken });
    this.#reserved.change(before?.use, use);
    return changes;
  }

  /** Ends a reservation. */
  #free(machineId: string): Held | undefined {
    const held = this.#held.remove(machineId);
    this.#reserved.change(held?.use, undefined);
    return held;
  }

  /** What a run has used in all. */
  #note(runId: string, use: Use, now: number): void {
    this.#turnDay(now);
    this.#used.change(this.#today.get(runId), use);
    this.#today.set(runId, use);
  }

  /** What runs have used today and may be using just now; unknown as soon as a part of it is. */
  #todayAt(now: number): Use {
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

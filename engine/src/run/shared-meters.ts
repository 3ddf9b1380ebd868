import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import { addUse, NOTHING, type Use } from '../guard/budget.ts';
import type { Change, Store } from '../store/store.ts';
import { admitDay, admitRate, type DayCounter, NO_RATE, type RateCounter, settleDay, settleRate } from './counters.ts';
import type { Demand, Meters, Settlement, Verdict } from './meters.ts';
import { dayOf, spendOf, untilTomorrow, useOf } from './spend.ts';

/** How often a row is tried again that other processes change, too. */
const MAX_TRIES = 30;
/** At the end of a wait runs go on one after the other within this time, not all at once. */
const SPREAD_MS = 1500;
/** A day's row that nobody has touched for so long is summed up anew: meanwhile there may have been no budget to count for. */
const DAY_STALE_MS = 600_000;
const DAY = 'day';

/** The rows of one round, as they were read and as they are to be. */
class Round {
  readonly #rows = new Map<string, { rev: number; before: string; now: RateCounter | DayCounter | undefined }>();

  async load(store: Store, names: Iterable<string>): Promise<void> {
    for (const name of names) {
      const row = await store.get('counter', { name });
      const now = row === undefined ? undefined : (JSON.parse(row.body) as RateCounter | DayCounter);
      this.#rows.set(name, { rev: row?.rev ?? 0, before: row?.body ?? '', now });
    }
  }

  rate(name: string): RateCounter {
    return (this.#rows.get(name)?.now as RateCounter | undefined) ?? NO_RATE;
  }

  day(): DayCounter | undefined {
    return this.#rows.get(DAY)?.now as DayCounter | undefined;
  }

  put(name: string, counter: RateCounter | DayCounter): void {
    const row = this.#rows.get(name);
    if (row !== undefined) row.now = counter;
  }

  changes(): Change[] {
    return Array.from(this.#rows).flatMap(([name, { rev, before, now }]): Change[] => {
      const body = now === undefined ? before : JSON.stringify(now);
      if (body === before) return [];
      if (rev === 0) return [{ op: 'insert', table: 'counter', row: { name, rev: 1, body } }];
      return [{ op: 'update', table: 'counter', key: { name }, set: { rev: rev + 1, body }, expect: { rev } }];
    });
  }
}

/** Work on the rows: done again on fresh ones until it can be committed. */
interface Job {
  readonly names: readonly string[];
  readonly work: (round: Round) => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The meters of processes that share a store: rows of `counter`, changed in commits of their own before a request is made, so
 * that a limit is never passed, whatever dies in between. What a dead process had reserved counts as used in the minute or
 * hour of its request, and of the day for an hour; whoever takes its run up makes the same request, and settles it. Requests
 * that come while a commit is under way share the next one. Without limits nothing is read or written.
 */
export class SharedMeters implements Meters {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Logger;
  /** By machine, what a drop has to free. */
  readonly #scopes = new Map<string, Pick<Demand, 'limits' | 'day'>>();
  #jobs: Job[] = [];
  #isWorking = false;

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Logger }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Nothing: rows are read as they are needed. */
  async load(): Promise<void> {}

  async admit(demand: Demand): Promise<Verdict> {
    const { machine, request, limits, day, use, now } = demand;
    if (limits.length === 0 && day === undefined) return { kind: 'granted', changes: [] };
    let verdict: Verdict = { kind: 'granted', changes: [] };
    await this.#do(namesOf(demand), (round) => {
      verdict = { kind: 'granted', changes: [] };
      const next = new Map<string, RateCounter | DayCounter>();
      for (const { name, rates } of limits) {
        const { counter, waitMs } = admitRate(round.rate(name), { machine, request, rates, tokens: use.tokens }, now);
        if (waitMs > 0) return void (verdict = { kind: 'later', waitMs: waitMs + spread(machine), limit: name });
        next.set(name, counter);
      }
      if (day !== undefined) {
        const { counter, why } = admitDay(round.day() ?? emptyDay(now), { machine, request, day, use }, now);
        if (why !== undefined) {
          const waitMs = untilTomorrow(now) + spread(machine);
          return void (verdict = { kind: 'later', waitMs, limit: `day budget: ${why}` });
        }
        next.set(DAY, counter);
      }
      for (const [name, counter] of next) round.put(name, counter);
    });
    if (verdict.kind === 'granted') this.#scopes.set(machine, { limits, day });
    return verdict;
  }

  settle(settlement: Settlement): void {
    const { machine, limits, day, actual, now } = settlement;
    this.#scopes.delete(machine);
    this.#end(machine, { limits, day }, actual, now);
  }

  drop(machine: string): void {
    const scope = this.#scopes.get(machine);
    this.#scopes.delete(machine);
    if (scope !== undefined) this.#end(machine, scope, undefined, this.#clock.now());
  }

  /** What runs have used is booked as their requests are settled. */
  note(): void {}

  #end(machine: string, scope: Pick<Demand, 'limits' | 'day'>, actual: Use | undefined, now: number): void {
    if (scope.limits.length === 0 && scope.day === undefined) return;
    const work = (round: Round) => {
      for (const { name } of scope.limits) round.put(name, settleRate(round.rate(name), machine, actual?.tokens));
      const counter = round.day();
      if (scope.day !== undefined && counter !== undefined) round.put(DAY, settleDay(counter, machine, actual, now));
    };
    void this.#do(namesOf(scope), work).catch((error: unknown) =>
      this.#log.warn('a request could not be settled in its limits; its reservation runs out', { ...errorBody(error) }),
    );
  }

  #do(names: readonly string[], work: (round: Round) => void): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ names, work, done, failed });
      if (!this.#isWorking) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs.splice(0);
      try {
        await this.#round(jobs);
        for (const { done } of jobs) done();
      } catch (error) {
        for (const { failed } of jobs) failed(error);
      }
    }
    this.#isWorking = false;
  }

  async #round(jobs: readonly Job[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const round = new Round();
      // In one order everywhere, so that two processes do not wait for each other's rows.
      await round.load(this.#store, [...new Set(jobs.flatMap(({ names }) => names))].sort());
      if (jobs.some(({ names }) => names.includes(DAY))) await this.#openDay(round);
      for (const { work } of jobs) work(round);
      try {
        return await this.#store.apply(round.changes());
      } catch (error) {
        const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
        if (!isConflict) throw error;
        if (tries >= MAX_TRIES)
          throw new EngineError('STORE_FAILED', 'limits could not be noted: too many processes change them at once', {
            hint: 'it is tried again; fewer workers, or no limit, would be quicker',
            retryable: true,
            cause: error,
          });
        // One of those that met is first the next time.
        for (let turns = Math.random() * 2 * tries; turns > 0; turns--) await setImmediate();
      }
    }
  }

  /** Begins a day, or one that nobody has counted for a while, with what is booked in the store. */
  async #openDay(round: Round): Promise<void> {
    const now = this.#clock.now();
    const before = round.day();
    const today = dayOf(now);
    if (before !== undefined && before.day >= today && before.at > now - DAY_STALE_MS) return;
    const ended = await this.#store.list('spend', { where: [['day', '=', today]] });
    let used = ended.reduce<Use>((sum, row) => addUse(sum, useOf(spendOf(row).apis)), NOTHING);
    for (const { id } of await this.#store.list('run', {
      where: [['status', 'in', ['running', 'waiting']]],
      bodies: false,
    })) {
      const row = await this.#store.get('machine', { id });
      const { facts } = JSON.parse(row?.body ?? '{"facts":{}}') as { facts: { spentBy?: Parameters<typeof useOf>[0] } };
      if (facts.spentBy !== undefined) used = addUse(used, useOf(facts.spentBy));
    }
    round.put(DAY, { day: today, at: now, used, held: before?.day === today ? before.held : {} });
  }
}

function namesOf({ limits, day }: Pick<Demand, 'limits' | 'day'>): string[] {
  return [...limits.map(({ name }) => name), ...(day === undefined ? [] : [DAY])];
}

function emptyDay(now: number): DayCounter {
  return { day: dayOf(now), at: now, used: NOTHING, held: {} };
}

/** The same for one machine each time, so that a step that is computed again says the same. */
function spread(machine: string): number {
  let sum = 0;
  for (const letter of machine) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return sum % SPREAD_MS;
}

import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Change, Row, Store } from '../store/store.ts';
import type { Counter } from './counter.ts';

/** Opens a counter from its row, or a new one. */
export type OpenCounter = (name: string, row: Row<'counter'> | undefined, now: number) => Counter | Promise<Counter>;

/** One booking in one or more counters. */
export interface CounterUpdate {
  readonly names: readonly string[];
  /** Changes the current counters. Called again with newer ones after a conflict with another process. */
  readonly book: (counter: (name: string) => Counter, now: number) => void;
}

interface Job extends CounterUpdate {
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Delay of bookings that no caller waits for; the next booking writes them too. */
const LINGER_MS = 50;
/** Each conflict means that another process succeeded; after so many in a row there is another fault. */
const MAX_CONFLICTS = 1000;

/**
 * Writes bookings to rows of the table `counter`, which several processes change: it reads the rows, computes, updates
 * them if they are unchanged, else starts again. One update runs at a time; bookings that arrive meanwhile share the
 * next one, so that the rate of writes does not grow with the rate of bookings. A booking in several rows is all or
 * nothing.
 */
export class CounterWriter {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #open: OpenCounter;
  #jobs: Job[] = [];
  #isWorking = false;
  #work: Promise<void> = Promise.resolve();
  #cancelLinger: (() => void) | undefined;

  constructor(store: Store, clock: Clock, open: OpenCounter) {
    this.#store = store;
    this.#clock = clock;
    this.#open = open;
  }

  /**
   * Resolves when the booking is stored. On `STORE_FAILED` or `STORE_TAMPERED` it was not booked, as far as is known.
   */
  book(booking: CounterUpdate): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ ...booking, done, failed });
      this.#begin();
    });
  }

  /** As `book`, but may wait for the next booking. */
  bookSoon(booking: CounterUpdate): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ ...booking, done, failed });
      if (!this.#isWorking) this.#cancelLinger ??= this.#clock.delay(() => this.#begin(), LINGER_MS);
    });
  }

  /** Writes waiting bookings; resolves when none is left. */
  async flush(): Promise<void> {
    this.#begin();
    await this.#work;
  }

  #begin(): void {
    this.#cancelLinger?.();
    this.#cancelLinger = undefined;
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#work = this.#workOff();
  }

  async #workOff(): Promise<void> {
    while (this.#jobs.length > 0) await this.#bookAll(this.#jobs.splice(0));
    this.#isWorking = false;
  }

  async #bookAll(jobs: Job[]): Promise<void> {
    try {
      for (let conflicts = 0; !(await this.#attempt(jobs)); conflicts++) {
        if (conflicts >= MAX_CONFLICTS)
          throw new EngineError('STORE_FAILED', 'a counter changed each time before it could be updated');
        jobs.push(...this.#jobs.splice(0));
      }
      for (const { done } of jobs) done();
    } catch (error) {
      for (const { failed } of jobs) failed(error);
    }
  }

  /** False on a conflict with another process. */
  async #attempt(jobs: readonly Job[]): Promise<boolean> {
    // In the same order everywhere, so that two updates of the same rows cannot deadlock.
    const names = [...new Set(jobs.flatMap((job) => job.names))].sort();
    const rows = new Map(
      (await this.#store.list('counter', { where: [['name', 'in', names]] })).map((r) => [r.name, r]),
    );
    const now = this.#clock.now();
    const counters = new Map<string, Counter>();
    for (const name of names) counters.set(name, await this.#open(name, rows.get(name), now));
    const counter = (name: string): Counter => {
      const found = counters.get(name);
      if (found === undefined) throw new EngineError('INTERNAL', `the counter "${name}" was not asked for`);
      return found;
    };
    for (const { book } of jobs) book(counter, now);
    try {
      await this.#store.apply(names.flatMap((name) => changesOf(name, rows.get(name), counter(name).body)));
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'STORE_CONFLICT') return false;
      throw error;
    }
  }
}

function changesOf(name: string, row: Row<'counter'> | undefined, body: string): Change[] {
  if (row === undefined) return [{ op: 'insert', table: 'counter', row: { name, rev: 1, body } }];
  if (row.body === body) return [];
  const { rev } = row;
  return [{ op: 'update', table: 'counter', key: { name }, set: { rev: rev + 1, body }, expect: { rev } }];
}

import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import type { Change, Row, Store } from '../store/store.ts';
import type { Counter } from './counter.ts';

/** Makes a counter of its row, or of none. */
export type OpenCounter = (name: string, row: Row<'counter'> | undefined, now: number) => Counter | Promise<Counter>;

/** What is booked in some counters, as one. */
export interface CounterUpdate {
  readonly names: readonly string[];
  /** Books in counters as they are now. It is called again on newer ones where another process was faster. */
  readonly book: (counter: (name: string) => Counter, now: number) => void;
}

interface Job extends CounterUpdate {
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** What nobody waits for is written with the next booking, or after this time. */
const LINGER_MS = 50;
/** Each conflict means that another process got on; after so many in a row something else is wrong. */
const MAX_CONFLICTS = 1000;

/**
 * Books in rows of the table `counter`, which several processes change: load, compute, update if the row is still as it
 * was, else again. One update at a time; what comes while it is under way goes together into the next one, so that a busy
 * row is written as often as an update takes and not as often as somebody asks. A booking in several rows is all or nothing.
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

  /** Resolves once it is stored. `STORE_FAILED`, `STORE_TAMPERED`: then nothing of it was booked, as far as is known. */
  book(booking: CounterUpdate): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ ...booking, done, failed });
      this.#begin();
    });
  }

  /** The same for what is in no hurry. */
  bookSoon(booking: CounterUpdate): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ ...booking, done, failed });
      if (!this.#isWorking) this.#cancelLinger ??= this.#clock.delay(() => this.#begin(), LINGER_MS);
    });
  }

  /** Writes what is left; resolves when nothing is under way any more. */
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

  /** False where another process was faster. */
  async #attempt(jobs: readonly Job[]): Promise<boolean> {
    // In one order everywhere: two updates that lock the same rows do not wait for each other.
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

import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { errorBody } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceUse } from './budget.ts';
import type { Change, Store } from '../store/store.ts';
import { type CounterUpdate, CounterWriter } from './counter-writer.ts';
import type { Counter, Limits } from './counter.ts';
import { DAY_COUNTER, DayCounter } from './day-counter.ts';
import { type Admitted, type LimitReached, longest, type Meters, type AdmissionRequest } from './meters.ts';
import { RateCounter } from './rate-counter.ts';
import { type Reservation, reservationId, Reservations } from './reservations.ts';

/** Runs that wait for the same limit are spread over a tenth of their wait, within these bounds. */
const MIN_SPREAD_MS = 100;
const MAX_SPREAD_MS = 60_000;

/** A request, and its mark in each counter. */
interface HeldReservation extends Reservation {
  readonly marks: ReadonlyMap<string, number>;
}

/**
 * Meters of several processes that share a store, in rows of the table `counter`. A request is reserved in its own
 * commit before the step that sends it: even after a crash, no more requests are admitted than the limits allow
 * (`rate-window.ts`: the effect of clock differences). The id of a reservation is its machine, turn and attempt. If its
 * step was never committed, the repeated step replaces the reservation, in this process or another, as long as it is
 * among the latest 32 of its row. A request that may have been sent stays counted, and its repetition counts again.
 * Abandoned reservations expire with their minute, hour or day.
 *
 * Without limits nothing is read or written.
 */
export class SharedMeters implements Meters {
  readonly #log: Logger;
  readonly #writer: CounterWriter;
  readonly #held = new Reservations<HeldReservation>();

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Logger }) {
    this.#log = log;
    this.#writer = new CounterWriter(store, clock, (name, row, now) =>
      name === DAY_COUNTER ? DayCounter.open(store, row, now) : new RateCounter(row),
    );
  }

  /** Nothing to do: the state is read from the store when a limit needs it. */
  async load(): Promise<void> {}

  async reserve(wanted: AdmissionRequest, now: number): Promise<Admitted | LimitReached> {
    const { root, machineId, request, use, owners, rates, day } = wanted;
    const limits = [...rates, ...(day === undefined ? [] : [{ name: DAY_COUNTER, limits: day }])];
    const names = limits.map(({ name }) => name);
    const id = reservationId(wanted);
    let marks = new Map<string, number>();
    let reached: LimitReached | undefined;
    const book: CounterUpdate['book'] = (counter, time) => {
      for (const name of names) counter(name).renew(id, wanted.isRepeat);
      reached = reachedLimit(limits, use, counter, time);
      if (reached === undefined) marks = new Map(names.map((name) => [name, counter(name).reserve(id, use, time)]));
      // The wait counts from `now`, the start of the step.
      else
        reached = {
          ...reached,
          waitMs: reached.waitMs + spread(machineId, reached.waitMs, time) + Math.max(0, time - now),
        };
    };
    if (names.length > 0) await this.#writer.book({ names, book });
    if (reached !== undefined) return reached;
    this.#held.add({ root, machineId, request, use, owners, marks });
    return { kind: 'granted', changes: [] };
  }

  undo(machineId: string): void {
    this.#end(machineId, (counter, id, mark, use) => counter.undo(id, mark, use));
  }

  settle(machineId: string, used: ResourceUse): void {
    this.#end(machineId, (counter, id, mark, use) => counter.settle(id, mark, use, used));
  }

  release(machineId: string): void {
    this.#end(machineId, (counter, id, mark, use) => counter.release(id, mark, use));
  }

  underWay(root: string): readonly Reservation[] {
    return this.#held.of(root);
  }

  forget(root: string): void {
    for (const { machineId } of this.#held.of(root)) this.#held.remove(machineId);
  }

  /** None: bookings have their own commits. */
  rows(): readonly Change[] {
    return [];
  }

  stop(): Promise<void> {
    return this.#writer.flush();
  }

  /** Ends a reservation in the background. A failure only leaves too much counted. */
  #end(machineId: string, book: (counter: Counter, id: string, mark: number, use: ResourceUse) => void): void {
    const held = this.#held.remove(machineId);
    if (held === undefined || held.marks.size === 0) return;
    const end = (counter: (name: string) => Counter) => {
      for (const [name, mark] of held.marks) book(counter(name), reservationId(held), mark, held.use);
    };
    this.#writer.bookSoon({ names: [...held.marks.keys()], book: end }).catch((error: unknown) => {
      const { code, message } = errorBody(error);
      const fields = { machine: machineId, limits: [...held.marks.keys()].join(', '), code, error: message };
      this.#log.warn('what a request used could not be counted; what was reserved for it stays counted', fields);
    });
  }
}

/** The limit that a request must wait for longest, if any. */
function reachedLimit(
  limits: readonly { readonly name: string; readonly limits: Limits }[],
  use: ResourceUse,
  counter: (name: string) => Counter,
  now: number,
): LimitReached | undefined {
  return longest(
    limits.map((one) => {
      const { waitMs, why } = counter(one.name).wait(one.limits, use, now);
      return { kind: 'later', waitMs, limit: why === undefined ? one.name : `day budget: ${why}` };
    }),
  );
}

/** Additional milliseconds, different for each machine and time, so that waiting runs do not wake at once. */
function spread(machineId: string, waitMs: number, now: number): number {
  const part = createHash('sha256').update(`${machineId} ${now}`).digest().readUInt32BE() / 2 ** 32;
  return Math.round(part * Math.min(MAX_SPREAD_MS, Math.max(MIN_SPREAD_MS, waitMs / 10)));
}

import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { errorBody } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import type { ResourceUse } from './budget.ts';
import type { Change, Store } from '../store/store.ts';
import { type CounterUpdate, CounterWriter } from './counter-writer.ts';
import type { Counter, Limits } from './counter.ts';
import { DAY_COUNTER, DayCounter } from './day-counter.ts';
import { type Admitted, type LimitReached, longest, type Meters, type AdmissionRequest, WIRE_MS } from './meters.ts';
import { RateCounter } from './rate-counter.ts';
import { type Reservation, reservationId, Reservations } from './reservations.ts';

/** Runs that wait for the same limit are spread over a tenth of their wait, within these bounds. */
const MIN_SPREAD_MS = 100;
const MAX_SPREAD_MS = 60_000;
/** A request that goes out so soon after its admission, in milliseconds, needs no other look at its limits. */
const FRESH_MS = 1000;
/** Pause before the store is asked again for the limits of a request that has waited, in milliseconds. */
const RETRY_MS = 1000;

/** A request, and its mark in each counter. */
interface HeldReservation extends Reservation {
  marks: ReadonlyMap<string, number>;
  readonly rates: AdmissionRequest['rates'];
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
    this.#held.add({ root, machineId, request, use, owners, marks, rates });
    return { kind: 'granted', changes: [] };
  }

  /** A request that has waited is admitted again: its minute may have passed meanwhile, and others have taken the room. */
  async send(machineId: string, now: number): Promise<number> {
    const held = this.#held.get(machineId);
    if (held === undefined || held.rates.length === 0) return 0;
    const names = held.rates.map(({ name }) => name);
    const id = reservationId(held);
    const admittedAt = Math.max(...names.map((name) => held.marks.get(name) ?? now));
    const isFresh = now - admittedAt <= FRESH_MS;
    const before = held.marks;
    let waitMs = 0;
    const book: CounterUpdate['book'] = (counter, time) => {
      const marks = new Map(before);
      for (const name of names) counter(name).undo(id, marks.get(name) ?? now, held.use);
      const reached = isFresh ? undefined : reachedLimit(held.rates, held.use, counter, time);
      waitMs = reached?.waitMs ?? 0;
      for (const name of names) marks.set(name, counter(name).reserve(id, held.use, time + WIRE_MS));
      held.marks = marks;
    };
    const booked = isFresh ? this.#writer.bookSoon({ names, book }) : this.#writer.book({ names, book });
    const noted = booked.catch((error: unknown) => {
      held.marks = before;
      const { code, message } = errorBody(error);
      this.#log.warn('the time of a request could not be counted', { machine: machineId, code, error: message });
      if (!isFresh) waitMs = RETRY_MS;
    });
    if (!isFresh) await noted;
    return waitMs;
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

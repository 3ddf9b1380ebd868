import { addUse, type Budget, exceeded, NOTHING, type Use } from '../guard/budget.ts';
import { type Buckets, correct, EMPTY, take, waitMs } from '../guard/buckets.ts';
import type { RateLimits } from '../guard/window.ts';

/** A reservation that nobody has ended for this long is over: whoever held it is gone, and nobody went on with it. */
const STALE_MS = 3_600_000;

/** Requests under one name over all processes, as a row of `counter` holds them. */
export interface RateCounter extends Buckets {
  /** The latest time that any process has seen here. */
  readonly at: number;
  /** Requests under way by machine: which one, when it was noted, and for how many tokens. */
  readonly held: Readonly<Record<string, readonly [request: string, at: number, tokens: number]>>;
}

export const NO_RATE: RateCounter = { ...EMPTY, at: 0, held: {} };

/** The use of one UTC day over all processes. */
export interface DayCounter {
  readonly day: string;
  readonly at: number;
  /** What requests that have ended took. */
  readonly used: Use;
  /** What requests under way may take, by machine. */
  readonly held: Readonly<Record<string, readonly [request: string, at: number, use: Use]>>;
}

/** Notes a request, or says how long it has to wait. The same request, asked for again, is not noted twice. */
export function admitRate(
  counter: RateCounter,
  { machine, request, rates, tokens }: { machine: string; request: string; rates: RateLimits; tokens: number },
  clockNow: number,
): { counter: RateCounter; waitMs: number } {
  const now = Math.max(clockNow, counter.at);
  if (counter.held[machine]?.[0] === request) return { counter, waitMs: 0 };
  const wait = waitMs(counter, rates, tokens, now);
  if (wait > 0) return { counter, waitMs: wait + (now - clockNow) };
  const held = { ...fresh(counter.held, now), [machine]: [request, now, tokens] as const };
  return { counter: { ...take(counter, tokens, now), at: now, held }, waitMs: 0 };
}

/** Ends a request; `tokens` undefined leaves what it was taken to need. */
export function settleRate(counter: RateCounter, machine: string, tokens: number | undefined): RateCounter {
  const { [machine]: known, ...held } = counter.held;
  if (known === undefined) return counter;
  const [, at, reserved] = known;
  return { ...counter, ...(tokens === undefined ? {} : correct(counter, at, tokens - reserved)), held };
}

/** Reserves a request's use of the day, or says why it does not fit. */
export function admitDay(
  counter: DayCounter,
  { machine, request, day, use }: { machine: string; request: string; day: Budget; use: Use },
  now: number,
): { counter: DayCounter; why: string | undefined } {
  if (counter.held[machine]?.[0] === request) return { counter, why: undefined };
  const { [machine]: _replaced, ...others } = fresh(counter.held, now);
  const reserved = Object.values(others).reduce((sum, [, , one]) => addUse(sum, one), NOTHING);
  const why = exceeded(day, addUse(counter.used, reserved), use);
  if (why !== undefined) return { counter, why };
  return { counter: { ...counter, at: now, held: { ...others, [machine]: [request, now, use] } }, why: undefined };
}

/** Books what a request took, or with undefined only ends it. */
export function settleDay(counter: DayCounter, machine: string, actual: Use | undefined, now: number): DayCounter {
  const { [machine]: _ended, ...held } = counter.held;
  return { ...counter, at: now, held, used: actual === undefined ? counter.used : addUse(counter.used, actual) };
}

function fresh<T extends readonly [string, number, unknown]>(
  held: Readonly<Record<string, T>>,
  now: number,
): Record<string, T> {
  return Object.fromEntries(Object.entries(held).filter(([, [, at]]) => at > now - STALE_MS));
}

import { isoTime } from '../base/clock.ts';

/** A limit that a machine waits for, and when it opens, in epoch milliseconds. */
export interface LimitWait {
  /** Text for people, such as `agent helper`, `api main`, `provider of api main`, `day budget: …`. */
  readonly limit: string;
  readonly until: number;
}

/** Waits by the id of the waiting machine. */
export type LimitWaits = Readonly<Record<string, LimitWait>>;

/** The waits that are not over at `nowMs`; undefined where there are none. */
export function pendingWaits(waits: LimitWaits, nowMs: number): LimitWaits | undefined {
  const closed = Object.entries(waits).filter(([, { until }]) => until > nowMs);
  return closed.length === 0 ? undefined : Object.fromEntries(closed);
}

/** The fields `limit` and `until` of a run that waits for a limit: those of the limit that opens first. */
export function limitFields(waits: LimitWaits | undefined): { readonly limit?: string; readonly until?: string } {
  const [first] = Object.values(waits ?? {}).toSorted((a, b) => a.until - b.until);
  return first === undefined ? {} : { limit: first.limit, until: isoTime(first.until) };
}

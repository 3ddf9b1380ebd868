import { isoTime } from '../base/clock.ts';

/** A limit that a machine waits for, as people are told of it, and when it opens, in epoch milliseconds. */
export interface LimitWait {
  /** `agent helper`, `api main`, `provider of api main`, `day budget: …` */
  readonly limit: string;
  readonly until: number;
}

/** By the id of the machine that waits. */
export type LimitWaits = Readonly<Record<string, LimitWait>>;

/** Those that have not opened by `nowMs`; undefined where there are none. */
export function closedAt(waits: LimitWaits, nowMs: number): LimitWaits | undefined {
  const closed = Object.entries(waits).filter(([, { until }]) => until > nowMs);
  return closed.length === 0 ? undefined : Object.fromEntries(closed);
}

/** What a run that waits for a limit says of it: of several, the first to open. */
export function limitFacts(waits: LimitWaits | undefined): { readonly limit?: string; readonly until?: string } {
  const [first] = Object.values(waits ?? {}).toSorted((a, b) => a.until - b.until);
  return first === undefined ? {} : { limit: first.limit, until: isoTime(first.until) };
}

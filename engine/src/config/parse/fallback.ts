import type { Api } from '../config.ts';

/** A failure after which another api is asked during a run. */
export type FallbackReason = 'unavailable' | 'rateLimit';

/** The apis that stand in for an api, in order. */
export interface Fallback {
  readonly to: readonly string[];
  /** Failures after which they also take over during a run; empty for those that are chosen at its start alone. */
  readonly on: readonly FallbackReason[];
}

/** The fallback of an api in one form: a plain list holds at the start of a run alone. */
export function fallbackOf({ fallback }: Pick<Api, 'fallback'>): Fallback {
  return 'to' in fallback ? fallback : { to: fallback, on: [] };
}

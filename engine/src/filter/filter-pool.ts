import { createPool } from '../base/worker-pool.ts';
import type { RoutingDecision, FilterPool, FilterQuestion } from './filter.ts';
import type { FilterJob } from './filter-worker.ts';

/** Options of `createFilterPool`. */
export interface FilterPoolOptions {
  /** Time limit for one mail and all filters. Default 10,000. */
  readonly timeoutMs?: number;
  /** An idle worker thread ends after this time. Default 30,000. */
  readonly idleMs?: number;
}

/** Creates a filter pool with one worker thread, which starts with the first mail and ends when idle. */
export function createFilterPool(options: FilterPoolOptions = {}): FilterPool {
  const pool = createPool<FilterJob, RoutingDecision>({
    entry: new URL('./filter-worker.ts', import.meta.url),
    size: 1,
    timeoutMs: options.timeoutMs ?? 10_000,
    maxHeapMb: 256,
    idleMs: options.idleMs ?? 30_000,
    tooCostly: 'MAIL_TOO_COSTLY',
  });
  let last: { readonly revision: string; readonly rules: string } | undefined;

  // Serialized once a revision: a string is passed to the worker far faster than the object tree.
  const rulesOf = ({ revision, filters, directors }: FilterQuestion): string => {
    if (last?.revision !== revision) last = { revision, rules: JSON.stringify({ filters, directors }) };
    return last.rules;
  };

  return {
    decide(question, { signal } = {}) {
      const { revision, subject, newLabels } = question;
      return pool.run({ revision, rules: rulesOf(question), subject, ...(newLabels && { newLabels }) }, { signal });
    },
    close: () => pool.close(),
  };
}

import { createPool } from '../base/worker-pool.ts';
import type { RoutingDecision, FilterPool, FilterQuestion } from './filter.ts';
import type { FilterJob } from './filter-worker.ts';

export interface FilterPoolOptions {
  /** Longest time for one mail and all filters. Default 10,000. */
  readonly timeoutMs?: number;
  /** An idle worker is closed after this time. Default 30,000. */
  readonly idleMs?: number;
}

/** A judge with a worker thread of its own, which starts with the first question and ends when idle. */
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

  // Turned to text once a revision: a string travels to the worker far faster than the tree would.
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

import { createPool } from '../base/worker-pool.ts';
import type { RegexTrial, RoutingDecision, FilterPool, FilterQuestion } from './filter.ts';
import type { FilterJob, TrialJob } from './filter-worker.ts';

/** Options of `createFilterPool`. */
export interface FilterPoolOptions {
  /** Time limit for one mail and all filters. Default 10,000. */
  readonly timeoutMs?: number;
  /** An idle worker thread ends after this time. Default 30,000. */
  readonly idleMs?: number;
}

/** Longest JSON of a mail about which filters decide in about a millisecond. */
const SHORT_CHARS = 64 * 1024;

/** Time limit for one pattern that a person tries. */
const TRIAL_MS = 2000;

/** Creates a filter pool with one worker thread for mails and one for trials. Each starts with its first job and ends when idle. */
export function createFilterPool(options: FilterPoolOptions = {}): FilterPool {
  const limits = {
    entry: new URL('./filter-worker.ts', import.meta.url),
    size: 1,
    maxHeapMb: 256,
    idleMs: options.idleMs ?? 30_000,
    tooCostly: 'MAIL_TOO_COSTLY',
  } as const;
  const pool = createPool<FilterJob, RoutingDecision>({ ...limits, timeoutMs: options.timeoutMs ?? 10_000 });
  // Trials have their own thread, so that no mail waits for them.
  const trials = createPool<TrialJob, RegexTrial>({ ...limits, timeoutMs: TRIAL_MS });
  let last: { readonly revision: string; readonly rules: string } | undefined;

  // Serialized once a revision: a string is passed to the worker far faster than the object tree.
  const rulesOf = ({ revision, filters, directors }: FilterQuestion): string => {
    if (last?.revision !== revision) last = { revision, rules: JSON.stringify({ filters, directors }) };
    return last.rules;
  };

  return {
    decide(question, { signal } = {}) {
      const { revision, subject, newLabels } = question;
      const job = { revision, rules: rulesOf(question), subject, ...(newLabels && { newLabels }) };
      return pool.run(job, { signal, isShort: subject.length <= SHORT_CHARS });
    },
    tryRegex: (pattern, text, { signal } = {}) => trials.run({ pattern, text }, { signal }),
    close: async () => void (await Promise.all([pool.close(), trials.close()])),
  };
}

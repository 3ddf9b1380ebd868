import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../base/worker-pool.ts';
import type { Filter } from '../config/documents.gen.ts';
import { createDecider } from './decide.ts';
import type { RegexTrial, RoutingDecision, DirectorScopes, FilterSubject } from './filter.ts';
import { tryRegex } from './try-regex.ts';

/** A job of the worker thread that decides about a mail. */
export interface FilterJob {
  readonly revision: string;
  /** JSON of `{ filters, directors }`; parsed only for a new revision. */
  readonly rules: string;
  /** JSON of a `FilterSubject`. */
  readonly subject: string;
  readonly newLabels?: readonly string[];
}

/** A job of the worker thread that tries a pattern. */
export interface TrialJob {
  readonly pattern: string;
  readonly text: string;
}

interface Rules {
  readonly filters: readonly Filter[];
  readonly directors: DirectorScopes;
}

const decider = createDecider();
let known: { readonly revision: string; readonly rules: Rules } | undefined;

function work(job: FilterJob | TrialJob): RoutingDecision | RegexTrial {
  return 'pattern' in job ? tryRegex(job.pattern, job.text) : decide(job);
}

function decide({ revision, rules, subject, newLabels }: FilterJob): RoutingDecision {
  if (known?.revision !== revision) known = { revision, rules: JSON.parse(rules) as Rules };
  const { filters, directors } = known.rules;
  return decider.decide(JSON.parse(subject) as FilterSubject, filters, directors, newLabels);
}

serveJobs(parentPort, work);

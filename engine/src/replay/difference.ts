import type { Json } from '../base/json.ts';

/** Kinds of differences, in the order of a report. */
export const DIFFERENCE_KINDS = [
  'routing',
  'permissions',
  'budgets',
  'requests',
  'calls',
  'drafts',
  'status',
  'turns',
  'cost',
  'duration',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** A piece of a text that is the same, new or gone. */
export interface WordChange {
  readonly text: string;
  readonly state: 'same' | 'added' | 'removed';
}

/** One difference between what happened and what would happen now. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** One sentence without its subject, such as `mail_send no longer asks`. */
  readonly text: string;
  /** True where the change permits more than before. */
  readonly loosens?: true;
  /** Of a text: both versions, word by word. */
  readonly words?: readonly WordChange[];
  readonly before?: Json;
  readonly after?: Json;
}

/** How a mail or a run was tried. `routing`: no model is needed. `recorded`: models answer from the recording. `live`: they are asked. */
export type Tier = 'routing' | 'recorded' | 'live';

/** One mail or run with its differences. */
export interface Compared {
  readonly tier: Tier;
  /** Id of the mail or of the run, or the name of the case. */
  readonly name: string;
  /** Subject of the mail, or the beginning of the message. */
  readonly subject: string;
  /** The director of a run; absent for a mail. */
  readonly directorId?: string;
  /** Number of this attempt where a run is repeated, from 1. */
  readonly attempt?: number;
  readonly differences: readonly Difference[];
}

/** Counts of one tier. */
export interface TierCount {
  readonly tier: Tier;
  readonly total: number;
  readonly changed: number;
  /** Runs whose recording could not answer a request. */
  readonly missed: number;
  /** Milliseconds that the tier took. */
  readonly tookMs: number;
  /** US dollars that models cost; only of the live tier. */
  readonly cost?: number;
}

/** Everything that a replay found. */
export interface ReplayReport {
  /** The other config as people read it: a git ref or a folder. */
  readonly against: string;
  readonly tiers: readonly TierCount[];
  /** What changed, one sentence each, most important first; one that says so where nothing changed. */
  readonly summary: readonly string[];
  /** What the change permits that was not permitted before, one sentence each. */
  readonly warnings: readonly string[];
  /** Mails and runs with a difference. */
  readonly changed: readonly Compared[];
  /** Whether a person interrupted it, so that not all mails and runs were tried. */
  readonly isInterrupted?: boolean;
  /** Mails that cannot be read and runs that cannot be played, and why. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
}

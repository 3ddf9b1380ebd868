import { createHash } from 'node:crypto';
import type { Compared, ReplayReport } from '../difference.ts';

/** What a person sets when a shadow starts. */
export interface ShadowSettings {
  /** Branch, tag or commit that has the other config. */
  readonly ref: string;
  /** Share of new mail, above 0 and up to 100. */
  readonly percent: number;
  /** US dollars that models of shadow runs may cost in one UTC day. */
  readonly maxCostPerDay: number;
}

/** A shadow: new mail also runs under another config, without any effect. */
export interface Shadow extends ShadowSettings {
  readonly id: string;
  /** Commit of the ref when the shadow started. A ref that moves later changes nothing. */
  readonly commit: string;
  /** ISO 8601. Mail that was fetched earlier is not tried. */
  readonly startedAt: string;
  /** What the other config permits that the running one did not, and its documents that cannot be used. */
  readonly warnings: readonly string[];
}

/** What changes while a shadow goes on. */
export interface ShadowProgress {
  /** Cost of the UTC day `day` in US dollars, with the estimates of requests under way. */
  readonly spent: { readonly day: string; readonly cost: number };
  /** US dollars since the start. */
  readonly cost: number;
  /** Why mail cannot be tried at the moment. */
  readonly problem?: string;
}

/** What came out of one mail. */
export interface ShadowResult {
  readonly mailId: string;
  /** The real runs that it was compared with. Their deletion deletes the differences. */
  readonly runIds: readonly string[];
  readonly at: string;
  readonly tookMs: number;
  /** Runs that were played, and those of them that asked for a tool result that is not recorded. */
  readonly played: number;
  readonly missed: number;
  readonly changed: readonly Compared[];
  /** Why the mail was not compared. */
  readonly leftOut?: string;
}

/** A shadow as the API serves it. */
export interface ShadowView {
  /** Null where there is none. */
  readonly shadow:
    | (Shadow & {
        /** US dollars of the current UTC day. */
        readonly spentToday: number;
        /** Mails that were tried or left out. */
        readonly mails: number;
        /** Whether it has seen `MAX_SHADOW_MAILS` and takes no more. */
        readonly isFull: boolean;
        readonly problem?: string;
      })
    | null;
  /** The comparison so far, the newest of `changed` first; absent without a shadow. */
  readonly report?: ReplayReport;
}

/** Mails after which a shadow takes no more, so that its results stay small enough to be read at once. */
export const MAX_SHADOW_MAILS = 1000;

/** Whether a shadow takes a mail. A hash of its id decides, so the same mails are taken at each try. */
export function isTaken(mailId: string, percent: number): boolean {
  const share = createHash('sha256').update(mailId).digest().readUInt32BE() / 2 ** 32;
  return share * 100 < percent;
}

import type { ErrorBody } from '../base/error.ts';
import type { DocumentEdit } from '../config/config.ts';
import type { Compared, Difference, ReplayReport, Tier } from './difference.ts';
import type { PlayedRun } from './replay.ts';

/** What is compared with the running config. */
export interface ChangesRequest {
  /** Branch, tag or commit; or edits of documents that are not saved. */
  readonly against: { readonly ref: string } | { readonly edits: readonly DocumentEdit[] };
  /** Most mails, and most runs; the newest are taken. From 1 to `MAX_COMPARED`. */
  readonly limit: number;
}

/** Largest `limit` of a comparison. */
export const MAX_COMPARED = 200;

/** A comparison as the API serves it. */
export interface ComparisonView {
  /** The last comparison since the server started; null where there was none. */
  readonly job: {
    readonly status: 'running' | 'done' | 'cancelled' | 'failed';
    readonly against: string;
    readonly limit: number;
    /** ISO 8601. */
    readonly startedAt: string;
    readonly progress?: { readonly tier: Tier; readonly done: number; readonly total: number };
    /** Why it failed. */
    readonly error?: ErrorBody;
  } | null;
  /** Present once the job is done or cancelled. */
  readonly report?: ChangesReport;
}

/** The report of a comparison. Each entry of `changed` has its differences without their texts; `ChangedSides` has these. */
export interface ChangesReport extends ReplayReport {
  /** Documents of the other config that cannot be used, one sentence each. */
  readonly problems: readonly string[];
}

/** What a run did, with cut texts. */
export type PlayedSide = Omit<PlayedRun, 'calls'> & {
  /** Arguments are JSON. */
  readonly calls: readonly (Omit<PlayedRun['calls'][number], 'arguments'> & { readonly arguments: string })[];
};

/** A mail or a run that changed, with both sides. */
export interface ChangedSides extends Pick<Compared, 'name' | 'subject' | 'directorId'> {
  readonly differences: readonly Difference[];
  /** What the run did; absent for a mail. */
  readonly before?: PlayedSide;
  /** What the play did; absent for a mail, and where the run cannot be played. */
  readonly after?: PlayedSide;
}

/** Compares the running config with another one on stored mail and runs; one comparison at a time, kept in memory. */
export interface Changes {
  /**
   * Starts a comparison, in place of the result of the last one. `BUSY` where one runs; `BAD_REQUEST` for a limit out of range; `USAGE`
   * for a ref that git does not know; `CONFIG_INVALID`, `CONFLICT` and `NOT_FOUND` for edits that could not be saved together.
   */
  start(request: ChangesRequest): Promise<void>;
  /** The comparison so far. */
  view(): ComparisonView;
  /** One entry of the report. `NOT_FOUND`. */
  sides(name: string): ChangedSides;
  /** Stops the comparison that runs; its report has what was tried until then. */
  cancel(): void;
  /** Branches and tags that can be compared. */
  refs(): Promise<readonly string[]>;
  /** Cancels, and resolves when nothing runs any more. */
  end(): Promise<void>;
}

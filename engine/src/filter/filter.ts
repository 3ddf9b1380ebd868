import type { Abortable } from '../base/abort.ts';
import type { Filter } from '../config/config.ts';
import type { MailContent, MailSummary } from '../mail/mail.ts';

/** What a filter looks at. `bodyText` is the text, else text made from the HTML; at most its first 256 KB count. */
export interface FilterSubject {
  readonly mail: MailSummary;
  readonly headers: MailContent['headers'];
  readonly bodyText: string;
}

/** How one condition of a filter came out, as `filters try` prints it. */
export type ConditionTrace =
  | {
      readonly kind: 'field';
      readonly field: string;
      readonly regex: string;
      readonly matched: boolean;
      readonly value?: string;
    }
  | { readonly kind: 'allOf' | 'anyOf' | 'not'; readonly matched: boolean; readonly parts: readonly ConditionTrace[] };

export interface FilterResult {
  readonly filterId: string;
  readonly matched: boolean;
  /** Absent where the filter was not asked. Parts of a group that were not needed for its outcome are left out. */
  readonly verdict?: ConditionTrace;
  /** Why the filter was not asked: it is not for this account, or an earlier one said `stop`. */
  readonly skipped?: 'account' | 'stopped';
}

/** What is to become of a mail. */
export interface RoutingDecision {
  /** Directors that start a run, each once, in filter order. */
  readonly directors: readonly {
    readonly directorId: string;
    readonly filterId: string;
    /** The labels because of which filters named it; absent where there are none. */
    readonly labels?: readonly string[];
  }[];
  /** Directors that a matching filter names but that cannot take this mail. */
  readonly passedOver: readonly {
    readonly directorId: string;
    readonly filterId: string;
    readonly reason: 'account' | 'disabled';
  }[];
  readonly results: readonly FilterResult[];
}

/** What a decision must know of a director. One that is not in the map is disabled. */
export interface DirectorScope {
  /** Accounts whose mail it takes; all where it is absent. */
  readonly accountIds?: readonly string[] | undefined;
}

/** Directors by id. */
export type DirectorScopes = Readonly<Record<string, DirectorScope>>;

/** The contract of `decide.ts`: pure and synchronous. Compiled patterns are kept between calls. */
export interface FilterDecider {
  decide(
    subject: FilterSubject,
    filters: readonly Filter[],
    directors: DirectorScopes,
    newLabels?: readonly string[],
  ): RoutingDecision;
}

/** The contract of `judge.ts`: the same in a worker thread, so that no filter and no mail holds the loop. */
export interface FilterPool {
  /**
   * `subject` is JSON of a `Subject`, as the mail room makes it. Filters and directors are sent and compiled once per
   * `revision`. Errors: `MAIL_TOO_COSTLY` where it takes too long; rejects with the signal's reason on abort.
   */
  decide(question: FilterQuestion, options?: Abortable): Promise<RoutingDecision>;
  close(): Promise<void>;
}

export interface FilterQuestion {
  readonly revision: string;
  readonly filters: readonly Filter[];
  readonly directors: DirectorScopes;
  readonly subject: string;
  /** Labels that were put on a mail which was decided upon before: only filters that ask for labels are asked then. */
  readonly newLabels?: readonly string[];
}

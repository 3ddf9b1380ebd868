import type { Abortable } from '../base/abort.ts';
import type { Filter } from '../config/config.ts';
import type { MailContent, MailSummary } from '../mail/mail.ts';

/**
 * The input of filters. `bodyText` is the text part, else text made from the HTML; only its first 256 KB are matched.
 */
export interface FilterSubject {
  readonly mail: MailSummary;
  readonly headers: MailContent['headers'];
  readonly bodyText: string;
}

/** Result of one condition of a filter, as `filters try` prints it. */
export type ConditionTrace =
  | {
      readonly kind: 'field';
      readonly field: string;
      readonly regex: string;
      readonly matched: boolean;
      readonly value?: string;
    }
  | { readonly kind: 'allOf' | 'anyOf' | 'not'; readonly matched: boolean; readonly parts: readonly ConditionTrace[] };

/** Result of one filter for a mail. */
export interface FilterResult {
  readonly filterId: string;
  readonly matched: boolean;
  /** Absent where the filter was skipped. Parts of a group that did not affect its result are left out. */
  readonly verdict?: ConditionTrace;
  /** Why the filter was skipped: it is for other accounts, or an earlier filter has `stop`. */
  readonly skipped?: 'account' | 'stopped';
}

/** The directors for a mail, and the result of each filter. */
export interface RoutingDecision {
  /** Directors that start a run, each once, in the order of the filters. */
  readonly directors: readonly {
    readonly directorId: string;
    readonly filterId: string;
    /** Labels that made filters match; absent where there are none. */
    readonly labels?: readonly string[];
  }[];
  /** Directors that a matching filter names and that cannot take this mail. */
  readonly passedOver: readonly {
    readonly directorId: string;
    readonly filterId: string;
    readonly reason: 'account' | 'disabled';
  }[];
  readonly results: readonly FilterResult[];
}

/** The part of a director that a decision needs. A director that is not in the map is disabled. */
export interface DirectorScope {
  /** Accounts whose mail the director takes; all where absent. */
  readonly accountIds?: readonly string[] | undefined;
}

/** Directors by id. */
export type DirectorScopes = Readonly<Record<string, DirectorScope>>;

/** Decides in the calling thread; pure and synchronous (`decide.ts`). Compiled patterns are cached. */
export interface FilterDecider {
  decide(
    subject: FilterSubject,
    filters: readonly Filter[],
    directors: DirectorScopes,
    newLabels?: readonly string[],
  ): RoutingDecision;
}

/** Decides in a worker thread (`filter-pool.ts`), so that filters do not block the event loop. */
export interface FilterPool {
  /**
   * `subject` is JSON of a `FilterSubject`, as `MailWorkers` makes it. Filters and directors are sent and compiled once
   * per `revision`. Throws `MAIL_TOO_COSTLY` above the time limit; rejects with the signal's reason on abort.
   */
  decide(question: FilterQuestion, options?: Abortable): Promise<RoutingDecision>;
  /** Tries a pattern on a text, in a thread of its own. Throws and rejects as `decide`, after two seconds. */
  tryRegex(pattern: string, text: string, options?: Abortable): Promise<RegexTrial>;
  close(): Promise<void>;
}

/** Whether a text matches, and by which engine; `problem` where the pattern cannot be used. */
export type RegexTrial =
  | { readonly matched: boolean; readonly engine: 'native' | 're2'; readonly problem?: undefined }
  | { readonly problem: string };

/** One mail, and the filters to run on it. */
export interface FilterQuestion {
  readonly revision: string;
  readonly filters: readonly Filter[];
  readonly directors: DirectorScopes;
  readonly subject: string;
  /** Labels that a known mail has got since its last decision. Only filters with a `Label` condition run then. */
  readonly newLabels?: readonly string[];
}

import type { Filter } from '../config/config.ts';
import type { MailContent, MailSummary } from '../mail/mail.ts';

/** What a filter looks at. `bodyText` is the text, else text made from the HTML; at most its first 256 KB count. */
export interface Subject {
  readonly mail: MailSummary;
  readonly headers: MailContent['headers'];
  readonly bodyText: string;
}

/** How one condition of a filter came out, as `filters try` prints it. */
export type Verdict =
  | { readonly kind: 'field'; readonly field: string; readonly regex: string; readonly matched: boolean; readonly value?: string }
  | { readonly kind: 'allOf' | 'anyOf' | 'not'; readonly matched: boolean; readonly parts: readonly Verdict[] };

export interface FilterResult {
  readonly filterId: string;
  readonly matched: boolean;
  readonly verdict: Verdict;
  /** Why a matching or matching-to-be filter was not asked or had no effect. */
  readonly skipped?: 'account' | 'stopped';
}

/** What is to become of a mail. */
export interface Decision {
  /** Directors that start a run, each once, in filter order. */
  readonly directors: readonly { readonly directorId: string; readonly filterId: string }[];
  /** Directors that a matching filter names but that cannot take this mail. */
  readonly passedOver: readonly { readonly directorId: string; readonly filterId: string; readonly reason: 'account' | 'disabled' }[];
  readonly results: readonly FilterResult[];
}

/** The contract of `decide.ts`: pure, synchronous; `filters` in order. */
export interface Decider {
  decide(subject: Subject, filters: readonly Filter[]): Decision;
}

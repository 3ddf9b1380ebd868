import { errorBody } from '../../base/error.ts';
import type { TestAssertion } from '../../config/documents.gen.ts';
import type { Outcome } from '../replay.ts';
import type { Judges } from './judges.ts';

/** What an assertion looks at. */
export interface Judged {
  readonly outcome: Outcome;
  /** The recorded outcome of a case. */
  readonly expected?: Outcome | undefined;
  readonly judges: Judges;
}

/** Whether an assertion without its `not-` holds, and what was found, as a clause: `the answer is "Hello"`. */
export interface Checked {
  readonly holds: boolean;
  readonly found: string;
}

/** Checks one type of assertion. Rejects where it could not be checked. */
export type Checker = (
  assertion: TestAssertion & { readonly isNot: boolean },
  judged: Judged,
) => Checked | Promise<Checked>;

/** Why something could not be checked, and what to do about it, in one line. */
export function reasonOf(error: unknown): string {
  const { message, hint } = errorBody(error);
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** A text on one line, at most 200 characters. */
export function cut(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  return folded.length > 200 ? `${folded.slice(0, 199)}…` : folded;
}

import { type Redactor, redactValue } from '../../base/redact.ts';

/** An answer without the known secrets that stand in it; `isRedacted` then says that nobody must write it back. */
export function redacted<T extends object>(
  redactor: Pick<Redactor, 'text'>,
  answer: T,
): T | (T & { readonly isRedacted: true }) {
  const shown = redactValue(redactor, answer);
  return shown === answer ? answer : { isRedacted: true, ...shown };
}

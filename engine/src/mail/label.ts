import { decodeWords } from 'postal-mime';
import type { Part } from './mime.ts';

/** Maildir flags under the names that IMAP and JMAP give the same facts (RFC 9051 2.3.2). */
const FLAGS: Readonly<Record<string, string>> = {
  F: '\\Flagged',
  R: '\\Answered',
  S: '\\Seen',
  P: '$Forwarded',
  D: '\\Draft',
  T: '\\Deleted',
};

/** Labels of a Maildir file name: the letters after `:2,` (or `;2,` and `!2,`, where `:` cannot be in a file name). */
export function maildirFlags(name: string): string[] {
  const letters = /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? '';
  return [...letters].flatMap((letter) => FLAGS[letter] ?? []);
}

/** Whether two mails have the same labels: their order says nothing. */
export function sameLabels(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && others.every((label) => some.includes(label));
}

/**
 * Labels that an exported mail carries in its headers: X-Gmail-Labels (Google Takeout, by commas), X-Keywords (Dovecot,
 * by blanks) and X-Mozilla-Keys (Thunderbird, by blanks). Only files that a person exported are read like this: in a
 * Maildir such a header would be the sender's.
 */
export function labelHeaders(root: Part): string[] {
  const labels = root.headers.flatMap(({ key, value }) => {
    if (key === 'x-gmail-labels') return decodeWords(value).split(',');
    if (key === 'x-keywords') return decodeWords(value).split(/[\s,]+/);
    if (key === 'x-mozilla-keys') return value.split(/\s+/);
    return [];
  });
  const clean = labels.map((label) => label.trim().replace(/^"(.*)"$/, '$1')).filter((label) => label !== '');
  return [...new Set(clean)];
}

import { decodeWords } from 'postal-mime';
import type { Part } from './mime.ts';

/**
 * Labels in the headers of an exported mail: X-Gmail-Labels (Google Takeout, separated by commas), X-Keywords (Dovecot,
 * by blanks) and X-Mozilla-Keys (Thunderbird, by blanks). Used only for files that a person exported: in a Maildir the
 * sender could have set such a header.
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

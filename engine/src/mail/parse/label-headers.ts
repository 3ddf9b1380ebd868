import { decodeWords } from 'postal-mime';
import type { Part } from './mime.ts';

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

import { addressParser, decodeWords } from 'postal-mime';
import { mailDate } from './date.ts';
import type { Address, MailContent, MailSummary } from '../mail.ts';
import type { Part } from './mime.ts';

type Headers = Part['headers'];

/** Fields of a mail that depend on its header block alone. */
export type HeaderFacts = Pick<
  MailSummary,
  | 'messageId'
  | 'inReplyTo'
  | 'references'
  | 'from'
  | 'to'
  | 'cc'
  | 'bcc'
  | 'replyTo'
  | 'subject'
  | 'date'
  | 'autoSubmitted'
  | 'list'
>;

/** Mailers cut longer reference lists in the middle (RFC 5322 3.6.4 and RFC 5537 3.4.4). */
const MAX_REFERENCES = 1000;

/** Parses the header block of a mail: RFC 5322, encoded words of RFC 2047, marks of RFC 3834, 2919 and 2369. */
export function readHeaders(root: Part): HeaderFacts {
  const { headers } = root;
  const value = (key: string) => headers.find((header) => header.key === key)?.value ?? '';
  const ids = (key: string) => value(key).match(/<[^<>\s]+>/g) ?? [];
  const from = addressesOf([value('from')]);
  return {
    messageId: decodeWords(value('message-id')).trim(),
    inReplyTo: ids('in-reply-to')[0] ?? value('in-reply-to').trim().slice(0, 1000),
    references: ids('references').slice(0, MAX_REFERENCES),
    from,
    to: addressesOf(all(headers, 'to')),
    cc: addressesOf(all(headers, 'cc')),
    bcc: addressesOf(all(headers, 'bcc')),
    replyTo: addressesOf(all(headers, 'reply-to')),
    subject: decodeWords(value('subject')),
    date: mailDate(value('date')),
    autoSubmitted: isAutoSubmitted(root, value, from),
    list: isList(headers, value),
  };
}

/** All headers in order, with decoded words. */
export function listHeaders(root: Part): MailContent['headers'] {
  return root.headers.map(({ originalKey, value }) => ({ name: originalKey, value: decodeWords(value) }));
}

function all(headers: Headers, key: string): string[] {
  return headers.filter((header) => header.key === key).map((header) => header.value);
}

/** Flattens groups (RFC 5322 3.4); a group without members has no address. */
function addressesOf(values: readonly string[]): Address[] {
  return values
    .flatMap((value) => addressParser(quoteColons(value), { flatten: true }))
    .map(({ name, address }) => ({ name: name ?? '', address: address ?? '' }));
}

/**
 * Escapes bare colons inside encoded words (which RFC 2047 5 forbids): the library would take each as the start of a
 * group, and parse groups within groups again and again.
 */
function quoteColons(value: string): string {
  return value.replace(/=\?[^?\s]+\?[Qq]\?[^?\s]*\?=/g, (word) => word.replaceAll(':', '=3A'));
}

/** RFC 3834 5 (Auto-Submitted), RFC 5321 4.5.5 (the null return path), RFC 3464 (reports), and common older marks. */
function isAutoSubmitted(root: Part, value: (key: string) => string, from: readonly Address[]): boolean {
  const mark = (value('auto-submitted').match(/^[\s]*([a-z-]+)/i)?.[1] ?? '').toLowerCase();
  if (mark !== '' && mark !== 'no') return true;
  if (/^\s*<\s*>/.test(value('return-path'))) return true;
  const report = (root.params['report-type'] ?? '').toLowerCase();
  if (root.mimeType === 'multipart/report' && (report === 'delivery-status' || report === 'disposition-notification'))
    return true;
  if (/^\s*auto_reply\b/i.test(value('precedence'))) return true;
  if (value('x-autoreply') !== '' || value('x-autorespond') !== '') return true;
  return from.some(({ address }) => /^mailer-daemon(@|$)/i.test(address));
}

const LIST_HEADERS = new Set([
  'list-id',
  'list-unsubscribe',
  'list-post',
  'list-help',
  'list-subscribe',
  'list-owner',
  'list-archive',
]);

function isList(headers: Headers, value: (key: string) => string): boolean {
  return headers.some(({ key }) => LIST_HEADERS.has(key)) || /^\s*(bulk|list|junk)\b/i.test(value('precedence'));
}

import type { MailQuery } from '../mailbox.ts';

/** What Gmail takes as a word whatever it means elsewhere, unless it stands alone in capitals. */
const PLAIN = /^[\p{L}\p{N}_@+][\p{L}\p{N}_@+.-]*$/u;
const OPERATOR = /^(OR|AND|AROUND)$/;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A query for Gmail's search box. What is looked for is only ever words: nothing in it can become an operator, so that a model
 * cannot reach further than the fields say. Each word of a field must be there. The label is not part of it, and days are cut
 * exactly by `isWithin`. https://support.google.com/mail/answer/7190
 */
export function gmailQuery({ text, from, to, subject, after, before, messageId }: MailQuery): string {
  return [
    ...words(text).map(quoted),
    ...words(from).map((word) => `from:${quoted(word)}`),
    ...words(to).map((word) => `to:${quoted(word)}`),
    ...words(subject).map((word) => `subject:${quoted(word)}`),
    ...(DAY.test(after ?? '') ? [`after:${secondsOf(after ?? '') - 1}`] : []),
    ...(DAY.test(before ?? '') ? [`before:${secondsOf(before ?? '') + 1}`] : []),
    ...(messageId === undefined ? [] : [`rfc822msgid:${bareMessageId(messageId)}`]),
  ].join(' ');
}

/** Whether a mail that Gmail received at `ms` lies within the days of a query. */
export function isWithin(ms: number, { after, before }: MailQuery): boolean {
  return (
    (!DAY.test(after ?? '') || ms >= secondsOf(after ?? '') * 1000) &&
    (!DAY.test(before ?? '') || ms < secondsOf(before ?? '') * 1000)
  );
}

/** A Message-ID as the search wants it: without brackets, and without anything that would end the term. */
export function bareMessageId(messageId: string): string {
  return messageId.replace(/[\s<>"(){}]/g, '');
}

function words(text = ''): readonly string[] {
  return text
    .replace(/["\p{Cc}]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
}

function quoted(word: string): string {
  return PLAIN.test(word) && !OPERATOR.test(word) ? word : `"${word}"`;
}

function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

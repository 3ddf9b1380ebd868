import type { MailQuery } from '../mailbox.ts';

/** A word that Gmail's search takes literally, unless it is an operator in capitals. */
const LITERAL = /^[\p{L}\p{N}_@+][\p{L}\p{N}_@+.-]*$/u;
const OPERATOR = /^(OR|AND|AROUND)$/;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * A query for Gmail's search box. All values become literal words, none an operator, so that a model cannot search
 * further than the fields allow. Every word of a field must match. The label is not part of the query, and `isWithin`
 * checks the days exactly. https://support.google.com/mail/answer/7190
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

/** Whether the time of arrival `ms` (epoch milliseconds) is within the days of a query. */
export function isWithin(ms: number, { after, before }: MailQuery): boolean {
  return (
    (!DAY.test(after ?? '') || ms >= secondsOf(after ?? '') * 1000) &&
    (!DAY.test(before ?? '') || ms < secondsOf(before ?? '') * 1000)
  );
}

/** A Message-ID for the search: without brackets, and without characters that would end the term. */
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
  return LITERAL.test(word) && !OPERATOR.test(word) ? word : `"${word}"`;
}

function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

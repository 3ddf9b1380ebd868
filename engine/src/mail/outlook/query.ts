import { odataText, withQuery } from '../../account/microsoft/graph.ts';
import type { MailQuery } from '../mailbox.ts';
import { FLAGGED, type GraphMessage, labelsOf, MAILBOX_FIELDS, timeOf } from './message.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Mails per page of a search. */
const PAGE = 50;

/**
 * The path of a search, newest first. Words need `$search`, labels and Message-IDs `$filter`, and Graph accepts only
 * one of them for messages (https://learn.microsoft.com/graph/search-query-parameter): `isWanted` checks the rest.
 */
export function searchPath(query: MailQuery): string {
  const $search = searchOf(query);
  const $filter = filterOf(query);
  const by =
    query.messageId !== undefined || $search === ''
      ? // Exchange sorts only by the property that it filters by first; a Message-ID matches only a few mails.
        { $filter, ...(query.messageId === undefined && { $orderby: 'receivedDateTime desc' }) }
      : { $search: `"${$search}"` };
  return withQuery('/me/messages', { $select: MAILBOX_FIELDS, $top: PAGE, ...by });
}

/** Whether a message that Graph found matches: no draft, with the label, and received on one of the days in UTC. */
export function isWanted(item: GraphMessage, { label, after, before }: MailQuery): boolean {
  const received = timeOf(item, 'receivedDateTime');
  const labels = labelsOf(item) ?? [];
  return (
    item['isDraft'] !== true &&
    (label === undefined || labels.some((one) => one.toLowerCase() === label.toLowerCase())) &&
    (!isDay(after) || received >= after) &&
    (!isDay(before) || received < before)
  );
}

/**
 * A query in the Keyword Query Language. All values become literal words, none an operator. Its days are in the unknown
 * time zone of the mailbox, so it includes one more day on each side.
 */
function searchOf({ text, from, to, subject, after, before }: MailQuery): string {
  const terms = [
    ...wordsOf(text),
    ...wordsOf(from).map((word) => `from:${word}`),
    ...wordsOf(to).map((word) => `to:${word}`),
    ...wordsOf(subject).map((word) => `subject:${word}`),
  ];
  // A filter is better for days alone: it is exact, and does not end at 1,000 mails.
  if (terms.length === 0) return '';
  if (isDay(after)) terms.push(`received>=${shiftDay(after, -1)}`);
  if (isDay(before)) terms.push(`received<=${shiftDay(before, 1)}`);
  return terms.join(' AND ');
}

function filterOf({ label, after, before, messageId }: MailQuery): string {
  if (messageId !== undefined) return `internetMessageId eq ${odataText(messageId)}`;
  return [
    `receivedDateTime ge ${isDay(after) ? after : '1900-01-01'}T00:00:00Z`,
    ...(isDay(before) ? [`receivedDateTime lt ${before}T00:00:00Z`] : []),
    ...(label === FLAGGED ? ["flag/flagStatus eq 'flagged'"] : []),
    ...(label !== undefined && label !== FLAGGED ? [`categories/any(c:c eq ${odataText(label)})`] : []),
  ].join(' and ');
}

/**
 * Words in lower case, since AND, OR and NOT are operators in capitals; without characters that have a meaning at the
 * start of a word or between words.
 */
function wordsOf(text = ''): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_@.+-]*/gu) ?? [];
}

function isDay(day: string | undefined): day is string {
  return day !== undefined && DAY.test(day);
}

function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

import { odataText, withQuery } from '../../account/microsoft/graph.ts';
import type { MailQuery } from '../mailbox.ts';
import { FLAGGED, type GraphMessage, labelsOf, MAILBOX_FIELDS, timeOf } from './message.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Mails of one page of a search. */
const PAGE = 50;

/**
 * Where Graph looks for mails, newest first. Words need `$search`, labels and Message-IDs `$filter`, and Graph takes only one
 * of them for messages (https://learn.microsoft.com/graph/search-query-parameter): what one cannot say, `isWanted` sees to.
 */
export function searchPath(query: MailQuery): string {
  const $search = searchOf(query);
  const $filter = filterOf(query);
  const by =
    query.messageId !== undefined || $search === ''
      ? // Exchange sorts by what it filters by first, and by nothing else; a Message-ID names one mail or a few.
        { $filter, ...(query.messageId === undefined && { $orderby: 'receivedDateTime desc' }) }
      : { $search: `"${$search}"` };
  return withQuery('/me/messages', { $select: MAILBOX_FIELDS, $top: PAGE, ...by });
}

/** Whether a message that Graph has found is one: no draft, with the label, and received on one of the days in UTC. */
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
 * In the Keyword Query Language. What is looked for is only ever words: nothing in it can become an operator. Days are those of
 * the mailbox, wherever that is, so one more is asked for on each side.
 */
function searchOf({ text, from, to, subject, after, before }: MailQuery): string {
  const terms = [
    ...wordsOf(text),
    ...wordsOf(from).map((word) => `from:${word}`),
    ...wordsOf(to).map((word) => `to:${word}`),
    ...wordsOf(subject).map((word) => `subject:${word}`),
  ];
  // Days alone are better filtered by: that is exact, and knows no end at 1,000 mails.
  if (terms.length === 0) return '';
  if (isDay(after)) terms.push(`received>=${shifted(after, -1)}`);
  if (isDay(before)) terms.push(`received<=${shifted(before, 1)}`);
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

/** In lower case, since AND, OR and NOT are operators in capitals; without what has a meaning at the start or between words. */
function wordsOf(text = ''): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_@.+-]*/gu) ?? [];
}

function isDay(day: string | undefined): day is string {
  return day !== undefined && DAY.test(day);
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

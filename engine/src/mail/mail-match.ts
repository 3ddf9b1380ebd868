import type { Address, MailContent, MailSummary } from './mail.ts';
import type { MailEntry, MailQuery } from './mailbox.ts';

/** The mailbox entry of a parsed mail. `isSent`: the mailbox holds it as sent. */
export function mailEntry(ref: string, summary: MailSummary, isSent = false): MailEntry {
  const { threadId, labels, messageId, from, to, subject, date, receivedAt, snippet } = summary;
  const entry = { ref, threadId, labels, messageId, from, to, subject, date: date || receivedAt, snippet };
  return isSent ? { ...entry, isSent } : entry;
}

/** Whether a mail matches a query, for providers without a search on the server. Ignores case. */
export function isMatch(entry: MailEntry, { bodyText }: Pick<MailContent, 'bodyText'>, query: MailQuery): boolean {
  const has = (haystack: string, needle: string | undefined) =>
    needle === undefined || haystack.toLowerCase().includes(needle.toLowerCase());
  const words = (query.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const all = () => [entry.subject, people(entry.from), people(entry.to), bodyText].join('\n').toLowerCase();
  return (
    has(people(entry.from), query.from) &&
    has(people(entry.to), query.to) &&
    has(entry.subject, query.subject) &&
    (query.messageId === undefined || entry.messageId === query.messageId) &&
    (query.label === undefined || entry.labels.some((label) => label.toLowerCase() === query.label?.toLowerCase())) &&
    (query.after === undefined || entry.date >= query.after) &&
    (query.before === undefined || entry.date < query.before) &&
    (words.length === 0 || words.every((word) => all().includes(word)))
  );
}

function people(addresses: readonly Address[]): string {
  return addresses.map(({ name, address }) => `${name} <${address}>`).join(', ');
}

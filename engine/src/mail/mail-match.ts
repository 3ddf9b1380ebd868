import type { Address, MailContent, MailSummary } from './mail.ts';
import type { MailAt, MailQuery } from './mailbox.ts';

/** A mail as a mailbox tells of it. */
export function mailAt(ref: string, summary: MailSummary): MailAt {
  const { threadId, labels, messageId, from, to, subject, date, receivedAt, snippet } = summary;
  return { ref, threadId, labels, messageId, from, to, subject, date: date || receivedAt, snippet };
}

/** Whether a mail that was read is what is looked for, where no server does that. Case does not count. */
export function isMatch(at: MailAt, { bodyText }: Pick<MailContent, 'bodyText'>, query: MailQuery): boolean {
  const has = (haystack: string, needle: string | undefined) =>
    needle === undefined || haystack.toLowerCase().includes(needle.toLowerCase());
  const words = (query.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const all = () => [at.subject, people(at.from), people(at.to), bodyText].join('\n').toLowerCase();
  return (
    has(people(at.from), query.from) &&
    has(people(at.to), query.to) &&
    has(at.subject, query.subject) &&
    (query.messageId === undefined || at.messageId === query.messageId) &&
    (query.label === undefined || at.labels.some((label) => label.toLowerCase() === query.label?.toLowerCase())) &&
    (query.after === undefined || at.date >= query.after) &&
    (query.before === undefined || at.date < query.before) &&
    (words.length === 0 || words.every((word) => all().includes(word)))
  );
}

function people(addresses: readonly Address[]): string {
  return addresses.map(({ name, address }) => `${name} <${address}>`).join(', ');
}

import type { Condition, Filter } from '../../engine/src/config/documents.gen.ts';
import type { FilterSubject } from '../../engine/src/filter/filter.ts';
import type { MailSummary } from '../../engine/src/mail/mail.ts';

/** A filter to `boss` on everything, unless told otherwise. */
export function filter(id: string, condition: Condition, more: Partial<Filter> = {}): Filter {
  const filled = { id, description: '', enabled: true, stop: false, directorId: 'boss', ...more, ...condition };
  return filled as Filter;
}

/** A mail as filters see it. */
export function subject({
  bodyText = 'words',
  headers = [],
  ...mail
}: Partial<FilterSubject> & Partial<MailSummary> = {}): FilterSubject {
  return {
    mail: {
      id: 'mail_1',
      accountId: 'support',
      messageId: '<a@x>',
      inReplyTo: '',
      references: [],
      threadId: '<a@x>',
      from: [{ name: 'Ann Lee', address: 'client7@domain.com' }],
      to: [{ name: '', address: 'me@example.org' }],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: 'Urgent: invoice 4411',
      date: '2026-02-03T04:05:06.000Z',
      labels: ['Inbox', 'Autopilot InProgress'],
      attachments: [],
      autoSubmitted: false,
      list: false,
      own: false,
      snippet: '',
      receivedAt: '',
      ...mail,
    },
    headers,
    bodyText,
  };
}

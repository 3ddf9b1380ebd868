import { isoTime } from '../../../base/clock.ts';
import type { MailContent, MailSummary } from '../../../mail/mail.ts';
import type { Services } from '../../api.ts';

/** A mail that is a file: an item, or an attachment of another mail. */
export interface ParsedFile {
  readonly summary: MailSummary;
  readonly content: MailContent;
  /** What a limit left out, in plain words. */
  readonly notes: readonly string[];
}

/** A mail that is a file, as text: nothing of its HTML, and only the names of its attachments. */
export interface MailFileView
  extends
    Pick<MailSummary, 'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'date'>,
    Pick<MailContent, 'headers' | 'bodyText'> {
  readonly attachments: readonly Pick<MailSummary['attachments'][number], 'name' | 'mimeType' | 'size'>[];
  readonly notes: readonly string[];
}

/** Whether a file is a mail by its type, which many programs do not know, or by its name. */
export function isMailFile(mimeType: string, name = ''): boolean {
  return /^message\/rfc822\s*(?:;|$)/i.test(mimeType) || /\.eml$/i.test(name);
}

/** Parses a mail in a worker thread, and stores nothing. Transfers `bytes`. `MAIL_TOO_COSTLY` above its limits. */
export async function parseMailFile({ mail, deps }: Services, bytes: Uint8Array): Promise<ParsedFile> {
  const facts = {
    ...{ id: '', accountId: '', ownAddresses: [], receivedAt: isoTime(deps.clock.now()) },
    ...{ labels: [], readsLabelHeaders: false },
  };
  const { summary, content, notes } = await mail.parse({ kind: 'bytes', bytes }, facts);
  return { summary: JSON.parse(summary) as MailSummary, content: JSON.parse(content) as MailContent, notes };
}

/** Reads a mail for its preview; errors as `parseMailFile`. */
export async function viewMailFile(services: Services, bytes: Uint8Array): Promise<MailFileView> {
  const { summary, content, notes } = await parseMailFile(services, bytes);
  const { from, to, cc, bcc, replyTo, subject, date, attachments } = summary;
  const { headers, bodyText } = content;
  return {
    ...{ from, to, cc, bcc, replyTo, subject, date, headers, bodyText, notes },
    attachments: attachments.map(({ name, mimeType, size }) => ({ name, mimeType, size })),
  };
}

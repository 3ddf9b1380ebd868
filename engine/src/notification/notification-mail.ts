import type { Abortable } from '../base/abort.ts';
import { EngineError } from '../base/error.ts';
import type { Settings } from '../config/config.ts';
import { type MailService, sendMail } from '../mail/send/mail-service.ts';
import type { AnswerLink, Notification } from './notification.ts';

/**
 * Sends a notification as a mail, once: its Message-ID follows from its id. The mail says that it is automatic (RFC 3834).
 * `NOTIFY_FAILED` where there is no such account; errors of `sendMail`.
 */
export async function mailNotification(
  mailService: MailService,
  { accountId, to }: NonNullable<Settings['notify']['mail']>,
  { id, title, text, link }: Notification & { readonly link?: AnswerLink | undefined },
  { signal }: Abortable,
): Promise<void> {
  const account = mailService.config().accounts.get(accountId);
  if (account === undefined) throw new EngineError('NOTIFY_FAILED', `there is no account "${accountId}"`);
  const body = text === '' ? title : text;
  const writing = { to: [to], subject: title, text: link === undefined ? body : `${body}\n\n${linkText(link)}` };
  const options = { key: id, isAutomatic: true, author: { by: 'user' as const }, signal };
  await sendMail(mailService, { account, writing, attachments: [] }, options);
}

function linkText({ address, expiresAt }: AnswerLink): string {
  return [
    'See the call and answer it:',
    address,
    `The link is for one answer, until ${expiresAt}. Whoever has it can answer: do not forward this mail.`,
  ].join('\n');
}

import { envelopeOf } from '../config/prompt/envelope.ts';
import type { Address, MailContent, MailSummary } from './mail.ts';

/** Most characters of a mail's text in a prompt; the model reads the rest with tools. */
const MAX_TEXT = 60_000;

/** `Name <address>`, or the bare address. */
export function formatAddress({ name, address }: Address): string {
  return name === '' ? address : `${name} <${address}>`;
}

/** `a@example.org, B <b@example.org>` */
export function formatAddresses(addresses: readonly Address[]): string {
  return addresses.map(formatAddress).join(', ');
}

/**
 * Text of an attachment as a tool result contains it: between two markers that its sender cannot guess, as in `envelope`.
 */
export function attachmentEnvelope(text: string, mark: string): string {
  return envelopeOf(text, 'FILE', mark);
}

/** The beginning of a text that is longer than `maxChars`, with a line that says how much is missing. */
export function cutText(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}\n[cut: ${text.length - maxChars} more characters]` : text;
}

/**
 * A mail as a prompt contains it: between two markers that its sender cannot guess, followed by a sentence that says
 * that it is data. `mark` is a keyed hash of the mail's id; `maxChars` bounds its text.
 */
export function envelope(mail: MailSummary, content: MailContent, mark: string, maxChars = MAX_TEXT): string {
  const cut = cutText(content.bodyText, maxChars);
  const files = mail.attachments.map((file) => `${file.name || 'unnamed'} (${file.mimeType}, ${file.size} bytes)`);
  const headers = [
    ['From', formatAddresses(mail.from)],
    ['To', formatAddresses(mail.to)],
    ['Cc', formatAddresses(mail.cc)],
    ['Reply-To', formatAddresses(mail.replyTo)],
    ['Date', mail.date],
    ['Subject', mail.subject],
    ['Attachments', files.join('; ')],
  ].filter(([, value]) => value !== '');
  const head = headers.map(([key, value]) => `${key}: ${(value ?? '').replace(/[\s\u0085]+/g, ' ')}`).join('\n');
  return envelopeOf(`${head}\n\n${cut}`, 'MAIL', mark);
}

import { isRecord } from '../../base/json.ts';
import type { Address } from '../mail.ts';
import type { MailEntry } from '../mailbox.ts';

/** A message as Graph gives it, as far as was asked for. */
export type GraphMessage = Readonly<Record<string, unknown>>;

/** What is asked for of a message that is to be fetched. */
export const SOURCE_FIELDS = 'id,categories,flag,isDraft,receivedDateTime,conversationId,hasAttachments';

/** What is asked for of a message that is shown. */
export const MAILBOX_FIELDS =
  'id,categories,flag,isDraft,receivedDateTime,sentDateTime,conversationId,internetMessageId,subject,bodyPreview,from,toRecipients,ccRecipients,bccRecipients';

/** The label of a mail that somebody has flagged, under the name that IMAP gives the same fact (RFC 9051 2.3.2). */
export const FLAGGED = '\\Flagged';

/**
 * Labels of a message: its categories, and `\Flagged` where it is flagged for follow-up. Whether it was read is none: that
 * changes by mere looking. Undefined where the item does not tell of both, as one that changed otherwise.
 */
export function labelsOf({ categories, flag }: GraphMessage): readonly string[] | undefined {
  if (!Array.isArray(categories) || !isRecord(flag)) return undefined;
  const names = categories.filter((name) => typeof name === 'string' && name !== '');
  return [...new Set<string>(names), ...(flag['flagStatus'] === 'flagged' ? [FLAGGED] : [])];
}

/** The path of a message, by its id. */
export function messagePath(id: string): string {
  return `/me/messages/${encodeURIComponent(id)}`;
}

/** A text of an item; `''` where it is missing. */
export function textOf(item: GraphMessage, name: string): string {
  const value = item[name];
  return typeof value === 'string' ? value : '';
}

/** A time of an item as ISO 8601; `''` where it is missing or unreadable. */
export function timeOf(item: GraphMessage, name: string): string {
  const ms = Date.parse(textOf(item, name));
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** Addresses of `from`, `toRecipients` and their kin. */
export function addressesOf(value: unknown): readonly Address[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const { emailAddress } = isRecord(one) ? one : {};
    if (!isRecord(emailAddress)) return [];
    const address = textOf(emailAddress, 'address');
    const name = textOf(emailAddress, 'name');
    // Exchange puts the address where a name is missing.
    return address === '' && name === '' ? [] : [{ name: name === address ? '' : name, address }];
  });
}

/** A message as the mailbox shows it. */
export function entryOf(item: GraphMessage): MailEntry {
  const threadId = textOf(item, 'conversationId');
  return {
    ref: textOf(item, 'id'),
    ...(threadId !== '' && { threadId }),
    labels: labelsOf(item) ?? [],
    messageId: textOf(item, 'internetMessageId'),
    from: addressesOf(item['from']),
    to: addressesOf(item['toRecipients'] ?? []),
    subject: textOf(item, 'subject'),
    date: timeOf(item, 'sentDateTime') || timeOf(item, 'receivedDateTime'),
    snippet: textOf(item, 'bodyPreview').replace(/\s+/g, ' ').trim().slice(0, 200),
  };
}

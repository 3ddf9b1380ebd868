import { isRecord } from '../../base/json.ts';
import type { Address } from '../mail.ts';
import type { MailEntry } from '../mailbox.ts';

/** The requested fields of a message, as Graph returns them. */
export type GraphMessage = Readonly<Record<string, unknown>>;

/** Fields that the source needs. */
export const SOURCE_FIELDS = 'id,categories,flag,isDraft,receivedDateTime,conversationId,hasAttachments';

/** Fields that a mailbox entry needs. */
export const MAILBOX_FIELDS =
  'id,categories,flag,isDraft,parentFolderId,receivedDateTime,sentDateTime,conversationId,internetMessageId,subject,bodyPreview,from,toRecipients,ccRecipients,bccRecipients';

/** The label of a flagged mail; IMAP uses the same name (RFC 9051 2.3.2). */
export const FLAGGED = '\\Flagged';

/**
 * Labels of a message: its categories, and `\Flagged` where it is flagged for follow-up. Whether it was read is no
 * label, since reading alone changes it. Undefined where the item lacks one of the two, as in a delta with another
 * change.
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

/** A text field of an item; `''` where it is missing. */
export function textOf(item: GraphMessage, name: string): string {
  const value = item[name];
  return typeof value === 'string' ? value : '';
}

/** A time field of an item as ISO 8601; `''` where it is missing or unreadable. */
export function timeOf(item: GraphMessage, name: string): string {
  const ms = Date.parse(textOf(item, name));
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** Addresses of `from`, `toRecipients` and similar fields. */
export function addressesOf(value: unknown): readonly Address[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const { emailAddress } = isRecord(one) ? one : {};
    if (!isRecord(emailAddress)) return [];
    const address = textOf(emailAddress, 'address');
    const name = textOf(emailAddress, 'name');
    // Exchange sets a missing name to the address.
    return address === '' && name === '' ? [] : [{ name: name === address ? '' : name, address }];
  });
}

/** The mailbox entry of a message. `sentFolder`: the id of the folder of sent mail, where it is known. */
export function entryOf(item: GraphMessage, sentFolder = ''): MailEntry {
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
    ...(sentFolder !== '' && textOf(item, 'parentFolderId') === sentFolder && { isSent: true }),
  };
}

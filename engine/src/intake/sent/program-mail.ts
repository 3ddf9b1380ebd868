import type { MailEntry } from '../../mail/mailbox.ts';
import { mailOf, threadKey } from '../../mail/mail-store.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import { readableRows } from '../../store/readable-rows.ts';
import type { Store } from '../../store/store.ts';

/** How long before its Date header a mail may have been recorded, in milliseconds. */
const EARLIER_MS = 86_400_000;

/**
 * Whether a director or an agent sent a mail, and no person. A reply that a person sends in the viewer or over the API goes through
 * Callsheet as well: the replies of the mails of its thread say who wrote it.
 */
export async function isSentByProgram(
  store: Store,
  accountId: string,
  { messageId, ref, threadId, date }: MailEntry,
): Promise<boolean> {
  const reader = readableRows(store, () => {});
  const rows = await reader.list('outgoing', { where: [['at', '>=', Date.parse(date) - EARLIER_MS]] });
  const recorded = rows
    .map((row) => bodyOf<{ accountId: string; messageId: string; ref?: string }>('outgoing', row))
    .find((one) => one.accountId === accountId && (one.messageId === messageId || one.ref === ref));
  if (recorded === undefined) return false;
  if (threadId === undefined) return true;
  const mails = await reader.list('mail', {
    where: [
      ['threadKey', '=', threadKey(store, accountId, threadId)],
      ['state', '=', 'kept'],
    ],
  });
  const replies = mails.flatMap((row) => mailOf(row).replies ?? []);
  return !replies.some((reply) => reply.messageId === recorded.messageId && reply.by === 'user');
}

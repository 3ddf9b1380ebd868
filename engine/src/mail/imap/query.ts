import type { SearchObject } from 'imapflow';
import type { MailQuery } from '../mailbox.ts';
import type { ImapConnection } from './mailbox-connection.ts';

/** Mails that one search looks at in each mailbox, at most, the newest first. */
export const MAX_FOUND = 500;

/** Flags that every server knows (RFC 9051 2.3.2), by what `search` calls them. */
const FLAGS: Readonly<Record<string, SearchObject>> = {
  '\\seen': { seen: true },
  '\\flagged': { flagged: true },
  '\\answered': { answered: true },
};

/** UIDs in the open mailbox that a query is about, ascending. */
export async function searchMailbox(connection: ImapConnection, query: MailQuery): Promise<readonly number[]> {
  const { text = '', from, to, subject, label, after, before, messageId } = query;
  const [word, ...words] = text.split(/\s+/).filter((one) => one !== '');
  const flag = label === undefined ? {} : (FLAGS[label.toLowerCase()] ?? { keyword: label });
  const first: SearchObject = {
    deleted: false,
    draft: false,
    ...(word !== undefined && { text: word }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(subject !== undefined && { subject }),
    ...(after !== undefined && { sentSince: after }),
    ...(before !== undefined && { sentBefore: before }),
    ...(messageId !== undefined && { header: { 'message-id': messageId } }),
    ...flag,
  };
  let uids = await connection.search(first);
  // A question holds one text: each further word is a question of its own.
  for (const more of words) {
    if (uids.length === 0) break;
    const also = new Set(await connection.search({ text: more }));
    uids = uids.filter((uid) => also.has(uid));
  }
  return [...uids].sort((a, b) => a - b);
}

/** By the server's own id of a thread, or by the Message-ID that began it. */
export async function searchThread(connection: ImapConnection, threadId: string): Promise<readonly number[]> {
  if (!threadId.startsWith('<')) return (await connection.search({ threadId })).slice(-MAX_FOUND);
  const names = ['message-id', 'references', 'in-reply-to'];
  const found = new Set<number>();
  for (const name of names) for (const uid of await connection.search({ header: { [name]: threadId } })) found.add(uid);
  return [...found].sort((a, b) => a - b).slice(-MAX_FOUND);
}

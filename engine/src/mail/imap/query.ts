import type { SearchObject } from 'imapflow';
import type { MailQuery } from '../mailbox.ts';
import type { ImapConnection } from './mailbox-connection.ts';

/** Largest number of mails that a search returns for each mailbox, newest first. */
export const MAX_FOUND = 500;

/** Search keys of the flags that every server has (RFC 9051 2.3.2), by label. */
const FLAGS: Readonly<Record<string, SearchObject>> = {
  '\\seen': { seen: true },
  '\\flagged': { flagged: true },
  '\\answered': { answered: true },
};

/** UIDs of the mails in the open mailbox that match a query, ascending. */
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
  // A SEARCH command of imapflow takes one text: each further word is a command of its own.
  for (const more of words) {
    if (uids.length === 0) break;
    const also = new Set(await connection.search({ text: more }));
    uids = uids.filter((uid) => also.has(uid));
  }
  return [...uids].sort((a, b) => a - b);
}

/** UIDs of a thread in the open mailbox: by the server's thread id, or by the Message-ID of its first mail. */
export async function searchThread(connection: ImapConnection, threadId: string): Promise<readonly number[]> {
  if (!threadId.startsWith('<')) return (await connection.search({ threadId })).slice(-MAX_FOUND);
  const names = ['message-id', 'references', 'in-reply-to'];
  const found = new Set<number>();
  for (const name of names) for (const uid of await connection.search({ header: { [name]: threadId } })) found.add(uid);
  return [...found].sort((a, b) => a - b).slice(-MAX_FOUND);
}

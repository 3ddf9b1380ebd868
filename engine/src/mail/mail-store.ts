import type { Change, ChangeOf, Reader, Row, Store } from '../store/store.ts';
import type { MailContent, MailSummary } from './mail.ts';

/** Largest piece of raw MIME in one row: a commit of one never holds the event loop. */
export const RAW_PIECE = 256 * 1024;

/** A mail with what the engine knows about it beyond the message itself. */
export interface StoredMail {
  readonly summary: MailSummary;
  /** Provider id as the account gives it; for folders the sha256 of the raw bytes. */
  readonly providerId: string;
  readonly size: number;
  /** Directors that took it, or why nobody did. */
  readonly routing: { readonly directors: readonly string[]; readonly note: string };
  /** Other mail with the same Message-ID that was there before. */
  readonly duplicateOf?: string;
  /** What a limit left out when it was read, in plain words. */
  readonly notes: readonly string[];
  /** ISO 8601; since when it lies in its account no more. Absent while it does. */
  readonly removedAt?: string;
}

/** What rows are looked up by; keyed hashes, since ids and addresses are mail content. */
export function identityKey(store: Store, accountId: string, providerId: string): string {
  return store.lookupKey(`identity\0${accountId}\0${providerId}`);
}

/** A mail about to be taken; `summary` and `content` are JSON as the mail room gave it. */
export interface NewMail extends Omit<StoredMail, 'summary'> {
  readonly id: string;
  readonly accountId: string;
  readonly messageId: string;
  readonly threadId: string;
  readonly identity: string;
  readonly summary: string;
  readonly content: string;
}

/** The changes that take a mail. Its raw bytes were stored under `identity` before. */
export function insertMailChange(store: Store, mail: NewMail): Change[] {
  const { id, accountId, messageId, threadId, identity, summary, content, ...rest } = mail;
  const row: Row<'mail'> = {
    id,
    account: accountId,
    identity,
    messageKey: messageKey(store, accountId, messageId),
    threadKey: threadKey(store, accountId, threadId),
    state: 'kept',
    routed: mail.routing.directors.length > 0 ? 1 : 0,
    body: `{"summary":${summary},${JSON.stringify(rest).slice(1)}`,
    rev: 0,
  };
  return [
    { op: 'insert', table: 'mail', row },
    { op: 'insert', table: 'mailContent', row: { mail: id, body: content } },
  ];
}

/** The change that gives a kept mail what is known of it now; `STORE_CONFLICT` where somebody else changed it in between. */
export function changeMail(row: Row<'mail'>, mail: StoredMail): Change {
  return {
    op: 'update',
    table: 'mail',
    key: { id: row.id },
    set: { routed: mail.routing.directors.length > 0 ? 1 : 0, body: JSON.stringify(mail), rev: row.rev + 1 },
    expect: { state: 'kept', rev: row.rev },
  };
}

/** The changes that remove a mail for good but remember that it was there, so that it is not fetched again. */
export function deleteMailChange(row: Row<'mail'>): Change[] {
  const gone: ChangeOf<'mail'> = {
    op: 'update',
    table: 'mail',
    key: { id: row.id },
    set: { state: 'deleted', body: '{}' },
    expect: { state: 'kept' },
  };
  return [
    gone,
    { op: 'delete', table: 'mailContent', where: { mail: row.id } },
    { op: 'delete', table: 'mailRaw', where: { identity: row.identity } },
  ];
}

/** The row of a mail that is kept, or undefined. */
export async function readMailRow(reader: Reader, id: string): Promise<Row<'mail'> | undefined> {
  const row = await reader.get('mail', { id });
  return row?.state === 'kept' ? row : undefined;
}

/** The row of the mail with this identity, also of a deleted one (see `state`); undefined where none was ever taken. */
export async function findByIdentity(reader: Reader, identity: string): Promise<Row<'mail'> | undefined> {
  const [row] = await reader.list('mail', { where: [['identity', '=', identity]], limit: 1 });
  return row;
}

/** The stored mail of a row. */
export function mailOf(row: Row<'mail'>): StoredMail {
  return JSON.parse(row.body) as StoredMail;
}

/** Headers, text and HTML of a mail. */
export async function readContent(reader: Reader, mailId: string): Promise<MailContent> {
  const row = await reader.get('mailContent', { mail: mailId });
  return row === undefined ? { headers: [], text: '', html: '', bodyText: '' } : (JSON.parse(row.body) as MailContent);
}

/** The id of a mail of this account with this Message-ID, or undefined. A mail without one is like no other. */
export async function findByMessageId(store: Store, accountId: string, messageId: string): Promise<string | undefined> {
  if (messageId === '') return undefined;
  const rows = await store.list('mail', {
    where: [['messageKey', '=', messageKey(store, accountId, messageId)]],
    order: [['id', 'asc']],
    limit: 1,
    bodies: false,
  });
  return rows[0]?.id;
}

/** Stores raw bytes in pieces, each a commit of its own; doing it again changes nothing. */
export async function storeRaw(store: Store, identity: string, raw: Uint8Array): Promise<void> {
  for (let seq = 0; seq * RAW_PIECE < raw.length || seq === 0; seq++) {
    const body = raw.subarray(seq * RAW_PIECE, (seq + 1) * RAW_PIECE);
    await store.apply([{ op: 'put', table: 'mailRaw', row: { identity, seq, body } }]);
  }
}

/** The raw bytes of a mail. */
export async function readRaw(reader: Reader, identity: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let seq = 0; ; seq++) {
    const row = await reader.get('mailRaw', { identity, seq });
    if (row === undefined) break;
    pieces.push(row.body);
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

/** By what the mails of one thread are found. */
export function threadKey(store: Store, accountId: string, threadId: string): string {
  return store.lookupKey(`thread\0${accountId}\0${threadId}`);
}

function messageKey(store: Store, accountId: string, messageId: string): string {
  return messageId === '' ? '' : store.lookupKey(`message\0${accountId}\0${messageId}`);
}

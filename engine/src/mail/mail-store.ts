import { EngineError } from '../base/error.ts';
import { addToIndex, removeFromIndex } from '../search/search.ts';
import type { Change, ChangeOf, Reader, Row, Store } from '../store/store.ts';
import type { MailContent, MailSummary } from './mail.ts';
import type { Triage } from './triage.ts';
import { bodyOf } from '../store/damaged-row.ts';

/**
 * Most bytes of raw MIME in one row, so that no commit blocks the event loop for long. A mail with an attachment of 256 KB is one piece, and
 * so one commit.
 */
export const RAW_PIECE = 384 * 1024;
/** Most bytes in one row of an earlier version. */
const EARLIER_PIECE = 256 * 1024;

/** A reply that was sent to a mail. */
export interface SentReply {
  /** ISO 8601. */
  readonly at: string;
  /** Who wrote it: a person, a director, or an agent. */
  readonly by: 'user' | 'director' | 'agent';
  readonly director?: { readonly id: string; readonly name: string };
  readonly agent?: { readonly id: string; readonly name: string };
  readonly runId?: string;
  /** What was written, without signature and quoted mail; at most 20,000 characters. */
  readonly text: string;
  readonly accountId: string;
  readonly messageId: string;
}

/** A stored mail: its summary and what the engine knows beyond the message itself. */
export interface StoredMail {
  readonly summary: MailSummary;
  /** The provider's id; for folders the SHA-256 of the raw bytes. */
  readonly providerId: string;
  readonly size: number;
  /** Directors that the filters chose, or the reason why there is none. */
  readonly routing: { readonly directors: readonly string[]; readonly note: string };
  /** Id of an earlier mail with the same Message-ID. */
  readonly duplicateOf?: string;
  /** What a parse limit left out, in plain words. */
  readonly notes: readonly string[];
  /** ISO 8601; when the mail was found missing from its account. Absent while it is there. */
  readonly removedAt?: string;
  /** Oldest first; absent where none was sent. */
  readonly replies?: readonly SentReply[];
  /** To-dos in the lists of accounts that a sent reply closes. */
  readonly awaitingReply?: readonly AwaitingTodo[];
  /** What the user did with it. Absent in mail of earlier versions, which counts as read. */
  readonly triage?: Triage;
}

/** A to-do in the list of a Google or Microsoft account. */
export interface AwaitingTodo {
  readonly accountId: string;
  readonly id: string;
}

/** The lookup key of a mail's identity. A keyed hash, since ids and addresses are mail content. */
export function identityKey(store: Store, accountId: string, providerId: string): string {
  return store.lookupKey(`identity\0${accountId}\0${providerId}`);
}

/** A mail to insert; `summary` and `content` are JSON as `MailParser` returned them. */
export interface NewMail extends Omit<StoredMail, 'summary'> {
  readonly id: string;
  readonly accountId: string;
  readonly messageId: string;
  readonly threadId: string;
  readonly identity: string;
  readonly summary: string;
  readonly content: string;
}

/** The changes that insert a mail, without its raw bytes, which are stored under `identity`. */
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
    addToIndex('mail', id, true),
  ];
}

/** The change that updates a stored mail; `STORE_CONFLICT` where another process changed it in between. */
export function changeMail(row: Row<'mail'>, mail: StoredMail): Change {
  return {
    op: 'update',
    table: 'mail',
    key: { id: row.id },
    set: { routed: mail.routing.directors.length > 0 ? 1 : 0, body: JSON.stringify(mail), rev: row.rev + 1 },
    expect: { state: 'kept', rev: row.rev },
  };
}

/** Attempts to change a mail while other processes change it. */
const MAX_CONFLICTS = 5;

/**
 * Changes a stored mail, and computes the change again where another process changed it in between. `edit` returns the
 * same mail where nothing is to be changed. False where there is no such mail.
 */
export async function editMail(store: Store, id: string, edit: (mail: StoredMail) => StoredMail): Promise<boolean> {
  for (let conflicts = 0; ; conflicts++) {
    const row = await readMailRow(store, id);
    if (row === undefined) return false;
    const mail = mailOf(row);
    const next = edit(mail);
    if (next === mail) return true;
    try {
      await store.apply([changeMail(row, next)]);
      return true;
    } catch (error) {
      const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
      if (!isConflict || conflicts >= MAX_CONFLICTS) throw error;
    }
  }
}

/** The changes that delete a mail for good but keep its identity, so that the source does not ingest it again. */
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
    ...removeFromIndex('mail', row.id),
  ];
}

/** The row of a mail, or undefined where there is none or it was deleted. */
export async function readMailRow(reader: Reader, id: string): Promise<Row<'mail'> | undefined> {
  const row = await reader.get('mail', { id });
  return row?.state === 'kept' ? row : undefined;
}

/**
 * The row of the mail with this identity, also of a deleted one (see `state`); undefined where none was ever ingested.
 */
export async function findByIdentity(reader: Reader, identity: string): Promise<Row<'mail'> | undefined> {
  const [row] = await reader.list('mail', { where: [['identity', '=', identity]], limit: 1 });
  return row;
}

/** The stored mail of a row. */
export function mailOf(row: Row<'mail'>): StoredMail {
  return bodyOf<StoredMail>('mail', row);
}

/** Headers, text and HTML of a mail. */
export async function readContent(reader: Reader, mailId: string): Promise<MailContent> {
  const row = await reader.get('mailContent', { mail: mailId });
  return row === undefined
    ? { headers: [], text: '', html: '', bodyText: '' }
    : bodyOf<MailContent>('mailContent', row);
}

/** The id of a mail of this account with this Message-ID, or undefined. A mail without a Message-ID never matches. */
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

/** Whether a mail with this Message-ID is stored on a thread (a `threadKey`). A mail without a Message-ID never is. */
export async function isOnThread(store: Store, thread: string, accountId: string, messageId: string): Promise<boolean> {
  if (messageId === '') return false;
  const rows = await store.list('mail', {
    where: [
      ['messageKey', '=', messageKey(store, accountId, messageId)],
      ['threadKey', '=', thread],
      ['state', '=', 'kept'],
    ],
    limit: 1,
    bodies: false,
  });
  return rows.length > 0;
}

/**
 * The changes that store raw bytes in pieces, as lists for one commit each. The last one ends the bytes: a process that stored pieces of
 * another size was perhaps killed before it had stored the mail, and what it left must not follow them.
 */
export function rawChanges(identity: string, raw: Uint8Array): Change[][] {
  const count = Math.max(1, Math.ceil(raw.length / RAW_PIECE));
  return Array.from({ length: count }, (_, seq) => {
    const body = raw.subarray(seq * RAW_PIECE, (seq + 1) * RAW_PIECE);
    const put: Change = { op: 'put', table: 'mailRaw', row: { identity, seq, body } };
    const isEnd = raw.length > EARLIER_PIECE && seq === count - 1;
    return isEnd ? [put, { op: 'delete', table: 'mailRaw', where: { identity, seq: count } }] : [put];
  });
}

/** Stores raw bytes in pieces, each in a commit of its own. Idempotent. */
export async function storeRaw(store: Store, identity: string, raw: Uint8Array): Promise<void> {
  for (const changes of rawChanges(identity, raw)) await store.apply(changes);
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

/** The lookup key of a thread: all its mails have the same one. */
export function threadKey(store: Store, accountId: string, threadId: string): string {
  return store.lookupKey(`thread\0${accountId}\0${threadId}`);
}

function messageKey(store: Store, accountId: string, messageId: string): string {
  return messageId === '' ? '' : store.lookupKey(`message\0${accountId}\0${messageId}`);
}

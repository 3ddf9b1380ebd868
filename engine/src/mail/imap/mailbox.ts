import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { MailParser, MailSummary } from '../mail.ts';
import { mailEntry } from '../mail-match.ts';
import type { MailEntry, Mailbox, MailQuery } from '../mailbox.ts';
import {
  type ImapConnection,
  type ImapConnectionOptions,
  ImapConnections,
  type ImapRef,
  mailNotFound,
  parseRef,
  formatRef,
} from './mailbox-connection.ts';
import { MAX_FOUND, searchMailbox, searchThread } from './query.ts';
import { ImapSender, type ImapSmtpServer } from './send.ts';
import { verifySmtp } from './smtp.ts';

/** Options of `createImapMailbox`. */
export interface ImapMailboxOptions extends ImapConnectionOptions {
  /** The account's own address. */
  readonly email: string;
  readonly workers: MailParser;
  /** Undefined where the account cannot send. */
  readonly smtp: ImapSmtpServer | undefined;
}

/** Number of bytes from the start of a mail that a search entry is parsed from. */
const ENTRY_BYTES = 16 * 1024;

/** Largest number of mails with one Message-ID whose bytes are compared with an ingested mail. */
const MAX_COMPARED = 20;

/** One call of a mailbox method: its connection and its signal. */
interface Session {
  readonly connection: ImapConnection;
  readonly options: ImapMailboxOptions;
  readonly signal: AbortSignal | undefined;
}

/**
 * The mailbox of an `imap` account: IMAP for reading and saving, SMTP for sending. Labels are flags and keywords. For
 * sending see `ImapSender`.
 */
export function createImapMailbox(options: ImapMailboxOptions): Mailbox {
  const connections = new ImapConnections(options);
  const sender = new ImapSender(options, connections);
  const connect = <T>(signal: AbortSignal | undefined, work: (session: Session) => Promise<T>): Promise<T> =>
    connections.run({ signal }, (connection) => work({ connection, options, signal }));
  return {
    locate: (mail, { signal } = {}) => connect(signal, (session) => locate(session, mail)),
    async check({ signal } = {}) {
      if (options.smtp !== undefined) await verifySmtp(options.smtp, { signal });
    },
    search: (query, { limit, signal }) => connect(signal, (session) => search(session, query, limit)),
    read: (ref, { signal } = {}) => connect(signal, (session) => readMail(session, ref)),
    recent: (place, { since, limit, signal }) => connect(signal, (session) => recent(session, place, since, limit)),
    thread: (threadId, { signal } = {}) => connect(signal, (session) => readThread(session, threadId)),
    draft: (mail, { signal } = {}) => sender.draft(mail, { signal }),
    findDraft: (messageId, { signal } = {}) => sender.findDraft(messageId, { signal }),
    discardDraft: (messageId, { signal } = {}) => sender.discardDraft(messageId, { signal }),
    send: (mail, { signal, onSent } = {}) => sender.send(mail, { signal, onSent }),
    ...(options.smtp?.savesSent === false && {
      saveSent: (mail, { signal } = {}) => sender.saveSent(mail, { signal }),
    }),
    findSent: (messageId, { signal } = {}) => sender.findSent(messageId, { signal }),
    label: (ref, change, { signal } = {}) => connect(signal, (session) => label(session, ref, change)),
    archive: (ref, { signal } = {}) => connect(signal, (session) => archive(session, ref)),
    async signature({ signal } = {}) {
      signal?.throwIfAborted();
      return undefined;
    },
  };
}

async function locate(
  { connection, options }: Session,
  { providerId, messageId }: { readonly providerId: string; readonly messageId: string },
): Promise<string | undefined> {
  if (messageId === '') return undefined;
  const found: ImapRef[] = [];
  for (const path of await searchedMailboxes(connection, options.mailbox)) {
    const { uidValidity, uids } = await connection.findByMessageId(path, messageId);
    found.push(...uids.toReversed().map((uid) => ({ uidValidity, uid, path })));
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return formatRef(only);
  // Several mails have this Message-ID: the bytes tell which one was ingested.
  for (const { path, uid, uidValidity } of found.slice(0, MAX_COMPARED)) {
    if ((await connection.open(path)) !== uidValidity) continue;
    const mail = await connection.fetchOne(uid, { source: true });
    if (mail?.source !== undefined && sha256(mail.source) === providerId) return formatRef({ path, uid, uidValidity });
  }
  return undefined;
}

async function search(session: Session, query: MailQuery, limit: number): Promise<readonly MailEntry[]> {
  const { connection, options } = session;
  const found: MailEntry[] = [];
  for (const path of await searchedMailboxes(connection, options.mailbox)) {
    const uidValidity = await connection.open(path);
    const uids = await searchMailbox(connection, query);
    found.push(...(await listMails(session, { uidValidity, path }, uids.slice(-Math.min(limit, MAX_FOUND)))));
  }
  return found.sort((a, b) => (a.date < b.date ? 1 : -1)).slice(0, limit);
}

async function readMail(
  session: Session,
  ref: string,
): Promise<{ readonly mime: Uint8Array; readonly entry: MailEntry }> {
  const { connection } = session;
  const { uid, ...open } = await openRef(connection, ref, true);
  const found = await connection.fetchOne(uid, { source: true });
  const [entry] = await listMails(session, open, [uid]);
  if (found?.source === undefined || entry === undefined) throw mailNotFound(ref);
  return { mime: new Uint8Array(found.source), entry };
}

async function readThread(session: Session, threadId: string): Promise<readonly MailEntry[]> {
  const { connection, options } = session;
  const searched = await searchedMailboxes(connection, options.mailbox);
  const sent = await connection.findSpecial('\\Sent');
  const found: MailEntry[] = [];
  for (const path of new Set([...searched, ...(sent === undefined ? [] : [sent])])) {
    const uidValidity = await connection.open(path);
    found.push(...(await listMails(session, { uidValidity, path }, await searchThread(connection, threadId))));
  }
  // A mailbox with all mail has those of Sent as well.
  const known = new Set(found.filter(({ isSent }) => isSent).map(({ messageId }) => messageId));
  const isCopy = ({ isSent, messageId }: MailEntry) => isSent !== true && messageId !== '' && known.has(messageId);
  const mails = found.filter((mail) => !isCopy(mail));
  if (mails.length === 0) throw new EngineError('NOT_FOUND', 'the account has no such thread');
  return mails.sort((a, b) => (a.date < b.date ? -1 : 1));
}

async function recent(
  session: Session,
  place: 'sent' | 'drafts',
  since: string,
  limit: number,
): Promise<readonly MailEntry[]> {
  const { connection } = session;
  const path = await connection.findSpecial(place === 'sent' ? '\\Sent' : '\\Drafts');
  if (path === undefined) return [];
  const uidValidity = await connection.open(path);
  // SINCE compares days in the time zone of the server (RFC 9051 6.4.4).
  const day = new Date(Date.parse(since) - 86_400_000);
  const uids = [...(await connection.search({ deleted: false, since: day }))].sort((a, b) => a - b);
  const mails = await listMails(session, { uidValidity, path }, uids.slice(-Math.min(limit, MAX_FOUND)));
  return mails.sort((a, b) => (a.date < b.date ? 1 : -1));
}

async function label(
  { connection, options }: Session,
  ref: string,
  { add, remove }: Parameters<Mailbox['label']>[1],
): Promise<{ readonly labels: readonly string[] }> {
  for (const name of [...add, ...remove]) checkKeyword(name);
  const { uid } = await openRef(connection, ref, false);
  const { client } = connection;
  const range = String(uid);
  if (add.length > 0) await connection.request(client.messageFlagsAdd(range, [...add], { uid: true }));
  if (remove.length > 0) await connection.request(client.messageFlagsRemove(range, [...remove], { uid: true }));
  const found = await connection.fetchOne(uid, { flags: true });
  if (found === undefined) throw mailNotFound(ref);
  const labels = labelsOf(found.flags);
  const missing = add.filter((name) => !labels.some((one) => one.toLowerCase() === name.toLowerCase()));
  if (missing.length > 0)
    throw new EngineError(
      'ACCOUNT_FAILED',
      `account ${options.accountId}: the server does not store ${missing.join(', ')}`,
      {
        hint: 'The server accepts only some keywords (PERMANENTFLAGS); \\Flagged works everywhere.',
      },
    );
  return { labels };
}

async function archive({ connection, options }: Session, ref: string): Promise<void> {
  const { path } = parseRef(ref);
  if (path.toLowerCase() !== options.mailbox.toLowerCase()) return;
  const target = await connection.ensureSpecial('\\Archive');
  const { uid } = await openRef(connection, ref, false);
  const moved = await connection.request(connection.client.messageMove(String(uid), target, { uid: true }));
  if (moved === false) throw mailNotFound(ref);
}

/** Entries of mails of the open mailbox. */
async function listMails(
  { connection, options, signal }: Session,
  { uidValidity, path }: { readonly uidValidity: string; readonly path: string },
  uids: readonly number[],
): Promise<MailEntry[]> {
  if (uids.length === 0) return [];
  const { accountId, email, workers } = options;
  const isSent = path === (await connection.findSpecial('\\Sent'));
  const query = { uid: true, flags: true, internalDate: true, threadId: true, source: { maxLength: ENTRY_BYTES } };
  const found = await connection.request(connection.client.fetchAll(uids.join(), query, { uid: true }));
  const mails: MailEntry[] = [];
  for (const { uid, source, flags, internalDate, threadId } of found) {
    if (source === undefined) continue;
    const parsed = await workers.parse(
      { kind: 'bytes', bytes: new Uint8Array(source) },
      {
        ...{ id: '', accountId, ownAddresses: [email], labels: labelsOf(flags), readsLabelHeaders: false },
        receivedAt: internalDate === undefined ? '' : new Date(internalDate).toISOString(),
        ...(threadId !== undefined && { threadId }),
      },
      { signal },
    );
    mails.push(mailEntry(formatRef({ uidValidity, uid, path }), JSON.parse(parsed.summary) as MailSummary, isSent));
  }
  return mails;
}

/** Mailboxes that a search covers: the one with all mail, where the server has it. */
async function searchedMailboxes(connection: ImapConnection, fetched: string): Promise<readonly string[]> {
  const all = await connection.findSpecial('\\All');
  if (all !== undefined) return [all];
  const others = [await connection.findSpecial('\\Archive'), await connection.findSpecial('\\Sent')];
  return [...new Set([fetched, ...others.filter((path) => path !== undefined)])];
}

/** Opens the mailbox of a `ref`. */
async function openRef(connection: ImapConnection, text: string, readOnly: boolean): Promise<ImapRef> {
  const ref = parseRef(text);
  const uidValidity = await connection.open(ref.path, { readOnly }).catch((error: unknown) => {
    if (error instanceof Error && Reflect.get(error, 'mailboxMissing') === true) throw mailNotFound(text);
    throw error;
  });
  if (uidValidity !== ref.uidValidity) throw mailNotFound(text);
  return { ...ref, uidValidity };
}

function labelsOf(flags: ReadonlySet<string> = new Set()): string[] {
  return [...flags].filter((flag) => flag !== '\\Recent');
}

/** RFC 9051 9: a keyword is an atom. */
function checkKeyword(name: string): void {
  if (/^\\(?:Seen|Flagged|Answered)$/i.test(name) || /^[!#$&'+,./0-9:;<=>?@A-Z^_`a-z|~-]{1,100}$/.test(name)) return;
  throw new EngineError('BAD_REQUEST', `${JSON.stringify(name)} cannot be a label of an IMAP account`, {
    hint: 'Use one word of ASCII letters and digits, or \\Flagged, \\Seen, \\Answered.',
  });
}

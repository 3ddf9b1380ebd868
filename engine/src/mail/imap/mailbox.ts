import type { SearchObject } from 'imapflow';
import { EngineError, errorBody } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import {
  type ImapRef,
  type ImapConnection,
  type ImapConnectionOptions,
  ImapConnections,
  notThere,
  readRef,
  refText,
} from './mailbox-connection.ts';
import type { MailParser, MailSummary } from '../mail.ts';
import type { MailAt, Mailbox, MailQuery, Outgoing } from '../mailbox.ts';
import { mailAt } from '../mail-match.ts';
import { sendSmtp, type SmtpServer, verifySmtp } from './smtp.ts';

export interface ImapMailboxOptions extends ImapConnectionOptions {
  /** The account's own address. */
  readonly email: string;
  readonly workers: MailParser;
  /** Undefined where the account cannot send. */
  readonly smtp: (SmtpServer & { readonly savesSent: boolean }) | undefined;
}

/** As much of a mail as a list looks at. */
const TASTE_BYTES = 16 * 1024;

/** Mails that one search looks at in each mailbox, at most, the newest first. */
const MAX_FOUND = 500;

/** Mails with one Message-ID that are compared with one that was fetched, at most. */
const MAX_SAME = 20;

/** Flags that every server knows (RFC 9051 2.3.2), by what `search` calls them. */
const FLAGS: Readonly<Record<string, SearchObject>> = {
  '\\seen': { seen: true },
  '\\flagged': { flagged: true },
  '\\answered': { answered: true },
};

/**
 * The mailbox of an `imap` account: IMAP to look and to keep, SMTP to send. Labels are flags and keywords. What is sent goes to
 * SMTP first and then into Sent; between the two only our own store knows that it is out (`onOut`), and SMTP cannot be asked: so
 * what is not in Sent may have been sent all the same, and `findSent` says so.
 */
export function createImapMailbox(options: ImapMailboxOptions): Mailbox {
  const sessions = new ImapConnections(options);
  const { accountId, email, workers, mailbox, smtp } = options;

  /** Mails of the open mailbox. */
  async function look(
    session: ImapConnection,
    { uidValidity, path }: { uidValidity: string; path: string },
    uids: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<MailAt[]> {
    if (uids.length === 0) return [];
    const query = { uid: true, flags: true, internalDate: true, threadId: true, source: { maxLength: TASTE_BYTES } };
    const found = await session.ask(session.client.fetchAll(uids.join(), query, { uid: true }));
    const mails: MailAt[] = [];
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
      mails.push(mailAt(refText({ uidValidity, uid, path }), JSON.parse(parsed.summary) as MailSummary));
    }
    return mails;
  }

  /** Mailboxes in which mail is looked for: all of it where the server has such a one. */
  async function places(session: ImapConnection): Promise<readonly string[]> {
    const all = await session.special('\\All');
    if (all !== undefined) return [all];
    const others = [await session.special('\\Archive'), await session.special('\\Sent')];
    return [...new Set([mailbox, ...others.filter((path) => path !== undefined)])];
  }

  async function append(session: ImapConnection, path: string, mail: Outgoing, flags: string[]): Promise<string> {
    const done = await session.ask(session.client.append(path, Buffer.from(mail.mime), flags));
    if (done === false)
      throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: the server did not take the mail into ${path}`);
    const { uid, uidValidity } = done;
    if (uid !== undefined && uidValidity !== undefined) return refText({ uidValidity: String(uidValidity), uid, path });
    // A server without UIDPLUS (RFC 4315) does not say where it has put it.
    const found = await session.byMessageId(path, mail.messageId);
    return refText({ uidValidity: found.uidValidity, uid: found.uids.at(-1) ?? 0, path });
  }

  async function find(session: ImapConnection, use: string, messageId: string): Promise<{ ref: string } | undefined> {
    const path = await session.special(use);
    if (path === undefined) return undefined;
    const { uidValidity, uids } = await session.byMessageId(path, messageId);
    const uid = uids.at(-1);
    return uid === undefined ? undefined : { ref: refText({ uidValidity, uid, path }) };
  }

  /** Puts what is out into Sent, unless it is there already. */
  async function keep(mail: Outgoing): Promise<{ readonly ref?: string; readonly lost?: string }> {
    try {
      return await sessions.with({}, async (session) => {
        // Gmail and others keep it themselves.
        if (session.client.capabilities.has('X-GM-EXT-1')) return {};
        const kept = await find(session, '\\Sent', mail.messageId);
        return kept ?? { ref: await append(session, await session.specialOrNew('\\Sent'), mail, ['\\Seen']) };
      });
    } catch (error) {
      return { lost: `it was sent, but is not in Sent: ${errorBody(error).message}` };
    }
  }

  /** Opens the mailbox that a `ref` is in. */
  async function openRef(session: ImapConnection, text: string, readOnly: boolean) {
    const ref = readRef(text);
    const uidValidity = await session.open(ref.path, { readOnly }).catch((error: unknown) => {
      if (error instanceof Error && Reflect.get(error, 'mailboxMissing') === true) throw notThere(text);
      throw error;
    });
    if (uidValidity !== ref.uidValidity) throw notThere(text);
    return { ...ref, uidValidity };
  }

  return {
    locate: ({ providerId, messageId }, { signal } = {}) =>
      sessions.with({ signal }, async (session) => {
        if (messageId === '') return undefined;
        const found: ImapRef[] = [];
        for (const path of await places(session)) {
          const { uidValidity, uids } = await session.byMessageId(path, messageId);
          found.push(...uids.toReversed().map((uid) => ({ uidValidity, uid, path })));
        }
        const [only] = found;
        if (only !== undefined && found.length === 1) return refText(only);
        // Others may have taken the same id: the bytes say which one was fetched.
        for (const { path, uid, uidValidity } of found.slice(0, MAX_SAME)) {
          if ((await session.open(path)) !== uidValidity) continue;
          const mail = await session.one(uid, { source: true });
          if (mail?.source !== undefined && sha256(mail.source) === providerId)
            return refText({ path, uid, uidValidity });
        }
        return undefined;
      }),
    async check({ signal } = {}) {
      if (smtp !== undefined) await verifySmtp(smtp, { signal });
    },
    search: (query, { limit, signal }) =>
      sessions.with({ signal }, async (session) => {
        const found: MailAt[] = [];
        for (const path of await places(session)) {
          const uidValidity = await session.open(path);
          const uids = await searchOpen(session, query);
          found.push(...(await look(session, { uidValidity, path }, uids.slice(-Math.min(limit, MAX_FOUND)), signal)));
        }
        return found.sort((a, b) => (a.date < b.date ? 1 : -1)).slice(0, limit);
      }),
    read: (ref, { signal } = {}) =>
      sessions.with({ signal }, async (session) => {
        const { uid, ...place } = await openRef(session, ref, true);
        const found = await session.one(uid, { source: true });
        const [at] = await look(session, place, [uid], signal);
        if (found?.source === undefined || at === undefined) throw notThere(ref);
        return { mime: new Uint8Array(found.source), at };
      }),
    thread: (threadId, { signal } = {}) =>
      sessions.with({ signal }, async (session) => {
        const mails: MailAt[] = [];
        for (const path of await places(session)) {
          const uidValidity = await session.open(path);
          mails.push(...(await look(session, { uidValidity, path }, await threadOf(session, threadId), signal)));
        }
        if (mails.length === 0) throw new EngineError('NOT_FOUND', 'there is no such thread in this account');
        return mails.sort((a, b) => (a.date < b.date ? -1 : 1));
      }),
    draft: (mail, { signal } = {}) =>
      sessions.with({ signal }, async (session) => ({
        ref: await append(session, await session.specialOrNew('\\Drafts'), mail, ['\\Draft', '\\Seen']),
      })),
    findDraft: (messageId, { signal } = {}) =>
      sessions.with({ signal }, (session) => find(session, '\\Drafts', messageId)),
    async send(mail, { signal, onOut } = {}) {
      signal?.throwIfAborted();
      if (smtp === undefined) throw cannotSend(accountId);
      const { note } = await sendSmtp(smtp, mail, { signal });
      let unwritten: { readonly error: unknown } | undefined;
      await onOut?.().catch((error: unknown) => (unwritten = { error }));
      // What could not be written down is kept all the same: in Sent it is found again.
      const { ref, lost } = smtp.savesSent ? {} : await keep(mail);
      if (unwritten !== undefined) throw unwritten.error;
      const notes = [note, lost].filter((one) => one !== undefined);
      return { ...(ref !== undefined && { ref }), ...(notes.length > 0 && { note: notes.join('; ') }) };
    },
    async findSent(messageId, { signal } = {}) {
      const found = await sessions.with({ signal }, (session) => find(session, '\\Sent', messageId));
      if (found !== undefined) return found;
      const what = `account ${accountId}: it is not in Sent, and SMTP cannot be asked`;
      const hint = 'Ask the recipient, or look into the log of the mail server.';
      throw new EngineError('TOOL_OUTCOME_UNKNOWN', what, { hint });
    },
    label: (ref, { add, remove }, { signal } = {}) =>
      sessions.with({ signal }, async (session) => {
        for (const label of [...add, ...remove]) checkKeyword(label);
        const { uid } = await openRef(session, ref, false);
        const { client } = session;
        const range = String(uid);
        if (add.length > 0) await session.ask(client.messageFlagsAdd(range, [...add], { uid: true }));
        if (remove.length > 0) await session.ask(client.messageFlagsRemove(range, [...remove], { uid: true }));
        const found = await session.one(uid, { flags: true });
        if (found === undefined) throw notThere(ref);
        const labels = labelsOf(found.flags);
        const missing = add.filter((label) => !labels.some((one) => one.toLowerCase() === label.toLowerCase()));
        if (missing.length > 0)
          throw new EngineError(
            'ACCOUNT_FAILED',
            `account ${accountId}: the server does not keep ${missing.join(', ')}`,
            {
              hint: 'It knows only some keywords (PERMANENTFLAGS); \\Flagged works everywhere.',
            },
          );
        return { labels };
      }),
    archive: (ref, { signal } = {}) =>
      sessions.with({ signal }, async (session) => {
        const { path } = readRef(ref);
        if (path.toLowerCase() !== mailbox.toLowerCase()) return;
        const archive = await session.specialOrNew('\\Archive');
        const { uid } = await openRef(session, ref, false);
        const moved = await session.ask(session.client.messageMove(String(uid), archive, { uid: true }));
        if (moved === false) throw notThere(ref);
      }),
    async signature({ signal } = {}) {
      signal?.throwIfAborted();
      return undefined;
    },
  };
}

/** UIDs in the open mailbox that a query is about, ascending. */
async function searchOpen(session: ImapConnection, query: MailQuery): Promise<readonly number[]> {
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
  let uids = await session.search(first);
  // A question holds one text: each further word is a question of its own.
  for (const more of words) {
    if (uids.length === 0) break;
    const also = new Set(await session.search({ text: more }));
    uids = uids.filter((uid) => also.has(uid));
  }
  return [...uids].sort((a, b) => a - b);
}

/** By the server's own id of a thread, or by the Message-ID that began it. */
async function threadOf(session: ImapConnection, threadId: string): Promise<readonly number[]> {
  if (!threadId.startsWith('<')) return (await session.search({ threadId })).slice(-MAX_FOUND);
  const names = ['message-id', 'references', 'in-reply-to'];
  const found = new Set<number>();
  for (const name of names) for (const uid of await session.search({ header: { [name]: threadId } })) found.add(uid);
  return [...found].sort((a, b) => a - b).slice(-MAX_FOUND);
}

function labelsOf(flags: ReadonlySet<string> = new Set()): string[] {
  return [...flags].filter((flag) => flag !== '\\Recent');
}

/** RFC 9051 9: a keyword is an atom. */
function checkKeyword(label: string): void {
  if (/^\\(?:Seen|Flagged|Answered)$/i.test(label) || /^[!#$&'+,./0-9:;<=>?@A-Z^_`a-z|~-]{1,100}$/.test(label)) return;
  throw new EngineError('BAD_REQUEST', `${JSON.stringify(label)} cannot be a label of an IMAP account`, {
    hint: 'one word of ASCII letters and digits, or \\Flagged, \\Seen, \\Answered',
  });
}

function cannotSend(accountId: string): EngineError {
  return new EngineError('ACCOUNT_FAILED', `account ${accountId} has no server that sends`, {
    hint: 'Add `smtp: { host: smtp.example.org }` to the account.',
  });
}

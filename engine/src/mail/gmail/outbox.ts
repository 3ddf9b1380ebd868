import { Readable } from 'node:stream';
import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { scopesFor } from '../../provider/scopes.ts';
import { headerOf } from './at.ts';
import type { GmailClient, How } from './client.ts';
import { gmailProblem, isNotFound } from './error.ts';
import { UNITS } from './pace.ts';
import { bareMessageId } from './query.ts';
import type { MailSummary } from '../mail.ts';
import type { Outgoing, SendOptions } from '../mailbox.ts';
import type { MailRoom } from '../room.ts';

/** Where a mail's Message-ID stands a second time: Gmail gives what it sends one of its own, and lets other headers be. */
export const MARK = 'X-Callsheet-Message-ID';

/** How many of the newest are looked through, one by one, where a search by Message-ID finds nothing. */
const LOOK_BACK = { sent: 30, drafts: 15 };

const AT_ONCE = 5;

/** Gmail refuses larger requests of JSON, from some MB on, and takes up to 35 MB where mail is uploaded. */
const MOST_IN_JSON = 1024 * 1024;

const READ = scopesFor('gmail', ['read']);
const COMPOSE = scopesFor('gmail', ['draft', 'send']);

interface Draft {
  readonly draftId: string;
  /** Id of the mail in it. */
  readonly ref: string;
}

/**
 * What goes out of a Gmail account. Gmail has no key by which it would know a request again, and gives what is sent through its
 * API a Message-ID of its own, so a mail is put into Drafts first and sent from there: Gmail takes a draft away as it sends it,
 * and has none to send twice. It is found again by its Message-ID, as long as that stands, and by a header of ours with the
 * same value. So an attempt that follows a lost answer sends the draft of the one before it, or finds that it is out.
 *
 * What remains: between Gmail's taking a draft away and showing the mail in Sent (moments, as far as anybody says) neither is
 * there, and whoever looks exactly then will send again; so will they once a person has deleted what was sent, or where more
 * than 30 mails were sent since and the search by Message-ID does not know it. Where an attempt ends between the two steps and
 * nobody looks for what came of it, or Gmail does not list the draft yet, a draft is left over that was never sent.
 */
export class GmailOutbox {
  readonly #accountId: string;
  readonly #room: Pick<MailRoom, 'parse'>;
  readonly #client: GmailClient;
  /** Drafts of mails that an attempt did not get out, by Message-ID: what was looked for before the next one is not again. */
  readonly #left = new Map<string, Draft>();

  constructor(parts: { accountId: string; room: Pick<MailRoom, 'parse'>; client: GmailClient }) {
    this.#accountId = parts.accountId;
    this.#room = parts.room;
    this.#client = parts.client;
  }

  async draft(mail: Outgoing, { signal }: Abortable): Promise<{ readonly ref: string }> {
    const { ref } = await this.#make(mail, { signal });
    return { ref };
  }

  async findDraft(messageId: string, { signal }: Abortable): Promise<{ readonly ref: string } | undefined> {
    const found = await this.#drafted(messageId, { signal });
    return found && { ref: found.ref };
  }

  /** `MAIL_REFUSED` where Gmail does not take it; then its draft goes too. */
  async send(mail: Outgoing, { signal, onOut }: SendOptions): Promise<{ readonly ref?: string }> {
    const draft = this.#left.get(mail.messageId) ?? (await this.#make(mail, { signal }));
    this.#left.set(mail.messageId, draft);
    const requestBody = { id: draft.draftId };
    let sent: gmail_v1.Schema$Message;
    try {
      sent = await this.#client.ask(
        {
          ...{ units: UNITS.send, scopes: COMPOSE, thing: 'draft of it', isOnce: true },
          send: (api, how) => api.users.drafts.send({ userId: 'me', requestBody }, how),
        },
        { signal },
      );
    } catch (error) {
      if (!isNotFound(error)) {
        const cause = this.#refused(error);
        if (cause !== error) await this.#discard(mail.messageId, draft, { signal });
        throw cause;
      }
      // Somebody has sent it in between, or deleted it.
      this.#left.delete(mail.messageId);
      const found = await this.findSent(mail.messageId, { signal });
      if (found === undefined) throw this.#vanished(error);
      return found;
    }
    this.#left.delete(mail.messageId);
    await onOut?.();
    return sent.id ? { ref: sent.id } : {};
  }

  async findSent(messageId: string, { signal }: Abortable): Promise<{ readonly ref?: string } | undefined> {
    // What still lies in Drafts was not sent.
    const draft = await this.#drafted(messageId, { signal });
    if (draft !== undefined) this.#left.set(messageId, draft);
    else this.#left.delete(messageId);
    if (draft !== undefined) return undefined;
    const known = await this.#list({ q: `rfc822msgid:${bareMessageId(messageId)}` }, 5, { signal });
    const newest = await this.#list({}, LOOK_BACK.sent, { signal });
    const ref = await this.#marked([...new Set([...known, ...newest])], messageId, { signal });
    return ref === undefined ? undefined : { ref };
  }

  async #make(mail: Outgoing, { signal }: Abortable): Promise<Draft> {
    const mime = Buffer.concat([await this.#prefix(mail, { signal }), mail.mime]);
    const make = (threadId: string | undefined) =>
      this.#client.ask(
        {
          ...{ units: UNITS.makeDraft, scopes: COMPOSE, isOnce: true, isWhole: true, thing: 'such thread' },
          send: (api, how) => api.users.drafts.create({ userId: 'me', ...contentOf(mime, threadId) }, how),
        },
        { signal },
      );
    try {
      const draft = await make(mail.threadId).catch((error: unknown) => {
        // The thread is gone: the answer begins one of its own.
        if (mail.threadId === undefined || !isNotFound(error)) throw error;
        return make(undefined);
      });
      if (draft.id) return { draftId: draft.id, ref: draft.message?.id ?? '' };
    } catch (error) {
      throw this.#refused(error);
    }
    throw new EngineError('ACCOUNT_FAILED', `account ${this.#accountId}: Gmail made a draft and did not say which`, {
      retryable: true,
    });
  }

  /** Header lines that the mail lacks: our mark, and those recipients that its own headers do not name. */
  async #prefix({ mime, messageId, to }: Outgoing, { signal }: Abortable): Promise<Uint8Array> {
    const end = Buffer.from(mime.buffer, mime.byteOffset, mime.byteLength).indexOf('\r\n\r\n');
    const head = mime.slice(0, end === -1 ? mime.byteLength : end + 4);
    const about = { id: '', accountId: this.#accountId, ownAddresses: [], receivedAt: '', labels: [] };
    const parsed = await this.#room.parse(
      { kind: 'bytes', bytes: head },
      { ...about, readsLabelHeaders: false },
      { signal },
    );
    const summary = JSON.parse(parsed.summary) as MailSummary;
    const named = new Set([...summary.to, ...summary.cc, ...summary.bcc].map(({ address }) => address.toLowerCase()));
    const blind = to.filter((address) => !named.has(address.toLowerCase()));
    // Gmail takes this header off before anybody else sees it.
    const lines = [`${MARK}: ${messageId}`, ...(blind.length === 0 ? [] : [`Bcc: ${blind.join(',\r\n ')}`])];
    return new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(''));
  }

  /** The draft with that Message-ID. */
  async #drafted(messageId: string, { signal }: Abortable): Promise<Draft | undefined> {
    const list = async (q?: string) => {
      const params = { userId: 'me', maxResults: LOOK_BACK.drafts, ...(q !== undefined && { q }) };
      const { drafts = [] } = await this.#client.ask(
        { units: UNITS.listDrafts, scopes: READ, send: (api, how) => api.users.drafts.list(params, how) },
        { signal },
      );
      return drafts.flatMap(({ id, message }) => (id && message?.id ? [{ draftId: id, ref: message.id }] : []));
    };
    // What was made this moment may be listed before it can be searched for.
    const drafts = [...(await list(`rfc822msgid:${bareMessageId(messageId)}`)), ...(await list())];
    const refs = [...new Set(drafts.map(({ ref }) => ref))];
    const found = await this.#marked(refs, messageId, { signal });
    return drafts.find(({ ref }) => ref === found);
  }

  async #list(params: { q?: string }, maxResults: number, { signal }: Abortable): Promise<readonly string[]> {
    const { messages = [] } = await this.#client.ask(
      {
        ...{ units: UNITS.list, scopes: READ },
        send: (api, how) => api.users.messages.list({ ...params, userId: 'me', labelIds: ['SENT'], maxResults }, how),
      },
      { signal },
    );
    return messages.flatMap(({ id }) => id ?? []);
  }

  /** The first of some mails whose Message-ID, or whose mark, it is. */
  async #marked(ids: readonly string[], messageId: string, { signal }: Abortable): Promise<string | undefined> {
    for (let n = 0; n < ids.length; n += AT_ONCE) {
      const some = ids.slice(n, n + AT_ONCE);
      const isIt = await Promise.all(some.map((id) => this.#isMarked(id, messageId, { signal })));
      const found = some.find((_id, i) => isIt[i]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #isMarked(id: string, messageId: string, { signal }: Abortable): Promise<boolean> {
    const params = { userId: 'me', id, format: 'metadata', metadataHeaders: ['Message-ID', MARK] };
    try {
      const message = await this.#client.ask(
        {
          units: UNITS.get,
          scopes: READ,
          thing: `mail ${id}`,
          send: (api, how) => api.users.messages.get(params, how),
        },
        { signal },
      );
      return [headerOf(message, 'Message-ID'), headerOf(message, MARK)].includes(messageId);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** What cannot be sent is nobody's draft. It does no harm where that does not work. */
  async #discard(messageId: string, { draftId }: Draft, { signal }: Abortable): Promise<void> {
    this.#left.delete(messageId);
    const send = (api: gmail_v1.Gmail, how: How) => api.users.drafts.delete({ userId: 'me', id: draftId }, how);
    await this.#client.ask({ units: UNITS.makeDraft, scopes: COMPOSE, send }, { signal }).catch(() => {});
  }

  /** What Gmail does not take as a mail was sent to nobody. */
  #refused(error: unknown): unknown {
    const problem = gmailProblem(error);
    const isMail = problem?.status === 413 || (problem?.status === 400 && !/mail service/i.test(problem.message));
    if (!isMail) return error;
    const said = problem.message || problem.reason || `HTTP ${problem.status}`;
    return new EngineError('MAIL_REFUSED', `account ${this.#accountId}: Gmail does not take this mail (${said})`, {
      hint: 'Check the addresses, and that it has no more than 25 MB.',
      cause: error,
    });
  }

  #vanished(cause: unknown): EngineError {
    return new EngineError(
      'ACCOUNT_FAILED',
      `account ${this.#accountId}: the draft was gone when it was to be sent, and is not among what was sent`,
      { hint: 'It is tried again.', retryable: true, cause },
    );
  }
}

/**
 * What a draft is made of. A stream can be read once, so each attempt has its own.
 * https://developers.google.com/workspace/gmail/api/guides/uploads
 */
function contentOf(mime: Buffer, threadId: string | undefined): gmail_v1.Params$Resource$Users$Drafts$Create {
  const thread = threadId === undefined ? {} : { threadId };
  if (mime.byteLength <= MOST_IN_JSON)
    return { requestBody: { message: { ...thread, raw: mime.toString('base64url') } } };
  return {
    requestBody: { message: thread },
    media: { mimeType: 'message/rfc822', body: Readable.from([mime]) },
  };
}

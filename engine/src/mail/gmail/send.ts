import { Readable } from 'node:stream';
import type { gmail_v1 } from '@googleapis/gmail';
import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { googleProblem, isThrottled } from '../../account/google/google-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { GmailClient, GmailCallOptions } from './client.ts';
import { isNotFound } from './error.ts';
import { type GmailDraft, SentLookup, MESSAGE_ID_HEADER } from './find-by-message-id.ts';
import { UNITS } from './quota.ts';
import type { MailParser, MailSummary } from '../mail.ts';
import type { Outgoing, SendOptions } from '../mailbox.ts';
import { isUnreachable, asNotSent } from '../not-sent.ts';

/** After such waits it is looked for again where it is neither a draft nor in Sent, or where the answer to sending was lost. */
const LOOK_AFTER_MS = [0, 5000, 10_000];

/** Gmail refuses larger requests of JSON, from some MB on, and takes up to 35 MB where mail is uploaded. */
const MOST_IN_JSON = 1024 * 1024;

const COMPOSE = scopesFor('gmail', ['draft', 'send']);

/**
 * What goes out of a Gmail account. Gmail has no key by which it would know a request again, and gives what is sent through its
 * API a Message-ID of its own, so a mail is put into Drafts first and sent from there: Gmail takes a draft away as it sends it,
 * and has none to send twice. It is found again by its Message-ID, as long as that stands, and by a header of ours with the
 * same value. So an attempt that follows a lost answer sends the draft of the one before it, or finds that it is out.
 *
 * Between Gmail's taking a draft away and showing the mail in Sent neither is there, for moments as far as anybody says: so it
 * is looked for again for a while, and of a draft that this process had made and that is gone nobody claims to know.
 *
 * What remains: another process that sees neither for all that while will send again; so it will once a person has deleted what
 * was sent, or where more than 30 mails were sent since and the search by Message-ID does not know it. Where an attempt ends
 * between the two steps and nobody looks for what came of it, or Gmail does not list the draft yet, a draft is left over that
 * was never sent.
 */
export class GmailSender {
  readonly #accountId: string;
  readonly #workers: MailParser;
  readonly #client: GmailClient;
  readonly #clock: Clock;
  readonly #sentLookup: SentLookup;
  /** Drafts of mails that an attempt did not get out, by Message-ID: what was looked for before the next one is not again. */
  readonly #left = new Map<string, GmailDraft>();

  constructor(parts: { accountId: string; workers: MailParser; client: GmailClient; clock: Clock }) {
    this.#accountId = parts.accountId;
    this.#workers = parts.workers;
    this.#client = parts.client;
    this.#clock = parts.clock;
    this.#sentLookup = new SentLookup(parts.client);
  }

  async draft(mail: Outgoing, { signal }: Abortable): Promise<{ readonly ref: string }> {
    const { ref } = await this.#make(mail, { signal });
    return { ref };
  }

  async findDraft(messageId: string, { signal }: Abortable): Promise<{ readonly ref: string } | undefined> {
    const found = await this.#sentLookup.draft(messageId, { signal });
    return found && { ref: found.ref };
  }

  /** `MAIL_REFUSED` where Gmail does not take it; then its draft goes too. `MAIL_NOT_SENT` where there is no draft to send yet. */
  async send(mail: Outgoing, { signal, onSent }: SendOptions): Promise<{ readonly ref?: string }> {
    const { messageId } = mail;
    const draft = this.#left.get(messageId) ?? (await this.#prepare(mail, { signal }));
    this.#left.set(messageId, draft);
    const requestBody = { id: draft.draftId };
    let sent: gmail_v1.Schema$Message;
    try {
      sent = await this.#client.request(
        {
          ...{ units: UNITS.send, scopes: COMPOSE, resource: 'draft of it', isOnce: true },
          send: (api, how) => api.users.drafts.send({ userId: 'me', requestBody }, how),
        },
        { signal },
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (!isNotFound(error)) {
        const cause = this.#refused(error);
        if (cause !== error) await this.#discard(messageId, draft, { signal });
        throw wasNotDone(cause) ? asNotSent(cause) : cause;
      }
      // Somebody has sent it in between, or deleted it.
      const ref = await this.#sentLookup.sent(messageId, { signal }).catch(() => undefined);
      if (ref === undefined) throw this.#vanished(error);
      this.#left.delete(messageId);
      return { ref };
    }
    this.#left.delete(messageId);
    await onSent?.();
    return sent.id ? { ref: sent.id } : {};
  }

  async findSent(messageId: string, { signal }: Abortable): Promise<{ readonly ref?: string } | undefined> {
    const wasMade = this.#left.has(messageId);
    let draft: GmailDraft | undefined;
    for (const ms of LOOK_AFTER_MS) {
      if (ms > 0) await sleep(ms, { signal, clock: this.#clock });
      draft = await this.#sentLookup.draft(messageId, { signal });
      // What still lies in Drafts was not sent; a request whose answer was lost may send it yet.
      if (draft !== undefined && !wasMade) break;
      if (draft !== undefined) continue;
      const ref = await this.#sentLookup.sent(messageId, { signal });
      if (ref === undefined) continue;
      this.#left.delete(messageId);
      return { ref };
    }
    if (draft !== undefined) this.#left.set(messageId, draft);
    else if (this.#left.delete(messageId)) throw this.#gone();
    return undefined;
  }

  /** A draft that can be sent. Whatever goes wrong on the way there, nothing was sent. */
  async #prepare(mail: Outgoing, { signal }: Abortable): Promise<GmailDraft> {
    try {
      return await this.#make(mail, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      // It may be there all the same: then the next attempt takes it.
      const made = await this.#sentLookup.draft(mail.messageId, { signal }).catch(() => undefined);
      if (made !== undefined) this.#left.set(mail.messageId, made);
      throw asNotSent(error);
    }
  }

  async #make(mail: Outgoing, { signal }: Abortable): Promise<GmailDraft> {
    const mime = Buffer.concat([await this.#prefix(mail, { signal }), mail.mime]);
    const make = (threadId: string | undefined) =>
      this.#client.request(
        {
          ...{ units: UNITS.makeDraft, scopes: COMPOSE, isOnce: true, isWholeMail: true, resource: 'such thread' },
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
    const parsed = await this.#workers.parse(
      { kind: 'bytes', bytes: head },
      { ...about, readsLabelHeaders: false },
      { signal },
    );
    const summary = JSON.parse(parsed.summary) as MailSummary;
    const named = new Set([...summary.to, ...summary.cc, ...summary.bcc].map(({ address }) => address.toLowerCase()));
    const blind = to.filter((address) => !named.has(address.toLowerCase()));
    // Gmail takes this header off before anybody else sees it.
    const lines = [
      `${MESSAGE_ID_HEADER}: ${messageId}`,
      ...(blind.length === 0 ? [] : [`Bcc: ${blind.join(',\r\n ')}`]),
    ];
    return new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(''));
  }

  /** What cannot be sent is nobody's draft. It does no harm where that does not work. */
  async #discard(messageId: string, { draftId }: GmailDraft, { signal }: Abortable): Promise<void> {
    this.#left.delete(messageId);
    const send = (api: gmail_v1.Gmail, how: GmailCallOptions) =>
      api.users.drafts.delete({ userId: 'me', id: draftId }, how);
    await this.#client.request({ units: UNITS.makeDraft, scopes: COMPOSE, send }, { signal }).catch(() => {});
  }

  /** What Gmail does not take as a mail was sent to nobody. */
  #refused(error: unknown): unknown {
    const problem = googleProblem(error);
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
      { retryable: true, cause },
    );
  }

  #gone(): EngineError {
    return new EngineError(
      'TOOL_OUTCOME_UNKNOWN',
      `account ${this.#accountId}: the draft of it is gone from Gmail, and it is not in Sent`,
      { hint: 'Look into Sent and Bin: it was sent a moment ago, or somebody has thrown the draft away.' },
    );
  }
}

/** Whether Gmail has not done it: it was asked too often, or was not there to be asked. */
function wasNotDone(error: unknown): boolean {
  const problem = googleProblem(error);
  return problem !== undefined && (isThrottled(problem) || isUnreachable(problem.reason));
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

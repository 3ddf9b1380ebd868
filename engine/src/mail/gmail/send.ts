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

/**
 * Delays before each search for a mail that is neither a draft nor in Sent, or whose send request lost its response.
 */
const SEARCH_DELAYS_MS = [0, 5000, 10_000];

/** Gmail refuses JSON requests above some MB, and takes up to 35 MB as an upload. */
const MAX_JSON_BYTES = 1024 * 1024;

const COMPOSE = scopesFor('gmail', ['draft', 'send']);

/**
 * Drafts and sending of a `gmail` account. Gmail has no idempotency key, and gives mail sent through its API a
 * Message-ID of its own. So a mail is saved as a draft first and sent from there: Gmail removes a draft when it sends
 * it, so that it cannot send it twice. A later attempt finds the mail by its Message-ID, where that is unchanged, and
 * by `MESSAGE_ID_HEADER` with the same value. After a lost response it sends the draft of the attempt before, or finds
 * that the mail was sent.
 *
 * Between removing the draft and showing the mail in Sent, Gmail shows neither, for moments according to reports. So
 * the search is repeated for a while; where a draft of this process is gone and the mail is not in Sent, the outcome is
 * reported as unknown.
 *
 * Remaining gaps: another process that sees neither for all that time sends again. So it does where a person deleted
 * the sent mail, or where more than 30 mails were sent since and the search by Message-ID does not find it. Where an
 * attempt ends between the two steps and nobody checks its outcome, or Gmail does not list the draft yet, a draft stays
 * that was never sent.
 */
export class GmailSender {
  readonly #accountId: string;
  readonly #workers: MailParser;
  readonly #client: GmailClient;
  readonly #clock: Clock;
  readonly #sentLookup: SentLookup;
  /**
   * Drafts of attempts that did not end in a sent mail, by Message-ID: the next attempt does not search for them again.
   */
  readonly #pendingDrafts = new Map<string, GmailDraft>();

  constructor(deps: { accountId: string; workers: MailParser; client: GmailClient; clock: Clock }) {
    this.#accountId = deps.accountId;
    this.#workers = deps.workers;
    this.#client = deps.client;
    this.#clock = deps.clock;
    this.#sentLookup = new SentLookup(deps.client);
  }

  async draft(mail: Outgoing, { signal }: Abortable): Promise<{ readonly ref: string }> {
    const { ref } = await this.#createDraft(mail, { signal });
    return { ref };
  }

  async findDraft(messageId: string, { signal }: Abortable): Promise<{ readonly ref: string } | undefined> {
    const found = await this.#sentLookup.draft(messageId, { signal });
    return found && { ref: found.ref };
  }

  async discardDraft(messageId: string, { signal }: Abortable): Promise<void> {
    const draft = await this.#sentLookup.draft(messageId, { signal });
    if (draft !== undefined) await this.#deleteDraft(messageId, draft, { signal });
  }

  /**
   * `MAIL_REFUSED` where Gmail refuses the mail; then its draft is deleted. `MAIL_NOT_SENT` where no draft could be
   * saved.
   */
  async send(mail: Outgoing, { signal, onSent }: SendOptions): Promise<{ readonly ref?: string }> {
    const { messageId } = mail;
    const draft = this.#pendingDrafts.get(messageId) ?? (await this.#prepare(mail, { signal }));
    this.#pendingDrafts.set(messageId, draft);
    const requestBody = { id: draft.draftId };
    let sent: gmail_v1.Schema$Message;
    try {
      sent = await this.#client.request(
        {
          ...{ units: UNITS.send, scopes: COMPOSE, resource: 'draft of this mail', isOnce: true },
          send: (api, options) => api.users.drafts.send({ userId: 'me', requestBody }, options),
        },
        { signal },
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (!isNotFound(error)) {
        const cause = this.#asRefusal(error);
        if (cause !== error) await this.#deleteDraft(messageId, draft, { signal });
        throw wasNotDone(cause) ? asNotSent(cause) : cause;
      }
      // Another attempt sent the draft in between, or a person deleted it.
      const ref = await this.#sentLookup.sent(messageId, { signal }).catch(() => undefined);
      if (ref === undefined) throw this.#draftGone(error);
      this.#pendingDrafts.delete(messageId);
      return { ref };
    }
    this.#pendingDrafts.delete(messageId);
    await onSent?.();
    return sent.id ? { ref: sent.id } : {};
  }

  async findSent(messageId: string, { signal }: Abortable): Promise<{ readonly ref?: string } | undefined> {
    const wasMade = this.#pendingDrafts.has(messageId);
    let draft: GmailDraft | undefined;
    for (const ms of SEARCH_DELAYS_MS) {
      if (ms > 0) await sleep(ms, { signal, clock: this.#clock });
      draft = await this.#sentLookup.draft(messageId, { signal });
      // A mail in Drafts was not sent; a request with a lost response may still send it.
      if (draft !== undefined && !wasMade) break;
      if (draft !== undefined) continue;
      const ref = await this.#sentLookup.sent(messageId, { signal });
      if (ref === undefined) continue;
      this.#pendingDrafts.delete(messageId);
      return { ref };
    }
    if (draft !== undefined) this.#pendingDrafts.set(messageId, draft);
    else if (this.#pendingDrafts.delete(messageId)) throw this.#outcomeUnknown();
    return undefined;
  }

  /** A draft to send. Any error of this step means that nothing was sent. */
  async #prepare(mail: Outgoing, { signal }: Abortable): Promise<GmailDraft> {
    try {
      return await this.#createDraft(mail, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      // The draft may exist although the request failed: then the next attempt uses it.
      const made = await this.#sentLookup.draft(mail.messageId, { signal }).catch(() => undefined);
      if (made !== undefined) this.#pendingDrafts.set(mail.messageId, made);
      throw asNotSent(error);
    }
  }

  async #createDraft(mail: Outgoing, { signal }: Abortable): Promise<GmailDraft> {
    const mime = Buffer.concat([await this.#extraHeaders(mail, { signal }), mail.mime]);
    const create = (threadId: string | undefined) =>
      this.#client.request(
        {
          ...{ units: UNITS.makeDraft, scopes: COMPOSE, isOnce: true, isWholeMail: true, resource: 'such thread' },
          send: (api, options) => api.users.drafts.create({ userId: 'me', ...contentOf(mime, threadId) }, options),
        },
        { signal },
      );
    try {
      const draft = await create(mail.threadId).catch((error: unknown) => {
        // The thread is gone: the reply starts a thread of its own.
        if (mail.threadId === undefined || !isNotFound(error)) throw error;
        return create(undefined);
      });
      if (draft.id) return { draftId: draft.id, ref: draft.message?.id ?? '' };
    } catch (error) {
      throw this.#asRefusal(error);
    }
    throw new EngineError(
      'ACCOUNT_FAILED',
      `account ${this.#accountId}: Gmail created a draft and did not return its id`,
      {
        retryable: true,
      },
    );
  }

  /** Header lines to add: `MESSAGE_ID_HEADER`, and Bcc for recipients that the headers do not name. */
  async #extraHeaders({ mime, messageId, to }: Outgoing, { signal }: Abortable): Promise<Uint8Array> {
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
    // Gmail removes the Bcc header before it sends the mail.
    const lines = [
      `${MESSAGE_ID_HEADER}: ${messageId}`,
      ...(blind.length === 0 ? [] : [`Bcc: ${blind.join(',\r\n ')}`]),
    ];
    return new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(''));
  }

  /** Deletes the draft of a refused mail. A failure of this is harmless. */
  async #deleteDraft(messageId: string, { draftId }: GmailDraft, { signal }: Abortable): Promise<void> {
    this.#pendingDrafts.delete(messageId);
    const send = (api: gmail_v1.Gmail, options: GmailCallOptions) =>
      api.users.drafts.delete({ userId: 'me', id: draftId }, options);
    await this.#client.request({ units: UNITS.makeDraft, scopes: COMPOSE, send }, { signal }).catch(() => {});
  }

  /** `MAIL_REFUSED` for a problem of the mail, after which nothing was sent; other errors pass unchanged. */
  #asRefusal(error: unknown): unknown {
    const problem = googleProblem(error);
    const isMail = problem?.status === 413 || (problem?.status === 400 && !/mail service/i.test(problem.message));
    if (!isMail) return error;
    const detail = problem.message || problem.reason || `HTTP ${problem.status}`;
    return new EngineError('MAIL_REFUSED', `account ${this.#accountId}: Gmail does not accept this mail (${detail})`, {
      hint: 'Check the addresses, and that the mail has at most 25 MB.',
      cause: error,
    });
  }

  #draftGone(cause: unknown): EngineError {
    return new EngineError(
      'ACCOUNT_FAILED',
      `account ${this.#accountId}: the draft was gone before it was sent, and the mail is not in Sent`,
      { retryable: true, cause },
    );
  }

  #outcomeUnknown(): EngineError {
    return new EngineError(
      'TOOL_OUTCOME_UNKNOWN',
      `account ${this.#accountId}: the draft of the mail is gone from Gmail, and the mail is not in Sent`,
      { hint: 'Check Sent and Bin: the mail was sent a moment ago, or a person deleted the draft.' },
    );
  }
}

/** Whether Gmail did nothing: it throttled the request, or was not reached. */
function wasNotDone(error: unknown): boolean {
  const problem = googleProblem(error);
  return problem !== undefined && (isThrottled(problem) || isUnreachable(problem.reason));
}

/**
 * The content of a draft. A stream can be read once, so each attempt creates its own.
 * https://developers.google.com/workspace/gmail/api/guides/uploads
 */
function contentOf(mime: Buffer, threadId: string | undefined): gmail_v1.Params$Resource$Users$Drafts$Create {
  const thread = threadId === undefined ? {} : { threadId };
  if (mime.byteLength <= MAX_JSON_BYTES)
    return { requestBody: { message: { ...thread, raw: mime.toString('base64url') } } };
  return {
    requestBody: { message: thread },
    media: { mimeType: 'message/rfc822', body: Readable.from([mime]) },
  };
}

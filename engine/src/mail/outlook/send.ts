import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import type { Graph } from '../../account/microsoft/graph.ts';
import { problemOf } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { Outgoing } from '../mailbox.ts';
import { isUnreachable, asNotSent } from '../not-sent.ts';
import { OutlookDrafts } from './drafts.ts';
import { type GraphMessage, messagePath, textOf } from './message.ts';

const SEND = scopesFor('outlook', ['send']);

/**
 * Delays before each search for a sent mail: Graph sends an accepted mail a little later, and its copy appears in Sent
 * Items later still.
 */
const SEARCH_DELAYS_MS = [0, 5000, 10_000];

/** Location of a mail with the Message-ID of Callsheet. */
type SearchResult =
  | { readonly is: 'nowhere' }
  | { readonly is: 'out'; readonly ref?: string }
  | { readonly is: 'draft'; readonly draft: GraphMessage };

/**
 * Drafts and sending of an `outlook` account. A mail is saved as a draft and sent from there, not by `sendMail`: the
 * Message-ID of a draft can be set (Graph, "Update message"), and stays the same when it is sent. So a later attempt
 * finds the mail of a failed one, as a draft or sent. The copy in Sent Items has another id than the draft, in spite of
 * Graph's page on immutable ids (https://github.com/microsoftgraph/microsoft-graph-docs/issues/1533).
 */
export class OutlookSender {
  readonly #graph: Graph;
  readonly #clock: Clock;
  readonly #drafts: OutlookDrafts;

  constructor(graph: Graph, clock: Clock) {
    this.#graph = graph;
    this.#clock = clock;
    this.#drafts = new OutlookDrafts(graph, clock);
  }

  async draft(mail: Outgoing, options: Abortable): Promise<{ readonly ref: string }> {
    const draft = await this.#drafts.create(mail, options);
    await this.#drafts.complete(draft, mail, options);
    return { ref: textOf(draft, 'id') };
  }

  async findDraft(messageId: string, options: Abortable): Promise<{ readonly ref: string } | undefined> {
    const draft = await this.#drafts.find(messageId, options);
    return draft === undefined ? undefined : { ref: textOf(draft, 'id') };
  }

  discardDraft(messageId: string, options: Abortable): Promise<void> {
    return this.#drafts.discard(messageId, options);
  }

  async send(mail: Outgoing, { signal }: Abortable): Promise<{ readonly ref?: string }> {
    const { messageId } = mail;
    const ready = await this.#prepare(mail, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw asRefusal(error) ?? asNotSent(error);
    });
    if (ready.is === 'out') return refOf(ready);
    try {
      const path = `${messagePath(textOf(ready.draft, 'id'))}/send`;
      await this.#graph.json({ method: 'POST', path, scopes: SEND, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const refusal = asRefusal(error);
      // An earlier attempt may have sent it in between.
      const isGone = error instanceof EngineError && error.code === 'NOT_FOUND';
      const now = isGone || refusal !== undefined ? await this.#locate(messageId, { signal }) : undefined;
      if (now?.is === 'out') return refOf(now);
      throw refusal ?? (wasNotDone(error) ? asNotSent(error) : error);
    }
    // The mail was sent, even if this search fails.
    const now = await this.#locate(messageId, { signal }).catch(() => undefined);
    return now?.is === 'out' ? refOf(now) : {};
  }

  async findSent(messageId: string, { signal }: Abortable): Promise<{ readonly ref?: string } | undefined> {
    for (const ms of SEARCH_DELAYS_MS) {
      if (ms > 0) await sleep(ms, { signal, clock: this.#clock });
      const now = await this.#locate(messageId, { signal });
      if (now.is === 'out') return refOf(now);
    }
    return undefined;
  }

  /** Returns a draft to send: the one of a failed attempt, else a new one. Or the mail, where it was sent already. */
  async #prepare(mail: Outgoing, options: Abortable): Promise<Exclude<SearchResult, { is: 'nowhere' }>> {
    const { messageId } = mail;
    const now = await this.#locate(messageId, options);
    if (now.is === 'out') return now;
    const draft = now.is === 'draft' ? now.draft : await this.#drafts.create(mail, options);
    const ready = await this.#drafts.complete(draft, mail, options);
    if (textOf(ready, 'internetMessageId') === messageId) return { is: 'draft', draft };
    throw new EngineError('MAIL_REFUSED', 'Microsoft changed the Message-ID of a mail, so the mail was not sent', {
      hint: 'After a lost connection it would be unknown whether the mail was sent. It is in Drafts: send it by hand.',
    });
  }

  async #locate(messageId: string, options: Abortable): Promise<SearchResult> {
    const items = await this.#drafts.withMessageId('/me', messageId, options);
    // In any folder, also as received mail where the sender wrote to their own address.
    const out = items.find((item) => item['isDraft'] === false);
    if (out !== undefined) return { is: 'out', ref: textOf(out, 'id') };
    if (items.length === 0) return { is: 'nowhere' };
    const draft = await this.#drafts.find(messageId, options);
    if (draft !== undefined) return { is: 'draft', draft };
    // A draft that is no longer in Drafts is being sent, unless somebody deleted it.
    const deleted = await this.#drafts.withMessageId('/me/mailFolders/deleteditems', messageId, options);
    const isDeleted = (item: GraphMessage) => deleted.some((other) => textOf(other, 'id') === textOf(item, 'id'));
    return items.every(isDeleted) ? { is: 'nowhere' } : { is: 'out' };
  }
}

function refOf({ ref }: { readonly ref?: string }): { readonly ref?: string } {
  return ref === undefined ? {} : { ref };
}

/** Error code of Exchange: the mailbox may not send as the address in From. */
const SEND_AS_DENIED = 'ErrorSendAsDenied';

/** `MAIL_REFUSED` for a problem of the mail and not of the account; else undefined. */
function asRefusal(error: unknown): EngineError | undefined {
  const problem = problemOf(error);
  if (problem === undefined || !(error instanceof EngineError) || error.code === 'NOT_FOUND') return undefined;
  const { status, code } = problem;
  const isRefused = error.code === 'TOO_LARGE' || status === 400 || status === 422 || code === SEND_AS_DENIED;
  return isRefused ? new EngineError('MAIL_REFUSED', error.message, { hint: error.hint, cause: error }) : undefined;
}

/** Whether Graph throttled the request, or was not reached. */
function wasNotDone(error: unknown): boolean {
  const problem = problemOf(error);
  return problem !== undefined && (problem.status === 429 || isUnreachable(problem.code));
}

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
 * What Graph has taken leaves a little later, and its copy comes into Sent Items later still. So it is looked for again after
 * such waits before anybody may say that it was not sent.
 */
const LOOK_AFTER_MS = [0, 5000, 10_000];

/** Where a mail with our Message-ID is. */
type Whereabouts =
  | { readonly is: 'nowhere' }
  | { readonly is: 'out'; readonly ref?: string }
  | { readonly is: 'draft'; readonly draft: GraphMessage };

/**
 * Drafts and sending. A mail goes out as a draft that is then sent, not by `sendMail`: a draft has our Message-ID for certain,
 * since that can be written as long as it is one (Graph, "Update message"), and keeps it when it is sent. So an attempt that
 * broke off is found again, in Drafts or out of it. The copy in Sent Items has another id than the draft, whatever Graph's page
 * on immutable ids says (https://github.com/microsoftgraph/microsoft-graph-docs/issues/1533).
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
    const draft = await this.#drafts.make(mail, options);
    await this.#drafts.complete(draft, mail, options);
    return { ref: textOf(draft, 'id') };
  }

  async findDraft(messageId: string, options: Abortable): Promise<{ readonly ref: string } | undefined> {
    const draft = await this.#drafts.find(messageId, options);
    return draft === undefined ? undefined : { ref: textOf(draft, 'id') };
  }

  async send(mail: Outgoing, { signal }: Abortable): Promise<{ readonly ref?: string }> {
    const { messageId } = mail;
    const ready = await this.#prepare(mail, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw refused(error) ?? asNotSent(error);
    });
    if (ready.is === 'out') return refOf(ready);
    try {
      const path = `${messagePath(textOf(ready.draft, 'id'))}/send`;
      await this.#graph.json({ method: 'POST', path, scopes: SEND, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const refusal = refused(error);
      // An earlier attempt may have sent it in between.
      const isGone = error instanceof EngineError && error.code === 'NOT_FOUND';
      const now = isGone || refusal !== undefined ? await this.#locate(messageId, { signal }) : undefined;
      if (now?.is === 'out') return refOf(now);
      throw refusal ?? (wasNotDone(error) ? asNotSent(error) : error);
    }
    // It is out, whatever can be said of it yet.
    const now = await this.#locate(messageId, { signal }).catch(() => undefined);
    return now?.is === 'out' ? refOf(now) : {};
  }

  async findSent(messageId: string, { signal }: Abortable): Promise<{ readonly ref?: string } | undefined> {
    for (const ms of LOOK_AFTER_MS) {
      if (ms > 0) await sleep(ms, { signal, clock: this.#clock });
      const now = await this.#locate(messageId, { signal });
      if (now.is === 'out') return refOf(now);
    }
    return undefined;
  }

  /** A draft that can be sent: the one that an attempt has left which broke off, else a new one. Or what is out already. */
  async #prepare(mail: Outgoing, options: Abortable): Promise<Exclude<Whereabouts, { is: 'nowhere' }>> {
    const { messageId } = mail;
    const now = await this.#locate(messageId, options);
    if (now.is === 'out') return now;
    const draft = now.is === 'draft' ? now.draft : await this.#drafts.make(mail, options);
    const ready = await this.#drafts.complete(draft, mail, options);
    if (textOf(ready, 'internetMessageId') === messageId) return { is: 'draft', draft };
    throw new EngineError('MAIL_REFUSED', 'Microsoft did not keep the Message-ID of a mail, so it was not sent', {
      hint: 'After a broken connection nobody could find out whether it is out. It lies in Drafts: send it by hand.',
    });
  }

  async #locate(messageId: string, options: Abortable): Promise<Whereabouts> {
    const items = await this.#drafts.withMessageId('/me', messageId, options);
    // Wherever it lies by now, also as it arrived where somebody wrote to himself.
    const out = items.find((item) => item['isDraft'] === false);
    if (out !== undefined) return { is: 'out', ref: textOf(out, 'id') };
    if (items.length === 0) return { is: 'nowhere' };
    const draft = await this.#drafts.find(messageId, options);
    if (draft !== undefined) return { is: 'draft', draft };
    // What is a draft and lies in Drafts no more is on its way, unless somebody has thrown it away.
    const thrown = await this.#drafts.withMessageId('/me/mailFolders/deleteditems', messageId, options);
    const isThrown = (item: GraphMessage) => thrown.some((other) => textOf(other, 'id') === textOf(item, 'id'));
    return items.every(isThrown) ? { is: 'nowhere' } : { is: 'out' };
  }
}

function refOf({ ref }: { readonly ref?: string }): { readonly ref?: string } {
  return ref === undefined ? {} : { ref };
}

/** Exchange does not let the mailbox send as the address in From. */
const DENIED = 'ErrorSendAsDenied';

/** What Exchange has against the mail, rather than against the account. */
function refused(error: unknown): EngineError | undefined {
  const problem = problemOf(error);
  if (problem === undefined || !(error instanceof EngineError) || error.code === 'NOT_FOUND') return undefined;
  const { status, code } = problem;
  const isRefused = error.code === 'TOO_LARGE' || status === 400 || status === 422 || code === DENIED;
  return isRefused ? new EngineError('MAIL_REFUSED', error.message, { hint: error.hint, cause: error }) : undefined;
}

/** Throttled, or nobody was there to be asked. */
function wasNotDone(error: unknown): boolean {
  const problem = problemOf(error);
  return problem !== undefined && (problem.status === 429 || isUnreachable(problem.code));
}

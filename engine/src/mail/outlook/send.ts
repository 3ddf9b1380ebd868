import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type Graph, odataText, withQuery } from '../../account/microsoft/graph.ts';
import { problemOf } from '../../account/microsoft/graph-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { SeparateFiles, Mailbox, Outgoing } from '../mailbox.ts';
import { isUnreached, notSent } from '../not-sent.ts';
import { addAttachments } from './attachments.ts';
import { addressesOf, type GraphMessage, textOf } from './message.ts';

const READ = scopesFor('outlook', ['read']);
const WRITE = scopesFor('outlook', ['draft']);
const SEND = scopesFor('outlook', ['send']);

const FIELDS = 'id,isDraft,internetMessageId,toRecipients,ccRecipients,bccRecipients';

/**
 * What Graph has taken leaves a little later, and its copy comes into Sent Items later still. So it is looked for again after
 * such waits before anybody may say that it was not sent.
 */
const LOOK_AFTER_MS = [0, 5000, 10_000];

/** Graph takes 4 MB in one request, and MIME goes there in base64. */
const MOST_IN_ONE_BYTES = 2.5 * 1024 * 1024;

/** So long somebody who gives up waits for a draft without its files to be thrown away. */
const TIDY_MS = 3000;

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
 *
 * A mail that is too large for one request becomes a draft without its files, to which they are added one by one. Until it has
 * all of them its Message-ID is another one, so nobody takes it for the mail: it is never sent, and the next attempt throws it
 * away. MIME is what it is made from all the same, since JSON takes no In-Reply-To and References ("internetMessageHeaders").
 */
export function outlookSender(graph: Graph, clock: Clock): Pick<Mailbox, 'draft' | 'findDraft' | 'send' | 'findSent'> {
  async function allWith(folder: string, messageId: string, { signal }: Abortable): Promise<readonly GraphMessage[]> {
    const $filter = `internetMessageId eq ${odataText(messageId)}`;
    const path = withQuery(`${folder}/messages`, { $select: FIELDS, $filter });
    return (await graph.page({ path, scopes: READ, signal })).items;
  }

  async function draftWith(messageId: string, options: Abortable): Promise<GraphMessage | undefined> {
    const items = await allWith('/me/mailFolders/drafts', messageId, options);
    return items.find((item) => item['isDraft'] !== false);
  }

  async function locate(messageId: string, options: Abortable): Promise<Whereabouts> {
    const items = await allWith('/me', messageId, options);
    // Wherever it lies by now, also as it arrived where somebody wrote to himself.
    const out = items.find((item) => item['isDraft'] === false);
    if (out !== undefined) return { is: 'out', ref: textOf(out, 'id') };
    if (items.length === 0) return { is: 'nowhere' };
    const draft = await draftWith(messageId, options);
    if (draft !== undefined) return { is: 'draft', draft };
    // What is a draft and lies in Drafts no more is on its way, unless somebody has thrown it away.
    const thrown = await allWith('/me/mailFolders/deleteditems', messageId, options);
    const isThrown = (item: GraphMessage) => thrown.some((other) => textOf(other, 'id') === textOf(item, 'id'));
    return items.every(isThrown) ? { is: 'nowhere' } : { is: 'out' };
  }

  async function makeDraft(mail: Outgoing, options: Abortable): Promise<GraphMessage> {
    const { mime, apart } = mail;
    if (apart === undefined || mime.byteLength <= MOST_IN_ONE_BYTES) return post(mime, options);
    return assemble(mail, apart, options);
  }

  async function post(mime: Uint8Array, { signal }: Abortable): Promise<GraphMessage> {
    const text = Buffer.from(mime).toString('base64');
    const draft = await graph.json({ method: 'POST', path: '/me/messages', text, scopes: WRITE, signal });
    if (textOf(draft, 'id') !== '') return draft;
    throw new EngineError('ACCOUNT_FAILED', 'Microsoft Graph has made a draft and does not name it', {
      retryable: true,
    });
  }

  /** A draft with all its files, and with our Message-ID by that. What it leaves on an error has another one. */
  async function assemble(
    mail: Outgoing,
    apart: (messageId: string) => Promise<SeparateFiles>,
    options: Abortable,
  ): Promise<GraphMessage> {
    const unfinished = { ...mail, messageId: `<unfinished.${mail.messageId.replace(/^</, '')}` };
    await discardAll(unfinished, options);
    const { mime, files } = await apart(unfinished.messageId);
    try {
      const draft = await post(mime, options);
      const begun = await complete(draft, unfinished, options);
      await addAttachments(graph, clock, pathOf(draft), files, options);
      return await complete(begun, mail, options);
    } catch (error) {
      await tidy(unfinished);
      throw error;
    }
  }

  async function discardAll({ messageId }: Outgoing, { signal }: Abortable): Promise<void> {
    for (const draft of await allWith('/me/mailFolders/drafts', messageId, { signal }))
      await graph.json({ method: 'DELETE', path: pathOf(draft), scopes: WRITE, signal }).catch((error: unknown) => {
        if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND') throw error;
      });
  }

  /** Where it does not work, the next attempt does it. */
  async function tidy(unfinished: Outgoing): Promise<void> {
    const limit = new AbortController();
    const stop = clock.delay(() => limit.abort(new Error('it takes too long')), TIDY_MS);
    await discardAll(unfinished, { signal: limit.signal })
      .catch(() => undefined)
      .finally(stop);
  }

  /** The draft with our Message-ID and all recipients: MIME names none in Bcc, and Exchange may choose an id of its own. */
  async function complete(draft: GraphMessage, mail: Outgoing, { signal }: Abortable): Promise<GraphMessage> {
    const { messageId } = mail;
    const bcc = addressesOf(draft['bccRecipients'] ?? []);
    const others = [draft['toRecipients'], draft['ccRecipients']].flatMap((list) => addressesOf(list ?? []));
    const known = new Set([...bcc, ...others].map(({ address }) => address.toLowerCase()));
    const missing = mail.to.filter((address) => !known.has(address.toLowerCase()));
    const body = {
      ...(textOf(draft, 'internetMessageId') !== messageId && { internetMessageId: messageId }),
      ...(missing.length > 0 && {
        bccRecipients: [...bcc.map(({ address }) => address), ...missing].map((address) => ({
          emailAddress: { address },
        })),
      }),
    };
    if (Object.keys(body).length === 0) return draft;
    return graph.json({ method: 'PATCH', path: pathOf(draft), body, scopes: WRITE, signal });
  }

  /** A draft that can be sent: the one that an attempt has left which broke off, else a new one. Or what is out already. */
  async function prepare(mail: Outgoing, options: Abortable): Promise<Exclude<Whereabouts, { is: 'nowhere' }>> {
    const { messageId } = mail;
    const now = await locate(messageId, options);
    if (now.is === 'out') return now;
    const draft = now.is === 'draft' ? now.draft : await makeDraft(mail, options);
    const ready = await complete(draft, mail, options);
    if (textOf(ready, 'internetMessageId') === messageId) return { is: 'draft', draft };
    throw new EngineError('MAIL_REFUSED', 'Microsoft did not keep the Message-ID of a mail, so it was not sent', {
      hint: 'After a broken connection nobody could find out whether it is out. It lies in Drafts: send it by hand.',
    });
  }

  return {
    async draft(mail, options = {}) {
      const draft = await makeDraft(mail, options);
      await complete(draft, mail, options);
      return { ref: textOf(draft, 'id') };
    },
    async findDraft(messageId, options = {}) {
      const draft = await draftWith(messageId, options);
      return draft === undefined ? undefined : { ref: textOf(draft, 'id') };
    },
    async send(mail, { signal } = {}) {
      const { messageId } = mail;
      const ready = await prepare(mail, { signal }).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw refused(error) ?? notSent(error);
      });
      if (ready.is === 'out') return refOf(ready);
      try {
        await graph.json({ method: 'POST', path: `${pathOf(ready.draft)}/send`, scopes: SEND, signal });
      } catch (error) {
        signal?.throwIfAborted();
        const refusal = refused(error);
        // An earlier attempt may have sent it in between.
        const isGone = error instanceof EngineError && error.code === 'NOT_FOUND';
        const now = isGone || refusal !== undefined ? await locate(messageId, { signal }) : undefined;
        if (now?.is === 'out') return refOf(now);
        throw refusal ?? (wasNotDone(error) ? notSent(error) : error);
      }
      // It is out, whatever can be said of it yet.
      const now = await locate(messageId, { signal }).catch(() => undefined);
      return now?.is === 'out' ? refOf(now) : {};
    },
    async findSent(messageId, { signal } = {}) {
      for (const ms of LOOK_AFTER_MS) {
        if (ms > 0) await sleep(ms, { signal, clock });
        const now = await locate(messageId, { signal });
        if (now.is === 'out') return refOf(now);
      }
      return undefined;
    },
  };
}

function refOf({ ref }: { readonly ref?: string }): { readonly ref?: string } {
  return ref === undefined ? {} : { ref };
}

function pathOf(item: GraphMessage): string {
  return `/me/messages/${encodeURIComponent(textOf(item, 'id'))}`;
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
  return problem !== undefined && (problem.status === 429 || isUnreached(problem.code));
}

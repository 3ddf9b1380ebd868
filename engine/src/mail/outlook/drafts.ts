import type { Abortable } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { type Graph, odataText, withQuery } from '../../account/microsoft/graph.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { Outgoing, SeparateFiles } from '../mailbox.ts';
import { addAttachments } from './attachments.ts';
import { addressesOf, type GraphMessage, messagePath, textOf } from './message.ts';

const READ = scopesFor('outlook', ['read']);
const WRITE = scopesFor('outlook', ['draft']);

const FIELDS = 'id,isDraft,internetMessageId,toRecipients,ccRecipients,bccRecipients';

/** Graph accepts 4 MB in one request, and MIME is sent as base64. */
const MAX_SINGLE_REQUEST_BYTES = 2.5 * 1024 * 1024;

/** How long a failed attempt may take to delete its unfinished draft. */
const DELETE_TIMEOUT_MS = 3000;

/**
 * The drafts of Callsheet in an Outlook mailbox.
 *
 * A mail that is too large for one request becomes a draft without its files, to which they are added one by one. Until
 * the draft has all of them it has another Message-ID, so no search finds it as the mail: it is never sent, and the
 * next attempt deletes it. It is created from MIME, since JSON does not accept In-Reply-To and References
 * ("internetMessageHeaders").
 */
export class OutlookDrafts {
  readonly #graph: Graph;
  readonly #clock: Clock;

  constructor(graph: Graph, clock: Clock) {
    this.#graph = graph;
    this.#clock = clock;
  }

  /** Messages with a Message-ID in a folder (`/me/mailFolders/…`), or in the whole mailbox (`/me`). */
  async withMessageId(folder: string, messageId: string, { signal }: Abortable): Promise<readonly GraphMessage[]> {
    const $filter = `internetMessageId eq ${odataText(messageId)}`;
    const path = withQuery(`${folder}/messages`, { $select: FIELDS, $filter });
    return (await this.#graph.page({ path, scopes: READ, signal })).items;
  }

  /** Finds the draft with this Message-ID. */
  async find(messageId: string, options: Abortable): Promise<GraphMessage | undefined> {
    const items = await this.withMessageId('/me/mailFolders/drafts', messageId, options);
    return items.find((item) => item['isDraft'] !== false);
  }

  /** Creates a draft with all files of the mail. */
  async create(mail: Outgoing, options: Abortable): Promise<GraphMessage> {
    const { mime, withoutFiles } = mail;
    if (withoutFiles === undefined || mime.byteLength <= MAX_SINGLE_REQUEST_BYTES) return this.#post(mime, options);
    return this.#assemble(mail, withoutFiles, options);
  }

  /** Sets the Message-ID and all recipients: MIME has no Bcc, and Exchange may choose a Message-ID of its own. */
  async complete(draft: GraphMessage, mail: Outgoing, { signal }: Abortable): Promise<GraphMessage> {
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
    return this.#graph.json({ method: 'PATCH', path: messagePath(textOf(draft, 'id')), body, scopes: WRITE, signal });
  }

  async #post(mime: Uint8Array, { signal }: Abortable): Promise<GraphMessage> {
    const text = Buffer.from(mime).toString('base64');
    const draft = await this.#graph.json({ method: 'POST', path: '/me/messages', text, scopes: WRITE, signal });
    if (textOf(draft, 'id') !== '') return draft;
    throw new EngineError('ACCOUNT_FAILED', 'Microsoft Graph created a draft and did not return its id', {
      retryable: true,
    });
  }

  /**
   * Creates a draft with all its files, and gives it the Message-ID of the mail last. After an error, the draft has
   * another Message-ID.
   */
  async #assemble(
    mail: Outgoing,
    apart: (messageId: string) => Promise<SeparateFiles>,
    options: Abortable,
  ): Promise<GraphMessage> {
    const unfinished = { ...mail, messageId: `<unfinished.${mail.messageId.replace(/^</, '')}` };
    await this.discard(unfinished.messageId, options);
    const { mime, files } = await apart(unfinished.messageId);
    try {
      const draft = await this.#post(mime, options);
      const named = await this.complete(draft, unfinished, options);
      await addAttachments(
        { graph: this.#graph, clock: this.#clock },
        messagePath(textOf(draft, 'id')),
        files,
        options,
      );
      return await this.complete(named, mail, options);
    } catch (error) {
      await this.#deleteUnfinished(unfinished);
      throw error;
    }
  }

  /** Deletes the drafts with this Message-ID. */
  async discard(messageId: string, { signal }: Abortable): Promise<void> {
    for (const draft of await this.withMessageId('/me/mailFolders/drafts', messageId, { signal }))
      await this.#graph
        .json({ method: 'DELETE', path: messagePath(textOf(draft, 'id')), scopes: WRITE, signal })
        .catch((error: unknown) => {
          if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND') throw error;
        });
  }

  /** Deletes the unfinished draft. Where this fails, the next attempt does it. */
  async #deleteUnfinished(unfinished: Outgoing): Promise<void> {
    const limit = new AbortController();
    const stop = this.#clock.delay(
      () => limit.abort(new Error('deleting an unfinished draft took too long')),
      DELETE_TIMEOUT_MS,
    );
    await this.discard(unfinished.messageId, { signal: limit.signal })
      .catch(() => undefined)
      .finally(stop);
  }
}

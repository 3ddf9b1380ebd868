import type { Abortable } from '../../base/abort.ts';
import { scopesFor } from '../../account/scopes.ts';
import { headerOf } from './message.ts';
import type { GmailClient } from './client.ts';
import { isNotFound } from './error.ts';
import { UNITS } from './quota.ts';
import { bareMessageId } from './query.ts';

/**
 * A second header with the Message-ID: Gmail gives sent mail a Message-ID of its own, and leaves other headers
 * unchanged.
 */
export const MESSAGE_ID_HEADER = 'X-Callsheet-Message-ID';

/** Newest mails that are checked one by one where the search by Message-ID finds nothing. */
const NEWEST_CHECKED = { sent: 30, drafts: 15 };

const AT_ONCE = 5;

const READ = scopesFor('gmail', ['read']);

/** A draft with the ids that Gmail gives. */
export interface GmailDraft {
  readonly draftId: string;
  /** Id of the mail in the draft. */
  readonly ref: string;
}

/** Finds drafts and sent mails of Callsheet by their Message-ID or by `MESSAGE_ID_HEADER`. */
export class SentLookup {
  readonly #client: GmailClient;

  constructor(client: GmailClient) {
    this.#client = client;
  }

  /** Finds the draft with this Message-ID. */
  async draft(messageId: string, { signal }: Abortable): Promise<GmailDraft | undefined> {
    const list = async (q?: string) => {
      const params = { userId: 'me', maxResults: NEWEST_CHECKED.drafts, ...(q !== undefined && { q }) };
      const { drafts = [] } = await this.#client.request(
        { units: UNITS.listDrafts, scopes: READ, send: (api, options) => api.users.drafts.list(params, options) },
        { signal },
      );
      return drafts.flatMap(({ id, message }) => (id && message?.id ? [{ draftId: id, ref: message.id }] : []));
    };
    // The listing has a new draft earlier than the search.
    const drafts = [...(await list(`rfc822msgid:${bareMessageId(messageId)}`)), ...(await list())];
    const refs = [...new Set(drafts.map(({ ref }) => ref))];
    const found = await this.#first(refs, messageId, { signal });
    return drafts.find(({ ref }) => ref === found);
  }

  /** Finds the mail in Sent with this Message-ID. */
  async sent(messageId: string, { signal }: Abortable): Promise<string | undefined> {
    const known = await this.#list({ q: `rfc822msgid:${bareMessageId(messageId)}` }, 5, { signal });
    const newest = await this.#list({}, NEWEST_CHECKED.sent, { signal });
    return this.#first([...new Set([...known, ...newest])], messageId, { signal });
  }

  async #list(params: { q?: string }, maxResults: number, { signal }: Abortable): Promise<readonly string[]> {
    const { messages = [] } = await this.#client.request(
      {
        ...{ units: UNITS.list, scopes: READ },
        send: (api, options) =>
          api.users.messages.list({ ...params, userId: 'me', labelIds: ['SENT'], maxResults }, options),
      },
      { signal },
    );
    return messages.flatMap(({ id }) => id ?? []);
  }

  /** The first of these mails that has the Message-ID in one of the two headers. */
  async #first(ids: readonly string[], messageId: string, { signal }: Abortable): Promise<string | undefined> {
    for (let n = 0; n < ids.length; n += AT_ONCE) {
      const batch = ids.slice(n, n + AT_ONCE);
      const matches = await Promise.all(batch.map((id) => this.#hasMessageId(id, messageId, { signal })));
      const found = batch.find((_id, i) => matches[i]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #hasMessageId(id: string, messageId: string, { signal }: Abortable): Promise<boolean> {
    const params = { userId: 'me', id, format: 'metadata', metadataHeaders: ['Message-ID', MESSAGE_ID_HEADER] };
    try {
      const message = await this.#client.request(
        {
          units: UNITS.get,
          scopes: READ,
          resource: `mail ${id}`,
          send: (api, options) => api.users.messages.get(params, options),
        },
        { signal },
      );
      return [headerOf(message, 'Message-ID'), headerOf(message, MESSAGE_ID_HEADER)].includes(messageId);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}

import type { Abortable } from '../../base/abort.ts';
import { scopesFor } from '../../account/scopes.ts';
import { headerOf } from './message.ts';
import type { GmailClient } from './client.ts';
import { isNotFound } from './error.ts';
import { UNITS } from './quota.ts';
import { bareMessageId } from './query.ts';

/** Where a mail's Message-ID stands a second time: Gmail gives what it sends one of its own, and lets other headers be. */
export const MESSAGE_ID_HEADER = 'X-Callsheet-Message-ID';

/** How many of the newest are looked through, one by one, where a search by Message-ID finds nothing. */
const LOOK_BACK = { sent: 30, drafts: 15 };

const AT_ONCE = 5;

const READ = scopesFor('gmail', ['read']);

/** A draft, as Gmail names it. */
export interface GmailDraft {
  readonly draftId: string;
  /** Id of the mail in it. */
  readonly ref: string;
}

/** Finds mails of ours again, by their Message-ID or by the mark that they carry. */
export class SentLookup {
  readonly #client: GmailClient;

  constructor(client: GmailClient) {
    this.#client = client;
  }

  /** The draft with that Message-ID. */
  async draft(messageId: string, { signal }: Abortable): Promise<GmailDraft | undefined> {
    const list = async (q?: string) => {
      const params = { userId: 'me', maxResults: LOOK_BACK.drafts, ...(q !== undefined && { q }) };
      const { drafts = [] } = await this.#client.request(
        { units: UNITS.listDrafts, scopes: READ, send: (api, how) => api.users.drafts.list(params, how) },
        { signal },
      );
      return drafts.flatMap(({ id, message }) => (id && message?.id ? [{ draftId: id, ref: message.id }] : []));
    };
    // What was made this moment may be listed before it can be searched for.
    const drafts = [...(await list(`rfc822msgid:${bareMessageId(messageId)}`)), ...(await list())];
    const refs = [...new Set(drafts.map(({ ref }) => ref))];
    const found = await this.#first(refs, messageId, { signal });
    return drafts.find(({ ref }) => ref === found);
  }

  /** The mail in Sent with that Message-ID. */
  async sent(messageId: string, { signal }: Abortable): Promise<string | undefined> {
    const known = await this.#list({ q: `rfc822msgid:${bareMessageId(messageId)}` }, 5, { signal });
    const newest = await this.#list({}, LOOK_BACK.sent, { signal });
    return this.#first([...new Set([...known, ...newest])], messageId, { signal });
  }

  async #list(params: { q?: string }, maxResults: number, { signal }: Abortable): Promise<readonly string[]> {
    const { messages = [] } = await this.#client.request(
      {
        ...{ units: UNITS.list, scopes: READ },
        send: (api, how) => api.users.messages.list({ ...params, userId: 'me', labelIds: ['SENT'], maxResults }, how),
      },
      { signal },
    );
    return messages.flatMap(({ id }) => id ?? []);
  }

  /** The first of some mails whose Message-ID, or whose mark, it is. */
  async #first(ids: readonly string[], messageId: string, { signal }: Abortable): Promise<string | undefined> {
    for (let n = 0; n < ids.length; n += AT_ONCE) {
      const some = ids.slice(n, n + AT_ONCE);
      const isIt = await Promise.all(some.map((id) => this.#isMarked(id, messageId, { signal })));
      const found = some.find((_id, i) => isIt[i]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async #isMarked(id: string, messageId: string, { signal }: Abortable): Promise<boolean> {
    const params = { userId: 'me', id, format: 'metadata', metadataHeaders: ['Message-ID', MESSAGE_ID_HEADER] };
    try {
      const message = await this.#client.request(
        {
          units: UNITS.get,
          scopes: READ,
          resource: `mail ${id}`,
          send: (api, how) => api.users.messages.get(params, how),
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

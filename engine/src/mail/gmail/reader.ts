import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { googleProblem } from '../../account/google/google-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { GmailClient, GmailRequest } from './client.ts';
import { isNotFound } from './error.ts';
import { UNITS } from './quota.ts';

/** Labels whose mails a listing leaves out by default. */
export const HIDDEN: readonly string[] = ['SPAM', 'TRASH'];

/** A page of mail ids, newest first. */
export interface GmailPage {
  readonly ids: readonly string[];
  /** Token of the next page; absent on the last one. */
  readonly next?: string;
}

/** Page size where the mails are read next, and where only ids are needed (Gmail's maximum). */
const PAGE = 50;
const ID_PAGE = 500;

/** The requests of the source, all with `isBackground`. Errors as in `GmailClient`. */
export class GmailReader {
  readonly #client: GmailClient;

  constructor(client: GmailClient) {
    this.#client = client;
  }

  /** One page of a label. Where Gmail no longer knows the token, the first page. */
  async page(labelId: string, token: string | undefined, { signal }: Abortable): Promise<GmailPage> {
    try {
      return await this.#page(labelId, token, PAGE, { signal });
    } catch (error) {
      if (token === undefined || googleProblem(error)?.status !== 400) throw error;
      return this.#page(labelId, undefined, PAGE, { signal });
    }
  }

  /** Ids of all mails of a label; without a label of all mails, including spam and trash. */
  async *ids(labelId: string | undefined, { signal }: Abortable): AsyncGenerator<readonly string[]> {
    for (let token: string | undefined; ;) {
      const { ids, next }: GmailPage = await this.#page(labelId, token, ID_PAGE, { signal });
      yield ids;
      if (next === undefined) return;
      token = next;
    }
  }

  /**
   * One mail with its labels, thread and time of arrival. `MAIL_UNSETTLED` where it is gone, `MAIL_UNREADABLE` where
   * Gmail fails to deliver its content at every try.
   */
  async message(id: string, format: 'raw' | 'minimal', { signal }: Abortable): Promise<gmail_v1.Schema$Message> {
    const fields = ['id', 'threadId', 'labelIds', 'internalDate', ...(format === 'raw' ? ['raw'] : [])].join();
    try {
      return await this.#request(
        {
          units: UNITS.get,
          resource: `mail ${id}`,
          isWholeMail: format === 'raw',
          send: (api, options) => api.users.messages.get({ userId: 'me', id, format, fields }, options),
        },
        { signal },
      );
    } catch (error) {
      if (isNotFound(error)) throw new EngineError('MAIL_UNSETTLED', `mail ${id} is gone`, { retryable: true });
      if (format === 'raw' && error instanceof EngineError && googleProblem(error)?.status === 500)
        throw new EngineError('MAIL_UNREADABLE', error.message, { hint: error.hint, cause: error });
      throw error;
    }
  }

  /** Ids of the current labels of a mail, or undefined where it is gone. */
  async labelIds(id: string, { signal }: Abortable): Promise<readonly string[] | undefined> {
    try {
      return (await this.message(id, 'minimal', { signal })).labelIds ?? [];
    } catch (error) {
      if (error instanceof EngineError && error.code === 'MAIL_UNSETTLED') return undefined;
      throw error;
    }
  }

  /** Number of mails with one of the labels; a mail with two of them counts twice. */
  async total(labelIds: readonly string[], { signal }: Abortable): Promise<number> {
    let total = 0;
    for (const id of labelIds) {
      const { messagesTotal } = await this.#request(
        { units: UNITS.labels, send: (api, options) => api.users.labels.get({ userId: 'me', id }, options) },
        { signal },
      );
      total += messagesTotal ?? 0;
    }
    return total;
  }

  /** The current history id of the mailbox. */
  async historyId({ signal }: Abortable): Promise<string> {
    try {
      const { historyId } = await this.#request(
        { units: UNITS.getProfile, send: (api, options) => api.users.getProfile({ userId: 'me' }, options) },
        { signal },
      );
      if (historyId) return historyId;
    } catch (error) {
      if (googleProblem(error)?.status !== 404) throw error;
    }
    // Emulators have no profile. The history id of the newest mail is close enough where the mailbox is in use.
    const { messages = [] } = await this.#request(
      { units: UNITS.list, send: (api, options) => api.users.messages.list({ userId: 'me', maxResults: 1 }, options) },
      { signal },
    );
    const id = messages[0]?.id;
    if (!id) return '1';
    const { historyId } = await this.#request(
      {
        units: UNITS.get,
        send: (api, options) => api.users.messages.get({ userId: 'me', id, format: 'minimal' }, options),
      },
      { signal },
    );
    return historyId ?? '1';
  }

  async #page(
    labelId: string | undefined,
    pageToken: string | undefined,
    maxResults: number,
    { signal }: Abortable,
  ): Promise<GmailPage> {
    const params = {
      ...{ userId: 'me', maxResults },
      ...(labelId !== undefined && { labelIds: [labelId] }),
      ...((labelId === undefined || HIDDEN.includes(labelId)) && { includeSpamTrash: true }),
      ...(pageToken !== undefined && { pageToken }),
    };
    const { messages = [], nextPageToken } = await this.#request(
      { units: UNITS.list, send: (api, options) => api.users.messages.list(params, options) },
      { signal },
    );
    return { ids: messages.flatMap(({ id }) => id ?? []), ...(nextPageToken && { next: nextPageToken }) };
  }

  #request<T>(request: Omit<GmailRequest<T>, 'scopes' | 'isBackground'>, { signal }: Abortable): Promise<T> {
    return this.#client.request({ ...request, scopes: scopesFor('gmail', ['read']), isBackground: true }, { signal });
  }
}

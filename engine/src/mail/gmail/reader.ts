import type { gmail_v1 } from '@googleapis/gmail';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { googleProblem } from '../../account/google/google-error.ts';
import { scopesFor } from '../../account/scopes.ts';
import type { GmailClient, GmailRequest } from './client.ts';
import { isNotFound } from './error.ts';
import { UNITS } from './quota.ts';

/** Labels whose mails Gmail keeps apart. */
export const HIDDEN: readonly string[] = ['SPAM', 'TRASH'];

/** Ids of mails, newest first. */
export interface GmailPage {
  readonly ids: readonly string[];
  /** The token of the page after it; absent on the last one. */
  readonly next?: string;
}

/** Mails that are listed at a time where they are read then, and where it is about their ids alone: Gmail gives no more. */
const PAGE = 50;
const ID_PAGE = 500;

/** What the source asks of Gmail, all of which can wait. Errors as in `GmailClient`. */
export class GmailReader {
  readonly #client: GmailClient;

  constructor(client: GmailClient) {
    this.#client = client;
  }

  /** A page of a label. One that Gmail does not know any more is the first one again. */
  async page(labelId: string, token: string | undefined, { signal }: Abortable): Promise<GmailPage> {
    try {
      return await this.#page(labelId, token, PAGE, { signal });
    } catch (error) {
      if (token === undefined || googleProblem(error)?.status !== 400) throw error;
      return this.#page(labelId, undefined, PAGE, { signal });
    }
  }

  /** Ids of all mails of a label; without one those of all mails, spam and trash included. */
  async *ids(labelId: string | undefined, { signal }: Abortable): AsyncGenerator<readonly string[]> {
    for (let token: string | undefined; ;) {
      const { ids, next }: GmailPage = await this.#page(labelId, token, ID_PAGE, { signal });
      yield ids;
      if (next === undefined) return;
      token = next;
    }
  }

  /**
   * One mail with its labels, thread and time of arrival. `MAIL_UNSETTLED` where it is gone, `MAIL_UNREADABLE` where Gmail fails
   * at its text however often it is asked.
   */
  async message(id: string, format: 'raw' | 'minimal', { signal }: Abortable): Promise<gmail_v1.Schema$Message> {
    const fields = ['id', 'threadId', 'labelIds', 'internalDate', ...(format === 'raw' ? ['raw'] : [])].join();
    try {
      return await this.#ask(
        {
          units: UNITS.get,
          resource: `mail ${id}`,
          isWholeMail: format === 'raw',
          send: (api, how) => api.users.messages.get({ userId: 'me', id, format, fields }, how),
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

  /** Ids of the labels that a mail has now, or undefined where it is gone. */
  async labelIds(id: string, { signal }: Abortable): Promise<readonly string[] | undefined> {
    try {
      return (await this.message(id, 'minimal', { signal })).labelIds ?? [];
    } catch (error) {
      if (error instanceof EngineError && error.code === 'MAIL_UNSETTLED') return undefined;
      throw error;
    }
  }

  /** Mails that have one of the labels; one that has two counts twice. */
  async total(labelIds: readonly string[], { signal }: Abortable): Promise<number> {
    let total = 0;
    for (const id of labelIds) {
      const { messagesTotal } = await this.#ask(
        { units: UNITS.labels, send: (api, how) => api.users.labels.get({ userId: 'me', id }, how) },
        { signal },
      );
      total += messagesTotal ?? 0;
    }
    return total;
  }

  /** Where the mailbox stands now. */
  async historyId({ signal }: Abortable): Promise<string> {
    try {
      const { historyId } = await this.#ask(
        { units: UNITS.getProfile, send: (api, how) => api.users.getProfile({ userId: 'me' }, how) },
        { signal },
      );
      if (historyId) return historyId;
    } catch (error) {
      if (googleProblem(error)?.status !== 404) throw error;
    }
    // Emulators lack it. The newest mail is as good where the mailbox is in use.
    const { messages = [] } = await this.#ask(
      { units: UNITS.list, send: (api, how) => api.users.messages.list({ userId: 'me', maxResults: 1 }, how) },
      { signal },
    );
    const id = messages[0]?.id;
    if (!id) return '1';
    const { historyId } = await this.#ask(
      { units: UNITS.get, send: (api, how) => api.users.messages.get({ userId: 'me', id, format: 'minimal' }, how) },
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
    const { messages = [], nextPageToken } = await this.#ask(
      { units: UNITS.list, send: (api, how) => api.users.messages.list(params, how) },
      { signal },
    );
    return { ids: messages.flatMap(({ id }) => id ?? []), ...(nextPageToken && { next: nextPageToken }) };
  }

  #ask<T>(request: Omit<GmailRequest<T>, 'scopes' | 'isBackground'>, { signal }: Abortable): Promise<T> {
    return this.#client.request({ ...request, scopes: scopesFor('gmail', ['read']), isBackground: true }, { signal });
  }
}

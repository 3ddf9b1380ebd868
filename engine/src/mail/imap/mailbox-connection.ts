import type { FetchMessageObject, FetchQueryObject, ImapFlow, ListResponse } from 'imapflow';
import { type Abortable, orAbort } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { connectOptions } from './connect-options.ts';
import { imapError, type ImapTarget } from './error.ts';
import { mergeByUid } from './reader.ts';

/** Options of the connections of a mailbox. */
export interface ImapConnectionOptions extends ImapTarget {
  /** Called for each connection. `ACCOUNT_FAILED` where there is no password. */
  readonly password: () => string;
}

/** Location of a mail on the server, valid until it is moved or the UIDs change. */
export interface ImapRef {
  readonly uidValidity: string;
  readonly uid: number;
  readonly path: string;
}

/** `<uidValidity>:<uid>:<mailbox>` */
export function formatRef({ uidValidity, uid, path }: ImapRef): string {
  return `${uidValidity}:${uid}:${path}`;
}

/** `NOT_FOUND` for an invalid ref. */
export function parseRef(text: string): ImapRef {
  const [, uidValidity = '', uid = '', path = ''] = /^(\d{1,20}):(\d{1,10}):(.{1,1000})$/s.exec(text) ?? [];
  if (path === '') throw mailNotFound(text);
  return { uidValidity, uid: Number(uid), path };
}

/** `NOT_FOUND`: the account does not have this mail, or not any more. */
export function mailNotFound(ref: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no mail ${JSON.stringify(ref.slice(0, 200))} in this account`, {
    hint: 'Search for the mail again: it may have been moved.',
  });
}

/**
 * Opens one connection per piece of work; those of an account run one after the other, since servers allow few
 * connections.
 */
export class ImapConnections {
  readonly #options: ImapConnectionOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ImapConnectionOptions) {
    this.#options = options;
  }

  /** Runs `work` on a connection of its own. `ACCOUNT_FAILED`; an `EngineError` of `work` passes unchanged. */
  async run<T>({ signal }: Abortable, work: (connection: ImapConnection) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const result = this.#last.then(() => this.#work(signal, work));
    this.#last = result.catch(() => {});
    return orAbort(result, signal);
  }

  async #work<T>(signal: AbortSignal | undefined, work: (connection: ImapConnection) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const pass = this.#options.password();
    const { ImapFlow } = await import('imapflow');
    signal?.throwIfAborted();
    const client = new ImapFlow({
      ...connectOptions(this.#options, pass),
      ...{ disableAutoIdle: true, maxLiteralSize: 80 * 1024 * 1024 },
    });
    // A pending request rejects by itself.
    client.on('error', () => {});
    try {
      await orAbort(client.connect(), signal);
      return await work(new ImapConnection(client, this.#options, signal));
    } catch (error) {
      signal?.throwIfAborted();
      throw imapError(error, this.#options);
    } finally {
      client.close();
    }
  }
}

/** An open connection. */
export class ImapConnection {
  readonly client: ImapFlow;
  readonly #options: ImapConnectionOptions;
  readonly #signal: AbortSignal | undefined;
  #mailboxes: readonly ListResponse[] | undefined;

  constructor(client: ImapFlow, options: ImapConnectionOptions, signal: AbortSignal | undefined) {
    this.client = client;
    this.#options = options;
    this.#signal = signal;
  }

  /** Returns the result of a request. Fails where the connection is closed: imapflow returns an empty result then. */
  async request<T>(work: Promise<T>): Promise<T> {
    const answer = await orAbort(work, this.#signal);
    if (this.client.usable) return answer;
    throw imapError(new Error('the server closed it'), this.#options);
  }

  /** Opens a mailbox; returns its UIDVALIDITY. */
  async open(path: string, { readOnly = true } = {}): Promise<string> {
    const { uidValidity } = await this.request(this.client.mailboxOpen(path, { readOnly }));
    return String(uidValidity);
  }

  /** The path of the mailbox with a special use (RFC 6154), such as `\Sent`; imapflow also recognises usual names. */
  async findSpecial(use: string): Promise<string | undefined> {
    this.#mailboxes ??= await this.request(this.client.list());
    return this.#mailboxes.find(({ specialUse, flags }) => specialUse === use && !flags.has('\\Noselect'))?.path;
  }

  /** As `findSpecial`; creates the mailbox where there is none. */
  async ensureSpecial(use: '\\Drafts' | '\\Sent' | '\\Archive'): Promise<string> {
    const found = (await this.findSpecial(use)) ?? (use === '\\Archive' ? await this.findSpecial('\\All') : undefined);
    if (found !== undefined) return found;
    const { path } = await this.request(this.client.mailboxCreate([use.slice(1)]));
    this.#mailboxes = undefined;
    return path;
  }

  /** UIDs in the open mailbox, ascending. */
  async search(query: Parameters<ImapFlow['search']>[0]): Promise<readonly number[]> {
    const uids = await this.request(this.client.search(query, { uid: true }));
    return Array.isArray(uids) ? uids : [];
  }

  /** Fetches data of one mail of the open mailbox; undefined where the mail does not exist. */
  async fetchOne(uid: number, query: FetchQueryObject): Promise<FetchMessageObject | undefined> {
    const responses = await this.request(this.client.fetchAll(String(uid), { ...query, uid: true }, { uid: true }));
    return mergeByUid(responses).get(uid);
  }

  /** UIDs of the mails of a mailbox with this Message-ID, ascending. */
  async findByMessageId(path: string, messageId: string): Promise<{ uidValidity: string; uids: readonly number[] }> {
    const uidValidity = await this.open(path);
    // Servers match parts of a header, so the fetched Message-ID is compared as a whole.
    const uids = await this.search({ header: { 'message-id': messageId } });
    if (uids.length === 0) return { uidValidity, uids };
    const found = await this.request(this.client.fetchAll(uids.join(), { uid: true, envelope: true }, { uid: true }));
    const own = found.filter(({ envelope }) => (envelope?.messageId ?? '').trim() === messageId).map(({ uid }) => uid);
    return { uidValidity, uids: own.sort((a, b) => a - b) };
  }
}

import type { FetchMessageObject, FetchQueryObject, ImapFlow, ListResponse } from 'imapflow';
import { type Abortable, orAbort } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { connectOptions } from './connect-options.ts';
import { imapError, type ImapTarget } from './error.ts';
import { mergeByUid } from './reader.ts';

export interface ImapConnectionOptions extends ImapTarget {
  /** Looked up at each connection. `ACCOUNT_FAILED` where it is not there. */
  readonly password: () => string;
}

/** Where a mail lies on the server, as long as it is not moved and the UIDs stay. */
export interface ImapRef {
  readonly uidValidity: string;
  readonly uid: number;
  readonly path: string;
}

/** `<uidValidity>:<uid>:<mailbox>` */
export function formatRef({ uidValidity, uid, path }: ImapRef): string {
  return `${uidValidity}:${uid}:${path}`;
}

/** `NOT_FOUND` for a text that is none. */
export function parseRef(text: string): ImapRef {
  const [, uidValidity = '', uid = '', path = ''] = /^(\d{1,20}):(\d{1,10}):(.{1,1000})$/s.exec(text) ?? [];
  if (path === '') throw mailNotFound(text);
  return { uidValidity, uid: Number(uid), path };
}

/** A mail that is not there, or not any more. */
export function mailNotFound(ref: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no mail ${JSON.stringify(ref.slice(0, 200))} in this account`, {
    hint: 'search for it again: it may have been moved',
  });
}

/** One connection for one piece of work; those of an account come one after the other, since servers allow few. */
export class ImapConnections {
  readonly #options: ImapConnectionOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ImapConnectionOptions) {
    this.#options = options;
  }

  /** Does some work on a connection of its own. `ACCOUNT_FAILED`; what `work` throws as an `EngineError` passes. */
  async run<T>({ signal }: Abortable, work: (session: ImapConnection) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const turn = this.#last.then(() => this.#work(signal, work));
    this.#last = turn.catch(() => {});
    return orAbort(turn, signal);
  }

  async #work<T>(signal: AbortSignal | undefined, work: (session: ImapConnection) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const pass = this.#options.password();
    const { ImapFlow } = await import('imapflow');
    signal?.throwIfAborted();
    const client = new ImapFlow({
      ...connectOptions(this.#options, pass),
      ...{ disableAutoIdle: true, maxLiteralSize: 80 * 1024 * 1024 },
    });
    // What was asked of it rejects by itself.
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

/** A connection that is up. */
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

  /** The answer of a server that is still there: imapflow answers questions on a closed connection with nothing. */
  async request<T>(work: Promise<T>): Promise<T> {
    const answer = await orAbort(work, this.#signal);
    if (this.client.usable) return answer;
    throw imapError(new Error('it was closed'), this.#options);
  }

  /** Opens a mailbox; returns its UIDVALIDITY. */
  async open(path: string, { readOnly = true } = {}): Promise<string> {
    const { uidValidity } = await this.request(this.client.mailboxOpen(path, { readOnly }));
    return String(uidValidity);
  }

  /** The mailbox of a special use (RFC 6154), such as `\Sent`, or one that is named so. */
  async findSpecial(use: string): Promise<string | undefined> {
    this.#mailboxes ??= await this.request(this.client.list());
    return this.#mailboxes.find(({ specialUse, flags }) => specialUse === use && !flags.has('\\Noselect'))?.path;
  }

  /** The same; where there is none, one is made. */
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

  /** What the server tells of one mail of the open mailbox; undefined where it is not there. */
  async fetchOne(uid: number, query: FetchQueryObject): Promise<FetchMessageObject | undefined> {
    const told = await this.request(this.client.fetchAll(String(uid), { ...query, uid: true }, { uid: true }));
    return mergeByUid(told).get(uid);
  }

  /** UIDs of mails with a Message-ID in a mailbox, the newest last. */
  async findByMessageId(path: string, messageId: string): Promise<{ uidValidity: string; uids: readonly number[] }> {
    const uidValidity = await this.open(path);
    // Servers look for parts of a header; whether it is the whole one is seen by the mail itself.
    const uids = await this.search({ header: { 'message-id': messageId } });
    if (uids.length === 0) return { uidValidity, uids };
    const found = await this.request(this.client.fetchAll(uids.join(), { uid: true, envelope: true }, { uid: true }));
    const own = found.filter(({ envelope }) => (envelope?.messageId ?? '').trim() === messageId).map(({ uid }) => uid);
    return { uidValidity, uids: own.sort((a, b) => a - b) };
  }
}

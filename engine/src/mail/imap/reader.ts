import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { orAbort } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { isAboutMail, serverText } from './error.ts';
import type { ImapFetchConnection } from './fetch-connection.ts';
import { covers, gapsOf, parseSequenceSet, type Range, formatSequenceSet } from './cursor.ts';

/** Data of a mail that is fetched before its content. */
export type ImapState = FetchMessageObject;

const STATE = { uid: true, flags: true, size: true, internalDate: true, threadId: true } as const;

/** Requests about the open mailbox. Each throws `ACCOUNT_FAILED` where the connection is lost, and rejects on abort. */
export class ImapReader {
  readonly #client: ImapFlow;
  readonly #connection: ImapFetchConnection;
  readonly #signal: AbortSignal | undefined;
  #wasCut = false;

  constructor(client: ImapFlow, connection: ImapFetchConnection, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Whether the connection closed during a request. */
  get wasDisconnected(): boolean {
    return this.#wasCut;
  }

  /** `''` where the server has none. */
  get uidValidity(): string {
    const { mailbox } = this.#client;
    return mailbox === false ? '' : String(mailbox.uidValidity);
  }

  /** Number of the last known change (CONDSTORE, RFC 7162), or undefined where the server has no such numbers. */
  get modseq(): string | undefined {
    const { mailbox, enabled } = this.#client;
    if (mailbox === false || mailbox.noModseq === true || !enabled.has('CONDSTORE')) return undefined;
    return mailbox.highestModseq?.toString();
  }

  /** UIDs of existing mails that are not handled, ascending. */
  async unfetchedUids(done: readonly Range[]): Promise<readonly number[]> {
    const uids = await this.#search(gapsOf(done));
    // `85:*` includes the last mail even where its UID is lower.
    return uids.filter((uid) => !covers(done, uid)).sort((a, b) => a - b);
  }

  /** UIDs of all existing mails. */
  async allUids(): Promise<readonly number[]> {
    return this.#search('1:*');
  }

  async states(uids: readonly number[]): Promise<ReadonlyMap<number, ImapState>> {
    return mergeByUid(await this.#request(() => this.#client.fetchAll(uids.join(), STATE, { uid: true })));
  }

  /** Mails among these whose flags changed after `modseq`, and the number of the last change seen. */
  async changedSince(ranges: readonly Range[], modseq: string): Promise<{ states: ImapState[]; modseq: string }> {
    const query = { uid: true, changedSince: BigInt(modseq) };
    const responses = await this.#request(() => this.#client.fetchAll(formatSequenceSet(ranges), STATE, query));
    const states = [...mergeByUid(responses).values()];
    const last = states.reduce((most, state) => ((state.modseq ?? 0n) > most ? state.modseq! : most), BigInt(modseq));
    return { states, modseq: String(last) };
  }

  /** The last mails of the mailbox, at most `count`. */
  async last(count: number): Promise<ImapState[]> {
    const { mailbox } = this.#client;
    if (mailbox === false || mailbox.exists === 0) return [];
    const first = Math.max(1, mailbox.exists - count + 1);
    return [...mergeByUid(await this.#request(() => this.#client.fetchAll(`${first}:*`, STATE))).values()];
  }

  /**
   * Raw MIME in a buffer of its own. `MAIL_UNSETTLED` where the mail is gone, `MAIL_UNREADABLE` where the server fails
   * to deliver this mail; then the fetch goes on with the others.
   */
  async bytes(uid: number, name: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const query = { uid: true, source: true };
    const responses = await this.#request(
      () =>
        this.#client.fetchAll(String(uid), query, { uid: true }).catch((error: unknown) => {
          throw isAboutMail(error) ? unreadableMail(name, serverText(error), error) : error;
        }),
      signal,
    );
    const message = mergeByUid(responses).get(uid);
    if (message === undefined || !('source' in message))
      throw new EngineError('MAIL_UNSETTLED', `mail ${name} is gone`, { retryable: true });
    if (!message.source?.length) throw unreadableMail(name, 'nothing');
    return new Uint8Array(message.source);
  }

  /**
   * Searches for UID ranges (RFC 4731), since a list of many numbers blocks the event loop; falls back to single
   * numbers where the ranges are invalid.
   */
  async #search(uid: string): Promise<readonly number[]> {
    const found = await this.#request(() =>
      this.#client.search({ uid }, { uid: true, returnOptions: ['ALL', 'COUNT'] }),
    );
    const responses = found && !Array.isArray(found) ? parseSequenceSet(found.all ?? '', found.count) : found;
    const uids = responses ?? (await this.#request(() => this.#client.search({ uid }, { uid: true })));
    if (Array.isArray(uids)) return uids;
    throw new EngineError('ACCOUNT_FAILED', 'the server did not list its mails', { retryable: true });
  }

  /** Returns the result of a request. Fails where the connection is closed: imapflow returns an empty result then. */
  async #request<T>(work: () => Promise<T>, signal = this.#signal): Promise<T> {
    signal?.throwIfAborted();
    try {
      const answer = await orAbort(work(), signal);
      if (this.#client.usable) return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EngineError) throw error;
      this.#wasCut = !this.#client.usable;
      throw this.#connection.fail(error);
    }
    signal?.throwIfAborted();
    this.#wasCut = true;
    throw this.#connection.fail(new Error('the server closed it'));
  }
}

/** Merges responses by UID. A server may send flags at any time, even within another response (RFC 9051 7.5.2). */
export function mergeByUid(responses: readonly FetchMessageObject[]): ReadonlyMap<number, FetchMessageObject> {
  const mails = new Map<number, FetchMessageObject>();
  for (const one of responses) if (one.uid !== undefined) mails.set(one.uid, { ...mails.get(one.uid), ...one });
  return mails;
}

/** `MAIL_UNREADABLE` for a mail that the server failed to deliver. */
export function unreadableMail(name: string, text: string, cause?: unknown): EngineError {
  return new EngineError('MAIL_UNREADABLE', `the server does not deliver mail ${name} ("${text}")`, {
    hint: 'Check with another mail program whether the mail opens there. Callsheet tries again.',
    ...(cause !== undefined && { cause }),
  });
}

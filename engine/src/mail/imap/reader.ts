import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { orAbort } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { isAboutMail, serverText } from './error.ts';
import type { ImapFetchConnection } from './fetch-connection.ts';
import { covers, gapsOf, parseSequenceSet, type Range, formatSequenceSet } from './cursor.ts';

/** What is asked about a mail before it is read. */
export type ImapState = FetchMessageObject;

const STATE = { uid: true, flags: true, size: true, internalDate: true, threadId: true } as const;

/** Questions to an open mailbox. Each throws `ACCOUNT_FAILED` where the connection is lost, and rejects on abort. */
export class ImapReader {
  readonly #client: ImapFlow;
  readonly #link: ImapFetchConnection;
  readonly #signal: AbortSignal | undefined;
  #wasCut = false;

  constructor(client: ImapFlow, link: ImapFetchConnection, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#link = link;
    this.#signal = signal;
  }

  /** The connection was closed over a question, by the server or on the way. */
  get wasDisconnected(): boolean {
    return this.#wasCut;
  }

  /** `''` where the server gives none. */
  get uidValidity(): string {
    const { mailbox } = this.#client;
    return mailbox === false ? '' : String(mailbox.uidValidity);
  }

  /** Number of the last change that is known (CONDSTORE, RFC 7162), or undefined where the server counts none. */
  get modseq(): string | undefined {
    const { mailbox, enabled } = this.#client;
    if (mailbox === false || mailbox.noModseq === true || !enabled.has('CONDSTORE')) return undefined;
    return mailbox.highestModseq?.toString();
  }

  /** UIDs that are there and not dealt with, ascending. */
  async unfetchedUids(done: readonly Range[]): Promise<readonly number[]> {
    const uids = await this.#search(gapsOf(done));
    // `85:*` names the last mail also where it has a lower UID.
    return uids.filter((uid) => !covers(done, uid)).sort((a, b) => a - b);
  }

  /** All UIDs that are there. */
  async allUids(): Promise<readonly number[]> {
    return this.#search('1:*');
  }

  async states(uids: readonly number[]): Promise<ReadonlyMap<number, ImapState>> {
    return mergeByUid(await this.#ask(() => this.#client.fetchAll(uids.join(), STATE, { uid: true })));
  }

  /** Mails among these whose flags have changed since a change, and the number of the last change that this shows. */
  async changedSince(ranges: readonly Range[], modseq: string): Promise<{ states: ImapState[]; modseq: string }> {
    const query = { uid: true, changedSince: BigInt(modseq) };
    const told = await this.#ask(() => this.#client.fetchAll(formatSequenceSet(ranges), STATE, query));
    const states = [...mergeByUid(told).values()];
    const last = states.reduce((most, state) => ((state.modseq ?? 0n) > most ? state.modseq! : most), BigInt(modseq));
    return { states, modseq: String(last) };
  }

  /** The last mails of the mailbox, at most so many. */
  async last(count: number): Promise<ImapState[]> {
    const { mailbox } = this.#client;
    if (mailbox === false || mailbox.exists === 0) return [];
    const first = Math.max(1, mailbox.exists - count + 1);
    return [...mergeByUid(await this.#ask(() => this.#client.fetchAll(`${first}:*`, STATE))).values()];
  }

  /**
   * Raw MIME in a buffer of its own. `MAIL_UNSETTLED` where the mail is gone, `MAIL_UNREADABLE` where the server does not give
   * it: one such mail holds up no other.
   */
  async bytes(uid: number, name: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const query = { uid: true, source: true };
    const told = await this.#ask(
      () =>
        this.#client.fetchAll(String(uid), query, { uid: true }).catch((error: unknown) => {
          throw isAboutMail(error) ? unreadableMail(name, serverText(error), error) : error;
        }),
      signal,
    );
    const message = mergeByUid(told).get(uid);
    if (message === undefined || !('source' in message))
      throw new EngineError('MAIL_UNSETTLED', `mail ${name} is gone`, { retryable: true });
    if (!message.source?.length) throw unreadableMail(name, 'nothing');
    return new Uint8Array(message.source);
  }

  /** In ranges (RFC 4731), since a number for each of many mails holds the loop; where those make no sense, one by one. */
  async #search(uid: string): Promise<readonly number[]> {
    const found = await this.#ask(() => this.#client.search({ uid }, { uid: true, returnOptions: ['ALL', 'COUNT'] }));
    const told = found && !Array.isArray(found) ? parseSequenceSet(found.all ?? '', found.count) : found;
    const uids = told ?? (await this.#ask(() => this.#client.search({ uid }, { uid: true })));
    if (Array.isArray(uids)) return uids;
    throw new EngineError('ACCOUNT_FAILED', 'the server did not list its mail', { retryable: true });
  }

  /** The answer of a server that is still there: imapflow answers questions on a closed connection with nothing. */
  async #ask<T>(work: () => Promise<T>, signal = this.#signal): Promise<T> {
    signal?.throwIfAborted();
    try {
      const answer = await orAbort(work(), signal);
      if (this.#client.usable) return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EngineError) throw error;
      this.#wasCut = !this.#client.usable;
      throw this.#link.fail(error);
    }
    signal?.throwIfAborted();
    this.#wasCut = true;
    throw this.#link.fail(new Error('it was closed'));
  }
}

/** What was told of each mail. A server may tell of flags at any time, also in the middle of an answer (RFC 9051 7.5.2). */
export function mergeByUid(told: readonly FetchMessageObject[]): ReadonlyMap<number, FetchMessageObject> {
  const mails = new Map<number, FetchMessageObject>();
  for (const one of told) if (one.uid !== undefined) mails.set(one.uid, { ...mails.get(one.uid), ...one });
  return mails;
}

/** `MAIL_UNREADABLE` for a mail that the server has been asked for. */
export function unreadableMail(name: string, said: string, cause?: unknown): EngineError {
  return new EngineError('MAIL_UNREADABLE', `the server does not give mail ${name} ("${said}")`, {
    hint: 'See with another mail program whether it can be opened there; it is tried again by itself.',
    ...(cause !== undefined && { cause }),
  });
}

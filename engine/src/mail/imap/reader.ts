import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { orAbort } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import type { ImapLink } from './link.ts';
import { covers, gapsOf, type Range, setOf } from './place.ts';

/** What is asked about a mail before it is read. */
export type ImapState = FetchMessageObject;

const STATE = { uid: true, flags: true, size: true, internalDate: true, threadId: true } as const;

/** Questions to an open mailbox. Each throws `ACCOUNT_FAILED` where the connection is lost, and rejects on abort. */
export class ImapReader {
  readonly #client: ImapFlow;
  readonly #link: ImapLink;
  readonly #signal: AbortSignal | undefined;

  constructor(client: ImapFlow, link: ImapLink, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#link = link;
    this.#signal = signal;
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
  async unknown(done: readonly Range[]): Promise<readonly number[]> {
    const uids = await this.#search(gapsOf(done));
    // `85:*` names the last mail also where it has a lower UID.
    return uids.filter((uid) => !covers(done, uid)).sort((a, b) => a - b);
  }

  /** All UIDs that are there. */
  async all(): Promise<readonly number[]> {
    return this.#search('1:*');
  }

  async states(uids: readonly number[]): Promise<ReadonlyMap<number, ImapState>> {
    const states = await this.#ask(() => this.#client.fetchAll(uids.join(), STATE, { uid: true }));
    return new Map(states.map((state) => [state.uid, state]));
  }

  /** Mails among these whose flags have changed since a change, and the number of the last change that this shows. */
  async changedSince(ranges: readonly Range[], modseq: string): Promise<{ states: ImapState[]; modseq: string }> {
    const query = { uid: true, changedSince: BigInt(modseq) };
    const states = await this.#ask(() => this.#client.fetchAll(setOf(ranges), STATE, query));
    const last = states.reduce((most, state) => ((state.modseq ?? 0n) > most ? state.modseq! : most), BigInt(modseq));
    return { states, modseq: String(last) };
  }

  /** The last mails of the mailbox, at most so many. */
  async last(count: number): Promise<ImapState[]> {
    const { mailbox } = this.#client;
    if (mailbox === false || mailbox.exists === 0) return [];
    const first = Math.max(1, mailbox.exists - count + 1);
    return this.#ask(() => this.#client.fetchAll(`${first}:*`, STATE));
  }

  /** Raw MIME in a buffer of its own. `MAIL_UNSETTLED` where the mail is gone. */
  async bytes(uid: number, name: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const query = { uid: true, source: true };
    const message = await this.#ask(() => this.#client.fetchOne(String(uid), query, { uid: true }), signal);
    const source = message ? message.source : undefined;
    if (source === undefined) throw new EngineError('MAIL_UNSETTLED', `mail ${name} is gone`, { retryable: true });
    return new Uint8Array(source);
  }

  async #search(uid: string): Promise<readonly number[]> {
    const uids = await this.#ask(() => this.#client.search({ uid }, { uid: true }));
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
      throw this.#link.lost(error);
    }
    signal?.throwIfAborted();
    throw this.#link.lost(new Error('it was closed'));
  }
}

import { EngineError } from '../../base/error.ts';
import { ImapFetchConnection, type ImapFetchOptions } from './fetch-connection.ts';
import { advance, covers, type ImapCursor, readImapCursor } from './cursor.ts';
import { ImapReader, type ImapState, unreadableMail } from './reader.ts';
import { sameLabels } from '../labels.ts';
import type { MailParser, ParsedMail } from '../mail.ts';
import { FailingMails } from './failing-mails.ts';
import type {
  FoundMail,
  SourceEvent,
  ListOptions,
  MailSource,
  PresentMails,
  CursorReached,
  IngestFacts,
} from '../source.ts';

/** Options of `createImapSource`. */
export interface ImapSourceOptions extends ImapFetchOptions {
  /** The account's own address: mail from it counts as own mail. */
  readonly email: string;
  readonly workers: MailParser;
}

/** Mails whose flags and sizes are fetched together; the cursor is stored after each batch. */
const BATCH = 50;

/** Without CONDSTORE, each fetch compares the flags of this many mails. */
const COMPARED_MAILS = 500;

/** Larger mails are not fetched, since the mail workers would not parse them. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Flags of mails to skip: deleted ones and drafts. */
const SKIPPED_FLAGS = ['\\Deleted', '\\Draft'];

/** One fetch: its options and its progress. */
interface ImapFetch {
  readonly options: ListOptions;
  readonly reader: ImapReader;
  cursor: ImapCursor;
}

/**
 * The source of an `imap` account: one mailbox, opened read-only, so that nothing in it changes. The cursor has the
 * UIDs of handled mails. IMAP has no mail id that survives a move or a new UIDVALIDITY, so mails are identified by
 * their bytes: after a renumbering the source reads all mails again, and none is ingested twice. New mail comes in
 * order, a backlog newest first; labels are the flags. Mails marked as deleted and drafts are skipped while they are so
 * marked.
 *
 * Changed flags of known mails come first: by change numbers (CONDSTORE, RFC 7162), else by comparing the flags of the
 * last mails with the kept state. The names of all mails come last, over a new connection and after the server
 * announced a removal. The source does not use QRESYNC, since imapflow does not count its responses.
 */
export function createImapSource(options: ImapSourceOptions): MailSource {
  return new ImapSource(options);
}

class ImapSource implements MailSource {
  readonly #options: ImapSourceOptions;
  readonly #connection: ImapFetchConnection;
  readonly #failing: FailingMails;

  constructor(options: ImapSourceOptions) {
    this.#options = options;
    this.#connection = new ImapFetchConnection(options);
    this.#failing = new FailingMails(options.clock);
  }

  async *list(options: ListOptions): AsyncIterable<SourceEvent> {
    const { signal } = options;
    const connection = this.#connection;
    const reader = new ImapReader(await connection.open({ signal }), connection, signal);
    try {
      const { host, port, user, mailbox } = this.#options;
      const key = { mailbox: `${user}@${host}:${port}/${mailbox}`, uidValidity: reader.uidValidity };
      const kept = readImapCursor(options.cursor, key);
      const { modseq } = reader;
      const fetch = { options, reader, cursor: { ...(modseq !== undefined && { modseq }), ...kept } };
      if (kept.done.length > 0) yield* this.#changes(fetch, kept.modseq);
      yield* this.#arrivals(fetch);
      if (connection.hasRemovals) yield* this.#presence(fetch);
      connection.resetBackoff();
    } finally {
      connection.closeIfUnwatched();
    }
  }

  async watch(onChange: () => void): Promise<() => Promise<void>> {
    const stop = this.#connection.watch(onChange);
    return async () => stop();
  }

  /** Flags of handled mails. A mail without kept labels, ingested by an older version, is emitted again. */
  async *#changes(fetch: ImapFetch, since: string | undefined): AsyncIterable<SourceEvent> {
    const { options, reader, cursor } = fetch;
    const isCounted = since !== undefined && reader.modseq !== undefined;
    const { states, modseq } = isCounted
      ? await reader.changedSince(cursor.done, since)
      : { states: await reader.last(COMPARED_MAILS), modseq: cursor.modseq };
    for (const state of states) {
      options.signal?.throwIfAborted();
      if (!covers(cursor.done, state.uid)) continue;
      const name = nameOf(cursor, state.uid);
      const labels = labelsOf(state);
      const before = await options.seen(name);
      if (before?.labels !== undefined) {
        if (!sameLabels(before.labels, labels)) yield { kind: 'labels', name, labels };
      } else if (!hasSkippedFlag(state) && !this.#isLeft(options, name)) yield this.#foundOf(fetch, state);
    }
    if (modseq === undefined || modseq === since) return;
    fetch.cursor = { ...cursor, modseq };
    yield { kind: 'reached', cursor: () => fetch.cursor };
  }

  async *#arrivals(fetch: ImapFetch): AsyncIterable<FoundMail | CursorReached> {
    const { options, reader } = fetch;
    const passed = new Set<number>();
    for (let isAgain = true; isAgain;) {
      isAgain = false;
      this.#connection.hasArrivals = false;
      const uids = await reader.unfetchedUids(fetch.cursor.done);
      const left = uids.filter((uid) => !passed.has(uid));
      options.onTotal?.(left.length);
      const isAlone = (uid: number) => this.#failing.isAlone(nameOf(fetch.cursor, uid));
      for (const batch of batches(inOrder(left, fetch.cursor.done.at(-1)?.[1] ?? 0), isAlone)) {
        const given = new Set<number>();
        yield* this.#mailsOf(fetch, batch, { passed, given });
        if (given.size === 0) continue;
        yield { kind: 'reached', cursor: (unread) => advanceCursor(fetch, { uids, passed, given }, unread) };
        // New mail goes before the rest of a backlog.
        if (this.#connection.hasArrivals) {
          isAgain = true;
          break;
        }
      }
    }
  }

  /** The mails of a batch. Adds skipped UIDs to `passed` and emitted ones to `given`. */
  async *#mailsOf(
    fetch: ImapFetch,
    batch: readonly number[],
    { passed, given }: { readonly passed: Set<number>; readonly given: Set<number> },
  ): AsyncIterable<FoundMail> {
    const { options } = fetch;
    const refused = new Set(batch.filter((uid) => this.#failing.isRefused(nameOf(fetch.cursor, uid))));
    const states = await this.#statesOf(
      fetch,
      batch.filter((uid) => !refused.has(uid)),
    );
    for (const uid of batch) {
      const state = states.get(uid);
      const name = nameOf(fetch.cursor, uid);
      if (refused.has(uid)) passed.add(uid);
      if (refused.has(uid) && options.isUnreadable?.(name) === true) continue;
      if (state !== undefined && (hasSkippedFlag(state) || this.#isLeft(options, name))) {
        passed.add(uid);
        continue;
      }
      given.add(uid);
      options.signal?.throwIfAborted();
      if (refused.has(uid)) yield closingMail(name);
      else if (state !== undefined) yield this.#foundOf(fetch, state);
    }
  }

  async *#presence({ reader, cursor }: ImapFetch): AsyncIterable<PresentMails> {
    // Set before the listing, so that a removal during it is reported by the next fetch; reset if the caller stops
    // early.
    this.#connection.hasRemovals = false;
    let isDone = false;
    try {
      const names = (await reader.allUids()).map((uid) => nameOf(cursor, uid));
      yield { kind: 'present', names: new Set(names) };
      isDone = true;
    } finally {
      if (!isDone) this.#connection.hasRemovals = true;
    }
  }

  #isLeft({ isUnreadable }: ListOptions, name: string): boolean {
    return this.#failing.isSkipped(name, isUnreadable);
  }

  async #statesOf(fetch: ImapFetch, uids: readonly number[]): Promise<ReadonlyMap<number, ImapState>> {
    return uids.length === 0 ? new Map() : this.#watched(fetch, uids, () => fetch.reader.states(uids));
  }

  #watched<T>({ reader, options, cursor }: ImapFetch, uids: readonly number[], request: () => Promise<T>): Promise<T> {
    const names = uids.map((uid) => nameOf(cursor, uid));
    return this.#failing.track(names, { reader, signal: options.signal }, request);
  }

  #foundOf(fetch: ImapFetch, state: ImapState): FoundMail {
    const { size = 0, internalDate, uid } = state;
    const name = nameOf(fetch.cursor, uid);
    const labels = labelsOf(state);
    return {
      ...{ kind: 'mail', name, labels },
      seen: { size, mtimeMs: internalDate === undefined ? 0 : new Date(internalDate).getTime(), labels },
      read: (facts, { signal } = {}) => this.#read(fetch, state, facts, signal),
    };
  }

  async #read(
    fetch: ImapFetch,
    state: ImapState,
    facts: IngestFacts,
    signal: AbortSignal | undefined,
  ): Promise<ParsedMail> {
    const { uid, size = 0, internalDate, threadId } = state;
    const name = nameOf(fetch.cursor, uid);
    if (size > MAX_BYTES)
      throw new EngineError('MAIL_TOO_COSTLY', `mail ${name} has ${size} bytes; at most ${MAX_BYTES} are read`);
    const request = () => fetch.reader.bytes(uid, name, signal);
    const bytes = await this.#watched(fetch, [uid], request).catch((error: unknown) => {
      this.#failing.noteError(name, error);
      throw error;
    });
    this.#failing.noteGiven(name);
    const { accountId, email, workers } = this.#options;
    return workers.parse(
      { kind: 'bytes', bytes },
      {
        ...{ ...facts, accountId, ownAddresses: [email], labels: labelsOf(state), readsLabelHeaders: false },
        ...(internalDate !== undefined && { receivedAt: new Date(internalDate).toISOString() }),
        ...(threadId !== undefined && { threadId }),
      },
      { signal },
    );
  }
}

/** The cursor once the emitted mails are handled; those that could not be read are skipped in this fetch. */
function advanceCursor(
  fetch: ImapFetch,
  {
    uids,
    passed,
    given,
  }: { readonly uids: readonly number[]; readonly passed: Set<number>; readonly given: Set<number> },
  unread: readonly string[],
): ImapCursor {
  const hasFailed = new Set(unread);
  for (const uid of given) if (hasFailed.has(nameOf(fetch.cursor, uid))) passed.add(uid);
  const taken = new Set([...given].filter((uid) => !passed.has(uid)));
  return (fetch.cursor = { ...fetch.cursor, done: advance(fetch.cursor.done, uids, taken) });
}

/** A mail whose data the server does not send: it closes the connection. */
function closingMail(name: string): FoundMail {
  return { kind: 'mail', name, read: async () => Promise.reject(unreadableMail(name, 'it closes the connection')) };
}

/** A UID identifies a mail only together with its UIDVALIDITY. */
function nameOf({ uidValidity }: ImapCursor, uid: number): string {
  return `${uidValidity}:${uid}`;
}

/** A few new mails stay in order of arrival; all else is newest first. */
function inOrder(uids: readonly number[], top: number): readonly number[] {
  const arrived = uids.filter((uid) => uid > top);
  const before = uids.filter((uid) => uid <= top).reverse();
  return [...(top > 0 && arrived.length <= BATCH ? arrived : arrived.reverse()), ...before];
}

/** Batches in the same order; a mail to be requested alone gets a batch of its own. */
function* batches(uids: readonly number[], isAlone: (uid: number) => boolean): Iterable<readonly number[]> {
  let batch: number[] = [];
  for (const uid of uids) {
    if (batch.length === BATCH || (batch.length > 0 && isAlone(uid))) yield batch.splice(0);
    batch.push(uid);
    if (isAlone(uid)) yield batch.splice(0);
  }
  if (batch.length > 0) yield batch;
}

function hasSkippedFlag({ flags }: ImapState): boolean {
  return SKIPPED_FLAGS.some((flag) => flags?.has(flag));
}

/** Without `\Recent`, which says nothing about the mail. */
function labelsOf({ flags = new Set() }: ImapState): string[] {
  return [...flags].filter((flag) => flag !== '\\Recent');
}

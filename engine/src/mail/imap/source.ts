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

export interface ImapSourceOptions extends ImapFetchOptions {
  /** The account's own address: mail from it is own. */
  readonly email: string;
  readonly workers: MailParser;
}

/** Mails whose flags and sizes are asked for at a time; the place is kept after as many. */
const BATCH = 50;

/** Where the server does not count changes, flags of so many mails are compared at each look. */
const COMPARED = 500;

/** Larger mails are not even fetched; the mail room would not read them. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Mails that are no mail yet, or not any more. */
const PASSED_OVER = ['\\Deleted', '\\Draft'];

/** One fetch: its options, and how far it has come. */
interface ImapFetch {
  readonly options: ListOptions;
  readonly reader: ImapReader;
  cursor: ImapCursor;
}

/**
 * The source of an `imap` account: one mailbox, opened for reading only, so that nothing there is changed. Its place is what
 * UIDs were dealt with. IMAP has no name of a mail that outlives a move or a new UIDVALIDITY, so mails are known by their
 * bytes: when the UIDs have become others, all are read again and none is taken twice. What arrives comes in order, a backlog
 * newest first; labels are the flags. Mails marked as deleted and drafts are left until they are no more.
 *
 * Flags of known mails that have changed come first: by the server's count of changes (CONDSTORE, RFC 7162), else by comparing
 * those of the last mails with what was kept. All that is there is told last, over a new connection and when the server told of
 * a mail that went; so no use is made of QRESYNC, whose tellings imapflow does not count.
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

  /** Flags of mails that were dealt with. Those of which nothing was kept, since an older version took them, are given anew. */
  async *#changes(fetch: ImapFetch, since: string | undefined): AsyncIterable<SourceEvent> {
    const { options, reader, cursor } = fetch;
    const isCounted = since !== undefined && reader.modseq !== undefined;
    const { states, modseq } = isCounted
      ? await reader.changedSince(cursor.done, since)
      : { states: await reader.last(COMPARED), modseq: cursor.modseq };
    for (const state of states) {
      options.signal?.throwIfAborted();
      if (!covers(cursor.done, state.uid)) continue;
      const name = nameOf(cursor, state.uid);
      const labels = labelsOf(state);
      const before = await options.seen(name);
      if (before?.labels !== undefined) {
        if (!sameLabels(before.labels, labels)) yield { kind: 'labels', name, labels };
      } else if (!isPassedOver(state) && !this.#isLeft(options, name)) yield this.#foundOf(fetch, state);
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
        // What has just arrived goes before the rest of a backlog.
        if (this.#connection.hasArrivals) {
          isAgain = true;
          break;
        }
      }
    }
  }

  /** The mails of a batch. Adds UIDs that are not to be taken to `passed`, and those that are given to `given`. */
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
      if (state !== undefined && (isPassedOver(state) || this.#isLeft(options, name))) {
        passed.add(uid);
        continue;
      }
      given.add(uid);
      options.signal?.throwIfAborted();
      if (refused.has(uid)) yield refusedOf(name);
      else if (state !== undefined) yield this.#foundOf(fetch, state);
    }
  }

  async *#presence({ reader, cursor }: ImapFetch): AsyncIterable<PresentMails> {
    // What goes from now on is told of at the next look, and so is this where nobody has dealt with it.
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

/** The cursor once the given mails are dealt with; those that could not be read are passed over in this fetch. */
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

/** A mail of which the server tells nothing: it closes the connection. */
function refusedOf(name: string): FoundMail {
  return { kind: 'mail', name, read: async () => Promise.reject(unreadableMail(name, 'it closes the connection')) };
}

/** UIDs are about mails only together with their UIDVALIDITY. */
function nameOf({ uidValidity }: ImapCursor, uid: number): string {
  return `${uidValidity}:${uid}`;
}

/** A few that have arrived since the last look come as they did; all else is newest first. */
function inOrder(uids: readonly number[], top: number): readonly number[] {
  const arrived = uids.filter((uid) => uid > top);
  const before = uids.filter((uid) => uid <= top).reverse();
  return [...(top > 0 && arrived.length <= BATCH ? arrived : arrived.reverse()), ...before];
}

/** In the same order, each that is to be asked for alone in a batch of its own. */
function* batches(uids: readonly number[], isAlone: (uid: number) => boolean): Iterable<readonly number[]> {
  let batch: number[] = [];
  for (const uid of uids) {
    if (batch.length === BATCH || (batch.length > 0 && isAlone(uid))) yield batch.splice(0);
    batch.push(uid);
    if (isAlone(uid)) yield batch.splice(0);
  }
  if (batch.length > 0) yield batch;
}

function isPassedOver({ flags }: ImapState): boolean {
  return PASSED_OVER.some((flag) => flags?.has(flag));
}

/** `\Recent` says which session was first to see a mail, and nothing about it. */
function labelsOf({ flags = new Set() }: ImapState): string[] {
  return [...flags].filter((flag) => flag !== '\\Recent');
}

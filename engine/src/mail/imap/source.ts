import { EngineError } from '../../base/error.ts';
import { ImapFetchConnection, type ImapFetchOptions } from './fetch-connection.ts';
import { advance, covers, type ImapCursor, imapCursorOf } from './cursor.ts';
import { ImapReader, type ImapState, notGiven } from './reader.ts';
import { sameLabels } from '../labels.ts';
import type { MailParser } from '../mail.ts';
import type {
  FoundMail,
  SourceEvent,
  ListOptions,
  MailSource,
  PresentMails,
  CursorReached,
  IngestFacts,
} from '../source.ts';

export interface ImapOptions extends ImapFetchOptions {
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

/** A mail that the server has not given is asked for again after so long. */
const REFUSED_MS = 300_000;

/** Mails that are no mail yet, or not any more. */
const PASSED_OVER = ['\\Deleted', '\\Draft'];

/** One look: what it asks, and how far it has come. */
interface Look {
  readonly asked: ListOptions;
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
export function createImapSource(options: ImapOptions): MailSource {
  const link = new ImapFetchConnection(options);
  const { host, port, user, mailbox, clock } = options;
  /** When the server was asked last for mails that it did not give, by name. */
  const refused = new Map<string, number>();
  /** Mails over which the connection was closed, by name: each is asked for alone, to find the one that does it. */
  const alone = new Set<string>();

  async function* list(asked: ListOptions): AsyncIterable<SourceEvent> {
    const { signal } = asked;
    const reader = new ImapReader(await link.open({ signal }), link, signal);
    try {
      const key = { mailbox: `${user}@${host}:${port}/${mailbox}`, uidValidity: reader.uidValidity };
      const kept = imapCursorOf(asked.cursor, key);
      const { modseq } = reader;
      const look = { asked, reader, cursor: { ...(modseq !== undefined && { modseq }), ...kept } };
      if (kept.done.length > 0) yield* changes(look, kept.modseq);
      yield* arrivals(look);
      if (link.hasLosses) yield* presence(look);
      link.worked();
    } finally {
      link.closeUnwatched();
    }
  }

  /** Flags of mails that were dealt with. Those of which nothing was kept, since an older version took them, are given anew. */
  async function* changes(look: Look, since: string | undefined): AsyncIterable<SourceEvent> {
    const { asked, reader, cursor } = look;
    const isCounted = since !== undefined && reader.modseq !== undefined;
    const { states, modseq } = isCounted
      ? await reader.changedSince(cursor.done, since)
      : { states: await reader.last(COMPARED), modseq: cursor.modseq };
    for (const state of states) {
      asked.signal?.throwIfAborted();
      if (!covers(cursor.done, state.uid)) continue;
      const name = nameOf(cursor, state.uid);
      const labels = labelsOf(state);
      const before = await asked.seen(name);
      if (before?.labels !== undefined) {
        if (!sameLabels(before.labels, labels)) yield { kind: 'labels', name, labels };
      } else if (!isPassedOver(state) && !isLeft(asked, name)) yield foundOf(look, state);
    }
    if (modseq === undefined || modseq === since) return;
    look.cursor = { ...cursor, modseq };
    yield { kind: 'reached', cursor: () => look.cursor };
  }

  async function* arrivals(look: Look): AsyncIterable<FoundMail | CursorReached> {
    const { asked, reader } = look;
    const passed = new Set<number>();
    for (let isAgain = true; isAgain;) {
      isAgain = false;
      link.hasNews = false;
      const uids = await reader.unknown(look.cursor.done);
      const left = uids.filter((uid) => !passed.has(uid));
      asked.onTotal?.(left.length);
      const isAlone = (uid: number) => alone.has(nameOf(look.cursor, uid));
      for (const batch of batches(inOrder(left, look.cursor.done.at(-1)?.[1] ?? 0), isAlone)) {
        const kept = new Set(batch.filter((uid) => isRefused(nameOf(look.cursor, uid))));
        const open = batch.filter((uid) => !kept.has(uid));
        const states = await statesOf(look, open);
        const given = new Set<number>();
        for (const uid of batch) {
          const state = states.get(uid);
          const name = nameOf(look.cursor, uid);
          if (kept.has(uid)) passed.add(uid);
          if (kept.has(uid) && asked.isUnreadable?.(name) === true) continue;
          if (state !== undefined && (isPassedOver(state) || isLeft(asked, name))) {
            passed.add(uid);
            continue;
          }
          given.add(uid);
          asked.signal?.throwIfAborted();
          if (kept.has(uid)) yield refusedOf(name);
          else if (state !== undefined) yield foundOf(look, state);
        }
        if (given.size === 0) continue;
        yield {
          kind: 'reached',
          cursor(unread) {
            const hasFailed = new Set(unread);
            for (const uid of given) if (hasFailed.has(nameOf(look.cursor, uid))) passed.add(uid);
            const taken = new Set([...given].filter((uid) => !passed.has(uid)));
            return (look.cursor = { ...look.cursor, done: advance(look.cursor.done, uids, taken) });
          },
        };
        // What has just arrived goes before the rest of a backlog.
        if (link.hasNews) {
          isAgain = true;
          break;
        }
      }
    }
  }

  async function* presence({ reader, cursor }: Look): AsyncIterable<PresentMails> {
    // What goes from now on is told of at the next look, and so is this where nobody has dealt with it.
    link.hasLosses = false;
    let isDone = false;
    try {
      const names = (await reader.all()).map((uid) => nameOf(cursor, uid));
      yield { kind: 'present', names: new Set(names) };
      isDone = true;
    } finally {
      if (!isDone) link.hasLosses = true;
    }
  }

  /** Whether a mail is left alone that could not be read: for good, unless it was the server that did not give it. */
  function isLeft({ isUnreadable }: ListOptions, name: string): boolean {
    return isUnreadable?.(name) === true && (!refused.has(name) || isRefused(name));
  }

  /** Whether the server did not give a mail a short while ago. */
  function isRefused(name: string): boolean {
    const askedMs = refused.get(name);
    return askedMs !== undefined && clock.now() - askedMs < REFUSED_MS;
  }

  async function statesOf(look: Look, uids: readonly number[]): Promise<ReadonlyMap<number, ImapState>> {
    return uids.length === 0 ? new Map() : blaming(look, uids, () => look.reader.states(uids));
  }

  /** Asks about mails; where the connection is closed over one that was asked for alone, that one is left for a while. */
  async function blaming<T>(
    { reader, asked, cursor }: Look,
    uids: readonly number[],
    work: () => Promise<T>,
  ): Promise<T> {
    const names = uids.map((uid) => nameOf(cursor, uid));
    try {
      return await work();
    } catch (error) {
      if (!reader.wasCut || asked.signal?.aborted === true) throw error;
      for (const name of names)
        if (names.length === 1 && alone.has(name)) refused.set(name, clock.now());
        else alone.add(name);
      throw error;
    }
  }

  /** A mail of which the server tells nothing: it closes the connection. */
  function refusedOf(name: string): FoundMail {
    return { kind: 'mail', name, read: async () => Promise.reject(notGiven(name, 'it closes the connection')) };
  }

  function foundOf(look: Look, state: ImapState): FoundMail {
    const { reader, cursor } = look;
    const { uid, size = 0, internalDate, threadId } = state;
    const name = nameOf(cursor, uid);
    const labels = labelsOf(state);
    const date = internalDate === undefined ? undefined : new Date(internalDate);
    return {
      ...{ kind: 'mail', name, labels },
      seen: { size, mtimeMs: date?.getTime() ?? 0, labels },
      async read(facts: IngestFacts, { signal } = {}) {
        if (size > MAX_BYTES)
          throw new EngineError('MAIL_TOO_COSTLY', `mail ${name} has ${size} bytes; at most ${MAX_BYTES} are read`);
        const bytes = await blaming(look, [uid], () => reader.bytes(uid, name, signal)).catch((error: unknown) => {
          if (error instanceof EngineError && error.code === 'MAIL_UNREADABLE') refused.set(name, clock.now());
          throw error;
        });
        refused.delete(name);
        alone.delete(name);
        const { accountId, email } = options;
        return options.workers.parse(
          { kind: 'bytes', bytes },
          {
            ...{ ...facts, accountId, ownAddresses: [email], labels, readsLabelHeaders: false },
            ...(date !== undefined && { receivedAt: date.toISOString() }),
            ...(threadId !== undefined && { threadId }),
          },
          { signal },
        );
      },
    };
  }

  return {
    list,
    async watch(onChange) {
      const stop = link.watch(onChange);
      return async () => stop();
    },
  };
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

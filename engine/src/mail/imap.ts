import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { orAbort } from '../base/abort.ts';
import { EngineError } from '../base/error.ts';
import { ImapLink, type ImapLinkOptions } from './imap-link.ts';
import { advance, covers, doneOf, gapsOf, type Range } from './imap-place.ts';
import type { MailRoom } from './room.ts';
import type { Found, ListOptions, MailSource, Reached, TakeFacts } from './source.ts';

export interface ImapOptions extends ImapLinkOptions {
  /** The account's own address: mail from it is own. */
  readonly email: string;
  readonly room: Pick<MailRoom, 'parse'>;
}

/** Mails whose flags and sizes are asked for at a time; the place is kept after as many. */
const BATCH = 50;

/** Larger mails are not even fetched; the mail room would not read them. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Mails that are no mail yet, or not any more. */
const PASSED_OVER = ['\\Deleted', '\\Draft'];

/**
 * The source of an `imap` account: one mailbox, opened for reading only, so that nothing there is changed. Its place is what
 * UIDs were dealt with. IMAP has no name of a mail that outlives a move or a new UIDVALIDITY, so mails are known by their
 * bytes: when the UIDs have become others, all are read again and none is taken twice. What arrives comes in order, a backlog
 * newest first; labels are the flags. Mails marked as deleted and drafts are left until they are no more.
 */
export function createImapSource(options: ImapOptions): MailSource {
  const link = new ImapLink(options);
  const { host, port, user, mailbox } = options;

  async function* list(asked: ListOptions): AsyncIterable<Found | Reached> {
    const { signal, isUnreadable = () => false } = asked;
    const client = await link.open({ signal });
    const ask: Ask = (work) => answered(work, client, link, signal);
    try {
      const key = { mailbox: `${user}@${host}:${port}/${mailbox}`, uidValidity: validityOf(client) };
      let done = doneOf(asked.place, key);
      const passed = new Set<number>();
      for (let isAgain = true; isAgain;) {
        isAgain = false;
        link.hasNews = false;
        const uids = await unknownUids(client, done, ask);
        const left = uids.filter((uid) => !passed.has(uid));
        asked.onTotal?.(left.length);
        for (const batch of batches(inOrder(left, done.at(-1)?.[1] ?? 0))) {
          const states = await statesOf(client, batch, ask);
          const given = new Set<number>();
          for (const uid of batch) {
            const state = states.get(uid);
            const name = `${key.uidValidity}:${uid}`;
            if (state !== undefined && (isPassedOver(state) || isUnreadable(name))) {
              passed.add(uid);
              continue;
            }
            given.add(uid);
            signal?.throwIfAborted();
            if (state !== undefined) yield foundOf(name, state, client);
          }
          if (given.size === 0) continue;
          yield {
            kind: 'reached',
            place(unread) {
              const hasFailed = new Set(unread);
              for (const uid of given) if (hasFailed.has(`${key.uidValidity}:${uid}`)) passed.add(uid);
              done = advance(done, uids, new Set([...given].filter((uid) => !passed.has(uid))));
              return { ...key, done };
            },
          };
          // What has just arrived goes before the rest of a backlog.
          if (link.hasNews) {
            isAgain = true;
            break;
          }
        }
      }
    } finally {
      link.closeUnwatched();
    }
  }

  function foundOf(
    name: string,
    { uid, size = 0, flags, internalDate, threadId }: FetchMessageObject,
    client: ImapFlow,
  ) {
    return {
      kind: 'mail',
      name,
      async read(facts: TakeFacts, { signal } = {}) {
        if (size > MAX_BYTES)
          throw new EngineError('MAIL_TOO_COSTLY', `mail ${name} has ${size} bytes; at most ${MAX_BYTES} are read`);
        const bytes = await bytesOf(client, uid, name, link, signal);
        const { accountId, email } = options;
        const receivedAt = internalDate === undefined ? facts.receivedAt : new Date(internalDate).toISOString();
        return options.room.parse(
          { kind: 'bytes', bytes },
          {
            ...{
              ...facts,
              receivedAt,
              accountId,
              ownAddresses: [email],
              labels: labelsOf(flags),
              readsLabelHeaders: false,
            },
            ...(threadId !== undefined && { threadId }),
          },
          { signal },
        );
      },
    } satisfies Found;
  }

  return {
    list,
    async watch(onChange) {
      const stop = link.watch(onChange);
      return async () => stop();
    },
  };
}

type Ask = <T>(work: () => Promise<T>) => Promise<T>;

/** The answer of a server that is still there: imapflow answers questions on a closed connection with nothing. */
async function answered<T>(
  work: () => Promise<T>,
  client: ImapFlow,
  link: ImapLink,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  try {
    const answer = await orAbort(work(), signal);
    if (client.usable) return answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw link.lost(error);
  }
  signal?.throwIfAborted();
  throw link.lost(new Error('it was closed'));
}

function validityOf({ mailbox }: ImapFlow): string {
  return mailbox === false ? '' : String(mailbox.uidValidity);
}

/** UIDs that are there and not dealt with, ascending. */
async function unknownUids(client: ImapFlow, done: readonly Range[], ask: Ask): Promise<readonly number[]> {
  const uids = await ask(() => client.search({ uid: gapsOf(done) }, { uid: true }));
  if (!Array.isArray(uids))
    throw new EngineError('ACCOUNT_FAILED', 'the server did not list its mail', { retryable: true });
  // `85:*` names the last mail also where it has a lower UID.
  return uids.filter((uid) => !covers(done, uid)).sort((a, b) => a - b);
}

/** A few that have arrived since the last look come as they did; all else is newest first. */
function inOrder(uids: readonly number[], top: number): readonly number[] {
  const arrived = uids.filter((uid) => uid > top);
  const before = uids.filter((uid) => uid <= top).reverse();
  return [...(top > 0 && arrived.length <= BATCH ? arrived : arrived.reverse()), ...before];
}

function* batches(uids: readonly number[]): Iterable<readonly number[]> {
  for (let n = 0; n < uids.length; n += BATCH) yield uids.slice(n, n + BATCH);
}

async function statesOf(
  client: ImapFlow,
  uids: readonly number[],
  ask: Ask,
): Promise<ReadonlyMap<number, FetchMessageObject>> {
  const query = { uid: true, flags: true, size: true, internalDate: true, threadId: true };
  const states = await ask(() => client.fetchAll(uids.join(), query, { uid: true }));
  return new Map(states.map((state) => [state.uid, state]));
}

function isPassedOver({ flags }: FetchMessageObject): boolean {
  return PASSED_OVER.some((flag) => flags?.has(flag));
}

/** `\Recent` says which session was first to see a mail, and nothing about it. */
function labelsOf(flags: ReadonlySet<string> = new Set()): string[] {
  return [...flags].filter((flag) => flag !== '\\Recent');
}

/** Raw MIME in a buffer of its own. `MAIL_UNSETTLED` where it is gone, `ACCOUNT_FAILED` where the connection is. */
async function bytesOf(
  client: ImapFlow,
  uid: number,
  name: string,
  link: ImapLink,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const work = () => client.fetchOne(String(uid), { uid: true, source: true }, { uid: true });
  const message = await answered(work, client, link, signal);
  const source = message ? message.source : undefined;
  if (source === undefined) throw new EngineError('MAIL_UNSETTLED', `mail ${name} is gone`, { retryable: true });
  return new Uint8Array(source);
}

import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import { isRefusal, STORE_RETRY_MS } from '../../store/outage.ts';
import { sha256 } from '../../base/json.ts';
import type { Change, Row, Store } from '../../store/store.ts';
import { bodyOf } from '../../store/damaged-row.ts';

/** `ready`: certainly not sent. `sending`: may have been sent. `out`: sent. */
export type OutgoingState = 'ready' | 'sending' | 'out';

/** Rows deleted at a time. */
const BATCH = 50;
/** Attempts to record that a mail was not sent, one a second. */
const MAX_RELEASES = 60;

/** The record of a mail to send. */
export interface OutgoingMail {
  readonly id: string;
  readonly slot: string;
  readonly state: OutgoingState;
  /** Time of the last change of state, in epoch milliseconds. */
  readonly at: number;
  readonly accountId: string;
  /** With angle brackets. */
  readonly messageId: string;
  /** Its Date header, in epoch milliseconds. */
  readonly dateMs: number;
  /** Hash of the mail's content, so that the key cannot be used for another mail. */
  readonly fingerprint?: string;
  /** The process that sends it. */
  readonly worker: string;
  /** Time limit of the attempt in milliseconds, from the state `sending` on. */
  readonly limitMs?: number;
  /** Set in the state `out`. */
  readonly ref?: string;
  readonly note?: string;
}

/** The slots of a thread: the replies that it may get per day. */
export interface ThreadSlots {
  /** Keyed hash of the thread. */
  readonly threadKey: string;
  readonly perDay: number;
}

/** The id of a mail's record. */
export function outgoingId(messageId: string): string {
  return sha256(messageId).slice(0, 40);
}

/** Reads the record of a mail, or undefined where there is none. */
export async function readOutgoing(store: Store, id: string): Promise<OutgoingMail | undefined> {
  const row = await store.get('outgoing', { id });
  return row === undefined ? undefined : outgoingOf(row);
}

/** Number of a thread's slots in use today. */
export async function countUsedSlots(store: Store, slots: ThreadSlots, nowMs: number): Promise<number> {
  return store.count('outgoing', [['slot', 'in', slotsOf(slots, nowMs)]]);
}

/**
 * Records a mail to be sent, and reserves one of the thread's slots: two processes never get the same slot. Where
 * another process has recorded the same mail, returns its record. `REPLY_LIMIT` where no slot is free.
 */
export async function reserveSlot(
  store: Store,
  mail: Omit<OutgoingMail, 'slot' | 'state'>,
  threadSlots: ThreadSlots | undefined,
): Promise<OutgoingMail> {
  const slots = threadSlots === undefined ? [mail.id] : slotsOf(threadSlots, mail.at);
  for (const slot of slots) {
    const reserved: OutgoingMail = { ...mail, slot, state: 'ready' };
    try {
      await store.apply([{ op: 'insert', table: 'outgoing', row: rowOf(reserved) }]);
      return reserved;
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      const known = await readOutgoing(store, mail.id);
      if (known !== undefined) return known;
    }
  }
  throw limitReached(slots.length);
}

/** The error for a thread without a free slot today. */
export function limitReached(perDay: number): EngineError {
  const often =
    perDay === 0 ? 'no replies are sent' : `${perDay} replies were sent to this thread today, which is the limit`;
  return new EngineError('REPLY_LIMIT', `${often} without a person`, {
    hint: 'Leave it to a person: save a draft with mail_draft. The limit is reply.perThreadPerDay in the settings.',
  });
}

/** Updates a record from the state it was read in. `STORE_CONFLICT` where another process changed it. */
export async function updateOutgoing(
  store: Store,
  from: OutgoingMail,
  patch: Partial<OutgoingMail>,
): Promise<OutgoingMail> {
  const next = { ...from, ...patch };
  const { id, ...set } = rowOf(next);
  const expect = { state: from.state, at: from.at };
  await store.apply([{ op: 'update', table: 'outgoing', key: { id }, set, expect }]);
  return next;
}

/** Deletes the record of a mail that was certainly not sent, with its kept bytes, and releases its slot. */
export async function releaseSlot(store: Store, mail: OutgoingMail): Promise<void> {
  await store.apply(deletionOf(mail));
}

/** Identity of the raw bytes of a mail that are kept until its copy is in Sent. */
export function copyIdentity(id: string): string {
  return `copy/${id}`;
}

function deletionOf({ id, state, at }: Pick<OutgoingMail, 'id' | 'at'> & { readonly state: string }): Change[] {
  return [
    { op: 'delete', table: 'outgoing', where: { id, state, at } },
    { op: 'delete', table: 'mailRaw', where: { identity: copyIdentity(id) } },
  ];
}

/**
 * As `releaseSlot`, but waits up to a minute while the store is away: later, nobody could tell any more that the mail was
 * not sent. On abort it rejects at once.
 */
export async function releaseWhileAway(
  mail: OutgoingMail,
  { store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Logger },
  { signal }: Abortable,
): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await releaseSlot(store, mail);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (attempts >= MAX_RELEASES)
        return log.warn('the store could not record that a mail was not sent', { id: mail.id, ...errorBody(error) });
    }
    await sleep(STORE_RETRY_MS, { clock, signal });
  }
}

/** Deletes records whose last change was before `beforeMs`, but never of a mail that may have been sent. */
export async function deleteOutgoing(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('outgoing', {
      where: [
        ['at', '<', beforeMs],
        ['state', 'in', ['ready', 'out']],
      ],
      limit: BATCH,
      bodies: false,
    });
    if (rows.length === 0) return;
    await store.apply(rows.flatMap(deletionOf));
  }
}

function slotsOf({ threadKey, perDay }: ThreadSlots, nowMs: number): string[] {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return Array.from({ length: perDay }, (_, n) => `${threadKey}/${day}/${n}`);
}

function rowOf({ id, slot, state, at, ...body }: OutgoingMail): Row<'outgoing'> {
  return { id, slot, state, at, body: JSON.stringify(body) };
}

function outgoingOf(row: Row<'outgoing'>): OutgoingMail {
  const { id, slot, state, at } = row;
  const rest = bodyOf<Omit<OutgoingMail, 'id' | 'slot' | 'state' | 'at'>>('outgoing', row);
  return { ...rest, id, slot, state: state as OutgoingState, at };
}

import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { Row, Store } from '../../store/store.ts';

/** `ready`: nothing was sent. `sending`: it may have been. `out`: it was. */
export type OutgoingState = 'ready' | 'sending' | 'out';

/** Rows deleted at a time. */
const BATCH = 50;

/** What is known of a mail that somebody sends. */
export interface OutgoingMail {
  readonly id: string;
  readonly slot: string;
  readonly state: OutgoingState;
  /** When the state was reached, in epoch milliseconds. */
  readonly at: number;
  readonly accountId: string;
  /** With angle brackets. */
  readonly messageId: string;
  /** Its Date header, in epoch milliseconds. */
  readonly dateMs: number;
  /** What it is about, where the same key must not be used for something else. */
  readonly fingerprint?: string;
  /** The process that sends it. */
  readonly worker: string;
  /** How long it may take that, in milliseconds, from the state `sending` on. */
  readonly limitMs?: number;
  /** Once it is out. */
  readonly ref?: string;
  readonly note?: string;
}

/** A thread's places of one day. */
export interface ThreadSlots {
  /** Keyed hash of the thread. */
  readonly threadKey: string;
  readonly perDay: number;
}

/** The id of a mail's row. */
export function outgoingId(messageId: string): string {
  return sha256(messageId).slice(0, 40);
}

/** What is known of a mail, or undefined where nobody has begun to send it. */
export async function readOutgoing(store: Store, id: string): Promise<OutgoingMail | undefined> {
  const row = await store.get('outgoing', { id });
  return row === undefined ? undefined : sendingOf(row);
}

/** How many of a thread's places are taken today. */
export async function countUsedSlots(store: Store, places: ThreadSlots, nowMs: number): Promise<number> {
  return store.count('outgoing', [['slot', 'in', slotsOf(places, nowMs)]]);
}

/**
 * Writes down that a mail is going to be sent, and takes one of the thread's places for it: two processes never get the same
 * one. Whoever comes second with the same id gets what the first has written. `REPLY_LIMIT` where no place is left.
 */
export async function reserveSlot(
  store: Store,
  sending: Omit<OutgoingMail, 'slot' | 'state'>,
  places: ThreadSlots | undefined,
): Promise<OutgoingMail> {
  const slots = places === undefined ? [sending.id] : slotsOf(places, sending.at);
  for (const slot of slots) {
    const reserved: OutgoingMail = { ...sending, slot, state: 'ready' };
    try {
      await store.apply([{ op: 'insert', table: 'outgoing', row: rowOf(reserved) }]);
      return reserved;
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
      const known = await readOutgoing(store, sending.id);
      if (known !== undefined) return known;
    }
  }
  throw limitReached(slots.length);
}

/** Why nothing more is sent to a thread today. */
export function limitReached(perDay: number): EngineError {
  const often =
    perDay === 0 ? 'no answers are sent' : `${perDay} answers were sent to this thread today, and no more are`;
  return new EngineError('REPLY_LIMIT', `${often} without a person`, {
    hint: 'leave it to a person: make a draft with mail_draft; the limit is reply.perThreadPerDay in the settings',
  });
}

/** Moves a mail on from the state it was read in. `STORE_CONFLICT` where somebody else has moved it. */
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

/** Takes back that a mail was to be sent: it is certain that it was not, and its place is free again. */
export async function releaseSlot(store: Store, { id, state, at }: OutgoingMail): Promise<void> {
  await store.apply([{ op: 'delete', table: 'outgoing', where: { id, state, at } }]);
}

/** Deletes what is known of mails whose state was reached before a time, but never of one that may have been sent. */
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
    await store.apply(rows.map(({ id, state, at }) => ({ op: 'delete', table: 'outgoing', where: { id, state, at } })));
  }
}

function slotsOf({ threadKey, perDay }: ThreadSlots, nowMs: number): string[] {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return Array.from({ length: perDay }, (_, n) => `${threadKey}/${day}/${n}`);
}

function rowOf({ id, slot, state, at, ...body }: OutgoingMail): Row<'outgoing'> {
  return { id, slot, state, at, body: JSON.stringify(body) };
}

function sendingOf({ id, slot, state, at, body }: Row<'outgoing'>): OutgoingMail {
  const rest = JSON.parse(body) as Omit<OutgoingMail, 'id' | 'slot' | 'state' | 'at'>;
  return { ...rest, id, slot, state: state as OutgoingState, at };
}

import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../store/store.ts';
import { compose, type Letter, messageIdOf } from './compose.ts';
import type { Mailbox, Outgoing } from '../mailbox.ts';
import {
  updateOutgoing,
  outgoingId,
  type ThreadSlots,
  readOutgoing,
  reserveSlot,
  type OutgoingMail,
  releaseSlot,
} from './outgoing-store.ts';

/** Who sends. */
export interface SendDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Id of this process. */
  readonly worker: string;
  /** Other processes may be sending on the same store. */
  readonly isShared: boolean;
}

/** A mail to be sent exactly once. */
export interface SendRequest {
  /** The same for every attempt. */
  readonly key: string;
  readonly accountId: string;
  /** Address of the account. */
  readonly email: string;
  readonly mailbox: Mailbox;
  readonly letter: () => Promise<Letter>;
  readonly isAutomatic: boolean;
  /** Where answers are counted. */
  readonly slots?: ThreadSlots | undefined;
  /** What it is about, where somebody else chose the key. */
  readonly fingerprint?: string | undefined;
}

export interface Delivered {
  readonly messageId: string;
  readonly ref?: string;
  readonly note?: string;
}

/** Longest time for one mail, in milliseconds, besides that for its bytes; providers answer in seconds. */
const SEND_MS = 90_000;
/** A megabit a second, as slow lines have it: 25 MB take three and a half minutes. */
const BYTES_PER_MS = 125;
/** After this long, beyond the time that it has, nobody sends any more whose mark it is. */
const DEAD_AFTER_MS = 30_000;

/** With these it is certain that nothing was sent; an `ACCOUNT_FAILED` only where trying again would not help. */
const CERTAIN = new Set([
  'MAIL_REFUSED',
  'MAIL_NOT_SENT',
  'ACCOUNT_NOT_CONNECTED',
  'ACCOUNT_GRANT_LOST',
  'ACCOUNT_SCOPE_MISSING',
]);

/** Mails that this process is sending, by id: who asks again waits for the same outcome. */
const underWay = new WeakMap<
  Store,
  Map<string, Pick<SendRequest, 'fingerprint'> & { readonly work: Promise<Delivered> }>
>();

/**
 * Sends a mail that was not sent before. What is going to happen is written down first, under an id that follows from the key,
 * and marked once it begins: a mark without an outcome means that it may have happened, and `findSent` decides. Errors: those of
 * `Mailbox.send`, `REPLY_LIMIT`, `CONFLICT` where the key was used for another mail, and `TOOL_OUTCOME_UNKNOWN` where only a
 * person can find out whether it was sent; with `insists` one has, and it is sent again unless it is found.
 */
export async function deliver(
  order: SendRequest,
  deps: SendDeps,
  { signal, insists = false }: Abortable & { readonly insists?: boolean } = {},
): Promise<Delivered> {
  const id = outgoingId(messageIdOf(order.key, order.email));
  let mine = underWay.get(deps.store);
  if (mine === undefined) underWay.set(deps.store, (mine = new Map()));
  const known = mine.get(id);
  expectSame(known, order.fingerprint);
  if (known !== undefined) return known.work;
  const work = attempt(id, order, deps, { signal, insists }).finally(() => mine.delete(id));
  mine.set(id, { fingerprint: order.fingerprint, work });
  return work;
}

/** What came of earlier attempts under this key; undefined where nothing was sent. Errors as of `deliver`. */
export async function findOutcome(
  order: Pick<SendRequest, 'key' | 'email' | 'mailbox' | 'fingerprint'>,
  deps: SendDeps,
  options: Abortable = {},
): Promise<Delivered | undefined> {
  const id = outgoingId(messageIdOf(order.key, order.email));
  const mine = underWay.get(deps.store)?.get(id);
  expectSame(mine, order.fingerprint);
  if (mine !== undefined) return mine.work;
  const sending = await readOutgoing(deps.store, id);
  expectSame(sending, order.fingerprint);
  if (sending === undefined || sending.state === 'ready') return undefined;
  if (sending.state === 'out') return deliveredOf(sending);
  return lookUp(sending, order.mailbox, deps, options);
}

async function attempt(
  id: string,
  order: SendRequest,
  deps: SendDeps,
  { signal, insists }: Abortable & { readonly insists: boolean },
): Promise<Delivered> {
  const { store, clock, worker } = deps;
  const { accountId, fingerprint } = order;
  const messageId = messageIdOf(order.key, order.email);
  const known = await readOutgoing(store, id);
  expectSame(known, fingerprint);
  if (known?.state === 'out') return deliveredOf(known);
  const earlier = known?.state === 'sending' ? await lookUpEarlier(known, order, deps, { signal, insists }) : undefined;
  if (earlier?.delivered !== undefined) return earlier.delivered;
  const letter = await order.letter();
  const now = clock.now();
  const fresh = { id, at: now, dateMs: now, accountId, messageId, worker, ...(fingerprint && { fingerprint }) };
  const ready = known ?? (await reserveSlot(store, fresh, order.slots));
  if (known === undefined) {
    // Another process may have been quicker while it was written.
    expectSame(ready, fingerprint);
    if (ready.state === 'out') return deliveredOf(ready);
    if (ready.state === 'sending') throw busy();
  }
  const stamp = { messageId, atMs: ready.dateMs, isAutomatic: order.isAutomatic, isDraft: false };
  const mail = await compose(letter, stamp).catch(async (error: unknown) => {
    if (ready.state === 'ready') await releaseSlot(store, ready);
    throw error;
  });
  signal?.throwIfAborted();
  const limitMs = SEND_MS + Math.ceil(mail.mime.byteLength / BYTES_PER_MS);
  const sending = await updateOutgoing(store, ready, { state: 'sending', at: clock.now(), worker, limitMs }).catch(
    (error: unknown) => {
      throw isConflict(error) ? busy(error) : error;
    },
  );
  return send({ sending, mail, isUnsure: earlier?.isUnsure === true }, order.mailbox, deps, signal);
}

/** What came of an attempt that has no outcome; `isUnsure` where nobody knows and a person wants it sent all the same. */
async function lookUpEarlier(
  known: OutgoingMail,
  { mailbox }: SendRequest,
  deps: SendDeps,
  { signal, insists }: Abortable & { readonly insists: boolean },
): Promise<{ readonly delivered?: Delivered | undefined; readonly isUnsure: boolean }> {
  try {
    return { delivered: await lookUp(known, mailbox, deps, { signal }), isUnsure: false };
  } catch (error) {
    signal?.throwIfAborted();
    if (!insists) throw error;
    return { isUnsure: true };
  }
}

/** One attempt; `isUnsure` where nobody knows whether an earlier one has sent it. */
async function send(
  { sending, mail, isUnsure }: { readonly sending: OutgoingMail; readonly mail: Outgoing; readonly isUnsure: boolean },
  mailbox: Mailbox,
  deps: SendDeps,
  signal: AbortSignal | undefined,
): Promise<Delivered> {
  const { store, clock } = deps;
  let current = sending;
  const limit = new AbortController();
  const late = () => limit.abort(new EngineError('ACCOUNT_FAILED', 'sending took too long', { retryable: true }));
  const cancel = clock.delay(late, sending.limitMs ?? SEND_MS);
  let isOut = false;
  const onSent = async () => {
    isOut = true;
    current = await updateOutgoing(store, current, { state: 'out', at: clock.now() });
  };
  try {
    const both = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
    const { ref, note } = await mailbox.send(mail, { signal: both, onSent });
    const outcome = { ...(ref !== undefined && { ref }), ...(note !== undefined && { note }) };
    // It is out, whether that can be written down or not: who asks later looks it up.
    current = await noteOut(current, outcome, deps);
    return { messageId: mail.messageId, ...outcome };
  } catch (error) {
    if (isOut) {
      const note = `after it was sent: ${errorBody(error).message}`;
      return deliveredOf(await noteOut(current, { note }, deps));
    }
    return await afterFailure(error, { sending: current, mailbox, isUnsure }, deps, signal);
  } finally {
    cancel();
  }
}

/** What came of a failed attempt: its outcome where it was sent all the same, else it throws and gives the place back. */
async function afterFailure(
  error: unknown,
  {
    sending,
    mailbox,
    isUnsure,
  }: { readonly sending: OutgoingMail; readonly mailbox: Mailbox; readonly isUnsure: boolean },
  deps: SendDeps,
  signal: AbortSignal | undefined,
): Promise<Delivered> {
  if (isCertain(error)) {
    if (isUnsure) throw unknown(`by an earlier attempt; this one failed: ${errorBody(error).message}`, error);
    await releaseSlot(deps.store, sending);
    throw error;
  }
  signal?.throwIfAborted();
  const found = await lookUp(sending, mailbox, deps, {}).catch((cause: unknown) => {
    throw unknown(`${errorBody(error).message}; ${errorBody(cause).message}`, cause);
  });
  if (found !== undefined) return found;
  await releaseSlot(deps.store, sending);
  throw error;
}

/** Whether a mail that may have been sent was: its outcome, or undefined where it is certain that it was not. */
async function lookUp(
  sending: OutgoingMail,
  mailbox: Mailbox,
  deps: SendDeps,
  { signal }: Abortable,
): Promise<Delivered | undefined> {
  const { clock, worker, isShared } = deps;
  // Another process may be at it this very moment, and what it sends is not among what was sent yet.
  const deadMs = (sending.limitMs ?? SEND_MS) + DEAD_AFTER_MS;
  const waitMs = isShared && sending.worker !== worker ? sending.at + deadMs - clock.now() : 0;
  if (waitMs > 0) await sleep(Math.min(waitMs, deadMs), { clock, signal });
  const now = waitMs > 0 ? ((await readOutgoing(deps.store, sending.id)) ?? sending) : sending;
  if (now.state === 'out') return deliveredOf(now);
  const found = await mailbox.findSent(now.messageId, { signal });
  if (found === undefined) return undefined;
  const { ref } = found;
  return deliveredOf(await noteOut(now, ref === undefined ? {} : { ref }, deps));
}

async function noteOut(
  sending: OutgoingMail,
  outcome: Pick<OutgoingMail, 'ref' | 'note'>,
  deps: SendDeps,
): Promise<OutgoingMail> {
  const { store, clock, log } = deps;
  const out: Partial<OutgoingMail> = { ...outcome, state: 'out', at: clock.now() };
  return updateOutgoing(store, sending, out).catch((error: unknown) => {
    log.warn('a mail was sent, and that could not be written down', { id: sending.id, ...errorBody(error) });
    return { ...sending, ...out };
  });
}

function expectSame(known: Pick<SendRequest, 'fingerprint'> | undefined, fingerprint: string | undefined): void {
  if (known === undefined || fingerprint === undefined || known.fingerprint === fingerprint) return;
  throw new EngineError('CONFLICT', 'this key was used for another mail already', {
    hint: 'take a new key for each mail, and the same one only to try again',
  });
}

function deliveredOf({ messageId, ref, note }: OutgoingMail): Delivered {
  return { messageId, ...(ref !== undefined && { ref }), ...(note !== undefined && { note }) };
}

function isCertain(error: unknown): boolean {
  if (!(error instanceof EngineError)) return false;
  return CERTAIN.has(error.code) || (error.code === 'ACCOUNT_FAILED' && !error.retryable);
}

function unknown(message: string, cause: unknown): EngineError {
  return new EngineError('TOOL_OUTCOME_UNKNOWN', `it may have been sent: ${message}`, {
    hint: 'look among what the account has sent before it is tried again',
    cause,
  });
}

function isConflict(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_CONFLICT';
}

function busy(cause?: unknown): EngineError {
  return new EngineError('BUSY', 'this mail is being sent by somebody else right now', { cause });
}

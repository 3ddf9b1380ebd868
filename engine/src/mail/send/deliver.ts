import { type Abortable, sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../store/store.ts';
import { compose, type Letter, messageIdOf } from './compose.ts';
import { busy, isCertain, isConflict, outcomeUnknown } from './send-errors.ts';
import type { Mailbox, Outgoing } from '../mailbox.ts';
import { storeRaw } from '../mail-store.ts';
import {
  copyIdentity,
  updateOutgoing,
  outgoingId,
  type ThreadSlots,
  readOutgoing,
  reserveSlot,
  type OutgoingMail,
  releaseSlot,
  releaseWhileAway,
} from './outgoing-store.ts';

/** Dependencies of sending. */
export interface SendDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** Id of this process. */
  readonly worker: string;
  /** Whether other processes may send on the same store. */
  readonly isShared: boolean;
}

/** A mail to send exactly once. */
export interface SendRequest {
  /** The same for every attempt. */
  readonly key: string;
  readonly accountId: string;
  /** Address of the account. */
  readonly email: string;
  readonly mailbox: Mailbox;
  readonly letter: () => Promise<Letter>;
  readonly isAutomatic: boolean;
  /** Limit on replies to a thread; undefined for no limit. */
  readonly slots?: ThreadSlots | undefined;
  /** Hash of the mail's content, where the key was chosen by a client. */
  readonly fingerprint?: string | undefined;
}

export interface Delivered {
  readonly messageId: string;
  readonly ref?: string;
  readonly note?: string;
}

/** Longest time for one mail without the time for its bytes; providers respond in seconds. */
const SEND_MS = 90_000;
/** A megabit per second, as on slow lines: 25 MB take three and a half minutes. */
const BYTES_PER_MS = 125;
/** This long after the time limit of an attempt, its process certainly no longer sends. */
const GRACE_MS = 30_000;

/** Mails that this process is sending, by id: a second call waits for the same outcome. */
const inProgress = new WeakMap<
  Store,
  Map<string, Pick<SendRequest, 'fingerprint'> & { readonly work: Promise<Delivered> }>
>();

/**
 * Sends a mail that was not sent before. Records the mail first, under an id derived from the key, and marks it
 * `sending` before the request. A record in this state without an outcome means that the mail may have been sent; then
 * `findSent` decides. Errors: those of `Mailbox.send`, `REPLY_LIMIT`, `CONFLICT` where the key was used for another
 * mail, and `TOOL_OUTCOME_UNKNOWN` where only a person can find out whether the mail was sent. `insists`: a person
 * decided to send again; the mail is sent unless it is found.
 */
export async function deliver(
  request: SendRequest,
  deps: SendDeps,
  { signal, insists = false }: Abortable & { readonly insists?: boolean } = {},
): Promise<Delivered> {
  const id = outgoingId(messageIdOf(request.key, request.email));
  let own = inProgress.get(deps.store);
  if (own === undefined) inProgress.set(deps.store, (own = new Map()));
  const known = own.get(id);
  expectSameMail(known, request.fingerprint);
  if (known !== undefined) return known.work;
  const work = attempt(id, request, deps, { signal, insists }).finally(() => own.delete(id));
  own.set(id, { fingerprint: request.fingerprint, work });
  return work;
}

/** The outcome of earlier attempts with this key; undefined where nothing was sent. Errors as of `deliver`. */
export async function findOutcome(
  request: Pick<SendRequest, 'key' | 'email' | 'mailbox' | 'fingerprint'>,
  deps: SendDeps,
  options: Abortable = {},
): Promise<Delivered | undefined> {
  const id = outgoingId(messageIdOf(request.key, request.email));
  const own = inProgress.get(deps.store)?.get(id);
  expectSameMail(own, request.fingerprint);
  if (own !== undefined) return own.work;
  const sending = await readOutgoing(deps.store, id);
  expectSameMail(sending, request.fingerprint);
  if (sending === undefined || sending.state === 'ready') return undefined;
  if (sending.state === 'out') return deliveredOf(sending);
  return lookUp(sending, request.mailbox, deps, options);
}

async function attempt(
  id: string,
  request: SendRequest,
  deps: SendDeps,
  { signal, insists }: Abortable & { readonly insists: boolean },
): Promise<Delivered> {
  const { store, clock, worker } = deps;
  const { accountId, fingerprint } = request;
  const messageId = messageIdOf(request.key, request.email);
  const known = await readOutgoing(store, id);
  expectSameMail(known, fingerprint);
  if (known?.state === 'out') return deliveredOf(known);
  const earlier =
    known?.state === 'sending' ? await lookUpEarlier(known, request, deps, { signal, insists }) : undefined;
  if (earlier?.delivered !== undefined) return earlier.delivered;
  const letter = await request.letter();
  const now = clock.now();
  const fresh = { id, at: now, dateMs: now, accountId, messageId, worker, ...(fingerprint && { fingerprint }) };
  const ready = known ?? (await reserveSlot(store, fresh, request.slots));
  if (known === undefined) {
    // Another process may have recorded the mail while this one wrote the letter.
    expectSameMail(ready, fingerprint);
    if (ready.state === 'out') return deliveredOf(ready);
    if (ready.state === 'sending') throw busy();
  }
  const stamp = { messageId, atMs: ready.dateMs, isAutomatic: request.isAutomatic, isDraft: false };
  const mail = await compose(letter, stamp).catch(async (error: unknown) => {
    if (ready.state === 'ready') await releaseSlot(store, ready);
    throw error;
  });
  signal?.throwIfAborted();
  if (request.mailbox.saveSent !== undefined) await storeRaw(store, copyIdentity(id), mail.mime);
  const limitMs = SEND_MS + Math.ceil(mail.mime.byteLength / BYTES_PER_MS);
  const sending = await updateOutgoing(store, ready, { state: 'sending', at: clock.now(), worker, limitMs }).catch(
    (error: unknown) => {
      throw isConflict(error) ? busy(error) : error;
    },
  );
  return send({ sending, mail, isUnsure: earlier?.isUnsure === true }, request.mailbox, deps, signal);
}

/**
 * Searches for the mail of an attempt without an outcome; `isUnsure` where the search failed and a person wants to send
 * again.
 */
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

/** Makes one attempt; `isUnsure` where it is unknown whether an earlier attempt sent the mail. */
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
    const combined = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
    const { ref, note } = await mailbox.send(mail, { signal: combined, onSent });
    const outcome = { ...(ref !== undefined && { ref }), ...(note !== undefined && { note }) };
    // The mail was sent. If recording this fails, a later call searches for the mail.
    current = await noteOut(current, outcome, deps);
    if (ref !== undefined && mailbox.saveSent !== undefined) await forgetCopy(current, deps);
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

/**
 * Handles a failed attempt: returns the outcome where the mail was sent all the same; else releases the slot and
 * throws.
 */
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
    if (isUnsure) throw outcomeUnknown(`by an earlier attempt; this one failed: ${errorBody(error).message}`, error);
    await releaseWhileAway(sending, deps, { signal });
    throw error;
  }
  signal?.throwIfAborted();
  const found = await lookUp(sending, mailbox, deps, {}).catch((cause: unknown) => {
    throw outcomeUnknown(`${errorBody(error).message}; ${errorBody(cause).message}`, cause);
  });
  if (found !== undefined) return found;
  await releaseWhileAway(sending, deps, { signal });
  throw error;
}

/**
 * Finds out whether a mail in the state `sending` was sent: returns its outcome, or undefined where it was certainly
 * not sent.
 */
async function lookUp(
  sending: OutgoingMail,
  mailbox: Mailbox,
  deps: SendDeps,
  { signal }: Abortable,
): Promise<Delivered | undefined> {
  const { clock, worker, isShared } = deps;
  // Another process may be sending it right now; then the mail is not in Sent yet.
  const end = endOf(sending);
  const waitMs = isShared && sending.worker !== worker ? end - clock.now() : 0;
  if (waitMs > 0) await sleep(Math.min(waitMs, end - sending.at), { clock, signal });
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
    log.warn('a mail was sent, but the store could not record it', { id: sending.id, ...errorBody(error) });
    return { ...sending, ...out };
  });
}

/** Deletes the bytes of a mail whose copy is in Sent; what fails is left to `SentCopies`. */
async function forgetCopy({ id }: OutgoingMail, { store, log }: SendDeps): Promise<void> {
  await store
    .apply([{ op: 'delete', table: 'mailRaw', where: { identity: copyIdentity(id) } }])
    .catch((error: unknown) => log.warn('the kept bytes of a sent mail stay for now', { id, ...errorBody(error) }));
}

/** Whether this process is sending the mail. */
export function isSending(store: Store, id: string): boolean {
  return inProgress.get(store)?.has(id) === true;
}

/** The moment after which the process of a record certainly works on the mail no more, in epoch milliseconds. */
export function endOf({ at, limitMs = SEND_MS }: OutgoingMail): number {
  return at + limitMs + GRACE_MS;
}

function expectSameMail(known: Pick<SendRequest, 'fingerprint'> | undefined, fingerprint: string | undefined): void {
  if (known === undefined || fingerprint === undefined || known.fingerprint === fingerprint) return;
  throw new EngineError('CONFLICT', 'this key was used for another mail already', {
    hint: 'Use a new key for each mail, and the same key only to try again.',
  });
}

function deliveredOf({ messageId, ref, note }: OutgoingMail): Delivered {
  return { messageId, ...(ref !== undefined && { ref }), ...(note !== undefined && { note }) };
}

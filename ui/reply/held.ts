import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import type { MailEntry } from '../http/api-types.ts';
import { refreshMails } from '../mail/mails.ts';
import { go, type Route, route } from '../shell/route.ts';
import { showToast } from '../widget/toast.ts';
import { replies, setReply } from './replies.ts';

/** Milliseconds in which a reply can be taken back. */
const HOLD_MS = 10_000;

/** A reply that the server does not know yet. */
export interface HeldReply {
  /** Key of its text: the id of a mail, or the key of an item. */
  readonly key: string;
  readonly mail: MailEntry;
  readonly body: { readonly id: string };
  /** Where it was written, to open it there again. */
  readonly place: Route;
}

/** Replies that can be taken back, the newest at the end. */
export const heldReplies = signal<readonly HeldReply[]>([]);
/** Why a reply was not sent, by its key. */
export const replyErrors = signal<ReadonlyMap<string, ErrorBody>>(new Map());
/** Key of the reply that was taken back last: its page opens it again. */
const reopened = signal<string | undefined>(undefined);

/** Opens the box of a reply again after it was taken back or could not be sent. */
export function useReopened(key: string, open: () => void): void {
  const wanted = reopened.value;
  useEffect(() => {
    if (wanted !== key) return;
    reopened.value = undefined;
    open();
  }, [wanted, key]);
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Whether a reply waits to be sent. */
export const isHeld = (key: string) => heldReplies.value.some((held) => held.key === key);

/** Keeps a checked reply for ten seconds, then sends it. */
export function holdReply(reply: Omit<HeldReply, 'place'>): void {
  setReplyError(reply.key, undefined);
  heldReplies.value = [...heldReplies.value, { ...reply, place: route.value }];
  timers.set(
    reply.key,
    setTimeout(() => void sendReply(reply.key), HOLD_MS),
  );
}

/** Takes the newest reply back, and opens it where it was written. */
export function undoReply(): void {
  const newest = heldReplies.value.at(-1);
  if (newest === undefined) return;
  drop(newest.key);
  const { screen, ids } = newest.place;
  go(screen, ids);
  reopened.value = newest.key;
}

/** Sends a held reply now. The server sends one id only once. */
export async function sendReply(key: string): Promise<void> {
  const reply = drop(key);
  if (reply === undefined) return;
  const { mail, body } = reply;
  try {
    const { note } = await request<{ readonly note?: string }>('POST', path`/api/emails/${mail.id}/reply`, {
      body,
      outlivesPage: true,
    });
    setReply(key, undefined);
    showToast([`Sent from ${mail.accountId}.`, note ?? ''].join(' ').trim(), note === undefined ? 'info' : 'warn');
  } catch (thrown) {
    const error = errorOfThrown(thrown);
    // It may have been sent. A person who checked and sends again means a new mail: it gets a new id.
    const left = replies.value.get(key);
    if (error.code === 'TOOL_OUTCOME_UNKNOWN' && left !== undefined) {
      const { lastRequest: _gone, ...rest } = left;
      setReply(key, rest);
    }
    setReplyError(key, error);
    reopened.value = key;
    showToast(`Reply not sent ("${mail.subject}"): ${error.message}`, 'bad');
  }
  await refreshMails([mail.id]);
}

/** Sends all held replies when the page is closed. Returns a function that stops it. */
export function startSendingReplies(): () => void {
  const sendAll = () => heldReplies.value.forEach(({ key }) => void sendReply(key));
  addEventListener('pagehide', sendAll);
  return () => removeEventListener('pagehide', sendAll);
}

/** Notes why a reply was not sent, or that this is over. */
export function setReplyError(key: string, error: ErrorBody | undefined): void {
  const next = new Map(replyErrors.value);
  if (error === undefined) next.delete(key);
  else next.set(key, error);
  replyErrors.value = next;
}

function drop(key: string): HeldReply | undefined {
  const found = heldReplies.value.find((held) => held.key === key);
  clearTimeout(timers.get(key));
  timers.delete(key);
  heldReplies.value = heldReplies.value.filter((held) => held !== found);
  return found;
}

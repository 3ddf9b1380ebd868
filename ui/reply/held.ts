import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { errorOfThrown, path, request } from '../http/request.ts';
import type { MailEntry } from '../http/api-types.ts';
import { refreshMails } from '../mail/mails.ts';
import { go, type Route, route } from '../shell/route.ts';
import { showToast } from '../widget/toast.ts';
import { offerUndo } from '../widget/undo.ts';
import { type Reply, replies, setReply } from './replies.ts';

/** Milliseconds in which a reply can be taken back. */
const HOLD_MS = 10_000;

/** A reply that the server does not know yet. */
export interface HeldReply {
  /** Key of its text: the id of a mail, or the key of an item. */
  readonly key: string;
  readonly mail: MailEntry;
  /** What is stored of it until it is sent. */
  readonly stored: Reply;
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

/** Ends the wait of a reply, and the offer to take it back. */
const stops = new Map<string, () => void>();

/** Whether a reply waits to be sent. */
export const isHeld = (key: string) => heldReplies.value.some((held) => held.key === key);

/** Keeps a checked reply for ten seconds, then sends it. It replaces one of the same key that still waits. */
export function holdReply(reply: Omit<HeldReply, 'place'>): void {
  takeBack(reply.key);
  setReplyError(reply.key, undefined);
  heldReplies.value = [...heldReplies.value, { ...reply, place: route.value }];
  const timer = setTimeout(() => void sendReply(reply.key), HOLD_MS);
  const endUndo = offerUndo(() => undoReply(reply.key));
  stops.set(reply.key, () => {
    clearTimeout(timer);
    endUndo();
  });
}

/** Takes a reply back, and opens it where it was written. */
export function undoReply(key: string): void {
  const reply = takeBack(key);
  if (reply === undefined) return;
  go(reply.place.screen, reply.place.ids);
  reopened.value = key;
}

/** Sends a held reply now. The server sends one id only once. */
export async function sendReply(key: string): Promise<void> {
  const reply = takeBack(key);
  if (reply === undefined) return;
  const { mail, body, stored } = reply;
  try {
    const { note } = await request<{ readonly note?: string }>('POST', path`/api/emails/${mail.id}/reply`, {
      body,
      outlivesPage: true,
    });
    // What was written meanwhile stays.
    if (replies.value.get(key) === stored) setReply(key, undefined);
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

/** Takes a reply back that waits, as its box is open again; undefined where none waits. */
export function takeBack(key: string): HeldReply | undefined {
  const found = heldReplies.value.find((held) => held.key === key);
  stops.get(key)?.();
  stops.delete(key);
  heldReplies.value = heldReplies.value.filter((held) => held !== found);
  return found;
}

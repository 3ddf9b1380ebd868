import { signal } from '@preact/signals';
import type { MoreDraft } from './form/more-fields.ts';
import type { ParticipantDraft } from './form/participant-draft.ts';

/** Unsent text by chat. It stays while other chats are shown, until the page is closed. */
export const chatDrafts = signal<ReadonlyMap<string, string>>(new Map());

/** What the form of a new chat holds. */
export interface NewChat {
  readonly presetId: string;
  readonly title: string;
  readonly context: string;
  readonly participants: readonly ParticipantDraft[];
  readonly more: MoreDraft;
}

/** The form of a new chat; undefined while nothing stands in it. It stays while other pages are shown. */
export const newChat = signal<NewChat | undefined>(undefined);

/** Keeps the unsent text of a chat; an empty one is removed. */
export function setChatDraft(chatId: string, text: string): void {
  const next = new Map(chatDrafts.value);
  if (text === '') next.delete(chatId);
  else next.set(chatId, text);
  chatDrafts.value = next;
}

let isAwaited = false;

/** Has the composer that appears next take the focus. */
export function awaitComposer(): void {
  isAwaited = true;
}

/** Whether somebody waits for the composer: true once after each `awaitComposer`. */
export function takeAwaited(): boolean {
  const was = isAwaited;
  isAwaited = false;
  return was;
}

/** What the composer shall show next: a text to insert at the cursor, with a number so that the same text can come twice. */
export const inserted = signal({ count: 0, text: '' });

/** Puts a text into the composer where its cursor stands, and the cursor after it. */
export function insertIntoComposer(text: string): void {
  inserted.value = { count: inserted.value.count + 1, text };
}

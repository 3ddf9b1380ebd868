import { signal } from '@preact/signals';

/** Unsent text by chat. It stays while other chats are shown, until the page is closed. */
export const chatDrafts = signal<ReadonlyMap<string, string>>(new Map());

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

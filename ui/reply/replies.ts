import { signal } from '@preact/signals';

/** An answer that somebody has begun. */
export interface Reply {
  readonly text: string;
  readonly all: boolean;
  /** What was asked of the server last, and under which key: the same words are never sent twice. */
  readonly lastRequest?: { readonly body: string; readonly id: string };
}

/** Answers that were begun, by what they were begun from. They outlive a look at another mail, not the page. */
export const replies = signal<ReadonlyMap<string, Reply>>(new Map());

/** Keeps an answer, or drops it. */
export function setReply(key: string, value: Reply | undefined): void {
  const next = new Map(replies.value);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  replies.value = next;
}

/** Whether an answer was begun there. */
export const hasReply = (key: string) => replies.value.has(key);

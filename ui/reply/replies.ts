import { signal } from '@preact/signals';

/** An unsent reply. */
export interface Reply {
  readonly text: string;
  /** Whether it goes to all recipients. */
  readonly all: boolean;
  /** Recipients and subject as the person typed them; absent where they are as proposed. */
  readonly to?: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly subject?: string;
  /** Ids of results that go along. */
  readonly attachments?: readonly string[];
  /** The last request and its id. A repeated request has the same id, so that the server never sends the mail twice. */
  readonly lastRequest?: { readonly body: string; readonly id: string };
}

/** Unsent replies by mail id or item key. They stay while other mails are shown, until the page is closed. */
export const replies = signal<ReadonlyMap<string, Reply>>(new Map());

/** Stores a reply, or removes it. */
export function setReply(key: string, value: Reply | undefined): void {
  const next = new Map(replies.value);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  replies.value = next;
}

/** Whether there is an unsent reply for this key. */
export const hasReply = (key: string) => replies.value.has(key);

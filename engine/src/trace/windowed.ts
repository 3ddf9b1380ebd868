import { envelopeOf } from '../config/prompt/envelope.ts';

/** What a request carries in place of the first messages of its thread. */
export interface RequestWindow {
  /** Number of messages at the start of the thread that are left out, but for system messages. */
  readonly from: number;
  /** The message that stands for them. */
  readonly summary: string;
  /** Number of messages at the start that are sent all the same: the prompt. Default 0. */
  readonly keep?: number;
}

/** A message of a transcript, as far as a request changes it. */
interface StoredMessage {
  readonly role: string;
  readonly content?: string | null;
  /** Mark of the envelope in which models get the content: the words of it may be of strangers. */
  readonly untrusted?: string;
}

/**
 * The messages of a request with a window: the system messages before it and what it keeps, the summary as a user message, and the rest of
 * the thread.
 */
export function windowedMessages<T extends StoredMessage>(
  messages: readonly T[],
  { from, summary, keep = 0 }: RequestWindow,
): (T | { readonly role: 'user'; readonly content: string })[] {
  const first = messages.slice(0, from).filter(({ role }, n) => n < keep || role === 'system');
  return [...first, { role: 'user', content: summary }, ...shownMessages(messages.slice(from))];
}

/** Rendered messages, so that a long transcript is rendered once. */
const rendered = new WeakMap<StoredMessage, StoredMessage>();

/** Stored messages as models get them: results with the words of strangers stand in their envelopes. */
export function shownMessages<T extends StoredMessage>(messages: readonly T[]): T[] {
  return messages.map((message) => (message.untrusted === undefined ? message : shown(message)));
}

function shown<T extends StoredMessage>(message: T): T {
  let text = rendered.get(message);
  if (text === undefined) {
    const { untrusted = '', ...rest } = message;
    text = { ...rest, content: envelopeOf(message.content ?? '', 'RESULT', untrusted.slice('RESULT-'.length)) };
    rendered.set(message, text);
  }
  return text as T;
}

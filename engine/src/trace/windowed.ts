/** What a request carries in place of the first messages of its thread. */
export interface RequestWindow {
  /** Number of messages at the start of the thread that are left out, but for system messages. */
  readonly from: number;
  /** The message that stands for them. */
  readonly summary: string;
}

/**
 * The messages of a request with a window: the system messages before it, the summary as a user message, and the rest of
 * the thread.
 */
export function windowedMessages<T extends { readonly role: string }>(
  messages: readonly T[],
  { from, summary }: RequestWindow,
): (T | { readonly role: 'user'; readonly content: string })[] {
  const system = messages.slice(0, from).filter(({ role }) => role === 'system');
  return [...system, { role: 'user', content: summary }, ...messages.slice(from)];
}

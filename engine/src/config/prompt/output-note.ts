import type { RenderedMessage } from './transcript.ts';

/**
 * The first messages of a thread whose final answer must match a JSON Schema: they say so in a system message after all others. It
 * stands there for every provider, since a fallback may be one without a mode for it.
 */
export function withOutputNote(
  messages: readonly RenderedMessage[],
  schema: Readonly<Record<string, unknown>> | undefined,
): RenderedMessage[] {
  if (schema === undefined) return [...messages];
  const content = `Your final answer is one JSON value that matches this JSON Schema, and nothing else: no words before or after it.\n${JSON.stringify(schema)}`;
  const at = messages.findLastIndex(({ role }) => role === 'system') + 1;
  return messages.toSpliced(at, 0, { role: 'system', content });
}

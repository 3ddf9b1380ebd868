import type { Message } from '../../model/model.ts';
import { type ContentText, readContent } from './content-text.ts';
import type { EntityMap } from './entity-map.ts';
import type { PrivateSpan } from '../privacy/private-span.ts';
import type { PrivateMention } from './mentions.ts';
import { redactContents } from './redact-text.ts';

/** A message that no model has seen yet, and what of it a recogniser reads. */
export interface UnredactedMessage {
  /** Its place in the thread, from 1; 0 for the summary of the thread. */
  readonly seq: number;
  readonly message: Message;
  /** True for the words of the user. */
  readonly isUserWords: boolean;
}

/** The same with what a recogniser has found: one list for each of `contentsOf`. */
export interface FoundMessage extends UnredactedMessage {
  readonly spans: readonly (readonly PrivateSpan[])[];
  /** Values that the memories in it name. */
  readonly mentions?: readonly PrivateMention[];
}

/** For the first system message: what the placeholders are. */
const NOTE =
  'Note from the engine: names, phone numbers, e-mail addresses, IBANs and card numbers are replaced by placeholders of the form <KIND_N>, a kind in capitals and a number. The same placeholder always stands for the same value. Use placeholders like the values, copy them exactly, and never make one up.';

/** The texts of a message: its content, a refusal, and the arguments of its calls. */
export function contentsOf(message: Message): ContentText[] {
  return textsOf(message).map(readContent);
}

/** Redacts messages together: what one of them shows is redacted in all. New values are added to the map. */
export function redactMessages(map: EntityMap, found: readonly FoundMessage[]): Message[] {
  for (const { mentions = [] } of found)
    for (const { kind, text } of mentions) if (map.hides(kind)) map.assign(kind, text);
  const contents = found.flatMap(({ message, spans }) =>
    contentsOf(message).map((content, n) => ({ content, spans: spans[n] ?? [] })),
  );
  const texts = redactContents(map, contents);
  return found.map(({ seq, message }) => {
    const redacted = withTexts(message, () => texts.shift() ?? '');
    return seq === 1 && redacted.role === 'system'
      ? { ...redacted, content: `${redacted.content}\n\n${NOTE}` }
      : redacted;
  });
}

function textsOf(message: Message): string[] {
  const content = message.content === null ? [] : [message.content];
  if (message.role !== 'assistant') return content;
  const refusal = message.refusal === undefined ? [] : [message.refusal];
  return [...content, ...refusal, ...(message.tool_calls ?? []).map((call) => call.function.arguments)];
}

/** The message with other texts, in the order of `textsOf`. */
function withTexts(message: Message, next: () => string): Message {
  if (message.role !== 'assistant') return { ...message, content: next() };
  const { tool_calls: calls } = message;
  return {
    ...message,
    content: message.content === null ? null : next(),
    ...(message.refusal !== undefined && { refusal: next() }),
    ...(calls !== undefined && {
      tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, arguments: next() } })),
    }),
  };
}

import { createJsonCache } from '../protocol/json-cache.ts';
import type { Message, Reasoning, ToolSpec } from '../model.ts';
import { type BodyWriter, wireName } from '../protocol/chat-format.ts';

interface Options {
  readonly model: string;
  readonly stream: boolean;
}

/** Less is refused (API reference, `max_output_tokens`). */
const MIN_OUTPUT_TOKENS = 16;

/**
 * A writer of OpenAI's `POST /v1/responses` (API reference, Create a response). The transcript is that of chat
 * completions: a message becomes one item or several, calls and results items of their own, tied by `call_id`. Nothing is
 * to be stored there (`store: false`), so no item is named by its id: what is named is looked up, and not found. Sealed
 * thinking goes back with the calls that came of it until the user speaks again, when it no longer counts (guide,
 * Reasoning, "Keeping reasoning items in context"); so a key that was changed cannot spoil a session for good. Items are
 * written once for each message and kept.
 */
export function createResponsesWriter({ model, stream }: Options): BodyWriter {
  const keepPlain = createJsonCache();
  const keepThinking = createJsonCache();
  const head = `{"model":${JSON.stringify(model)},${stream ? '"stream":true,' : ''}"store":false`;
  return (messages, tools, { maxTokens } = {}) => {
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    const input = messages.map((message, place) => {
      const isThinking = place > lastUser && message.role === 'assistant' && message.reasoning !== undefined;
      const keep = isThinking ? keepThinking : keepPlain;
      return keep(message, () =>
        wireItems(message, isThinking)
          .map((item) => JSON.stringify(item))
          .join(','),
      );
    });
    const limit = maxTokens === undefined ? '' : `,"max_output_tokens":${Math.max(maxTokens, MIN_OUTPUT_TOKENS)}`;
    const body = `${head}${limit},"input":[${input.filter((text) => text !== '').join(',')}]`;
    if (tools.length === 0) return `${body}}`;
    return `${body},"tools":[${tools.map((tool) => keepPlain(tool, () => JSON.stringify(wireTool(tool)))).join(',')}]}`;
  };
}

/** None where an answer holds nothing. */
function wireItems(message: Message, isThinking: boolean): object[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
  if (message.role !== 'assistant') return [message];
  const { content, refusal, phase, tool_calls: calls = [], reasoning = [] } = message;
  const text = content || refusal || '';
  const thought = (at: number) => (isThinking ? reasoning.filter((piece) => piece.at === at).map(wireThought) : []);
  return [
    ...thought(0),
    ...(text === '' ? [] : [{ role: 'assistant', content: text, ...(phase !== undefined && { phase }) }]),
    ...calls.flatMap(({ id, function: { name, arguments: written } }, place) => [
      ...(place === 0 ? [] : thought(place)),
      { type: 'function_call', call_id: id, name: wireName(name), arguments: written },
    ]),
  ];
}

function wireThought({ sealed }: Reasoning): object {
  return { type: 'reasoning', summary: [], encrypted_content: sealed };
}

/** Here, unlike in chat completions, a schema is strict unless it says otherwise, and ours need not fit that. */
function wireTool({ function: { name, description, parameters } }: ToolSpec): object {
  return { type: 'function', name, description, parameters, strict: false };
}

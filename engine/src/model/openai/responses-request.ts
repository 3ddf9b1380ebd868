import { createJsonCache } from '../protocol/json-cache.ts';
import type { Message, Reasoning, ToolSpec } from '../model.ts';
import { openaiFormat } from '../protocol/output-format.ts';
import { type BodyWriter, wireName } from '../protocol/chat-format.ts';

interface Options {
  readonly model: string;
  readonly stream: boolean;
  /** Whether the server takes the schema of an answer. */
  readonly structuredOutput: boolean;
}

/** The API rejects less (API reference, `max_output_tokens`). */
const MIN_OUTPUT_TOKENS = 16;

/**
 * A writer of OpenAI's `POST /v1/responses` (API reference, Create a response). Each message of the transcript becomes one
 * or more items; calls and results are items of their own, linked by `call_id`. OpenAI stores nothing (`store: false`), so
 * items have no ids: the API would look them up and not find them. Encrypted reasoning is sent back with its calls until
 * the next user message; after that it no longer counts (guide, Reasoning, "Keeping reasoning items in context"), so a
 * changed key cannot break a session forever. The items of a message are written once and cached.
 */
export function createResponsesWriter({ model, stream, structuredOutput }: Options): BodyWriter {
  const plainJson = createJsonCache();
  const reasoningJson = createJsonCache();
  const head = `{"model":${JSON.stringify(model)},${stream ? '"stream":true,' : ''}"store":false`;
  return (messages, tools, { maxTokens, output } = {}) => {
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    const input = messages.map((message, index) => {
      const hasReasoning = index > lastUser && message.role === 'assistant' && message.reasoning !== undefined;
      const cached = hasReasoning ? reasoningJson : plainJson;
      return cached(message, () =>
        wireItems(message, hasReasoning)
          .map((item) => JSON.stringify(item))
          .join(','),
      );
    });
    const limit = maxTokens === undefined ? '' : `,"max_output_tokens":${Math.max(maxTokens, MIN_OUTPUT_TOKENS)}`;
    const format = output && structuredOutput ? openaiFormat(output, plainJson) : undefined;
    const text = format === undefined ? '' : `,"text":{"format":{"type":"json_schema",${format}}}`;
    const body = `${head}${limit}${text},"input":[${input.filter((text) => text !== '').join(',')}]`;
    if (tools.length === 0) return `${body}}`;
    return `${body},"tools":[${tools.map((tool) => plainJson(tool, () => JSON.stringify(wireTool(tool)))).join(',')}]}`;
  };
}

/** The items of a message; none for an empty answer. */
function wireItems(message: Message, hasReasoning: boolean): object[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
  if (message.role !== 'assistant') return [message];
  const { content, refusal, phase, tool_calls: calls = [], reasoning = [] } = message;
  const text = content || refusal || '';
  const reasoningAt = (at: number) =>
    hasReasoning ? reasoning.filter((piece) => piece.at === at).map(wireReasoning) : [];
  return [
    ...reasoningAt(0),
    ...(text === '' ? [] : [{ role: 'assistant', content: text, ...(phase !== undefined && { phase }) }]),
    ...calls.flatMap(({ id, function: { name, arguments: written } }, index) => [
      ...(index === 0 ? [] : reasoningAt(index)),
      { type: 'function_call', call_id: id, name: wireName(name), arguments: written },
    ]),
  ];
}

function wireReasoning({ sealed }: Reasoning): object {
  return { type: 'reasoning', summary: [], encrypted_content: sealed };
}

/** Unlike in chat completions, schemas are strict by default here. Our schemas need not meet that, so `strict` is false. */
function wireTool({ function: { name, description, parameters } }: ToolSpec): object {
  return { type: 'function', name, description, parameters, strict: false };
}

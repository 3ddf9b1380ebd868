import { createJsonCache } from '../protocol/json-cache.ts';
import type { Message, ToolCall, ToolSpec } from '../model.ts';
import { plainFormat } from '../protocol/output-format.ts';
import { type BodyWriter, objectText, wireName } from '../protocol/chat-format.ts';

interface Options {
  readonly model: string;
  readonly stream: boolean;
  /** Size of the context in tokens. */
  readonly contextTokens: number;
  /** Whether the server takes the schema of an answer. */
  readonly structuredOutput: boolean;
}

/**
 * A writer of Ollama's `POST /api/chat` (its API reference). It differs from OpenAI's transcript in two points: the
 * arguments of past calls are objects, and results name their tool. Each message is written once and cached.
 */
export function createOllamaWriter({ model, stream, contextTokens, structuredOutput }: Options): BodyWriter {
  const cached = createJsonCache();
  return (messages, tools, { maxTokens, output } = {}) => {
    const nameOf = namesOf(messages);
    const options = { num_ctx: contextTokens, ...(maxTokens !== undefined && { num_predict: maxTokens }) };
    const head = `{"model":${JSON.stringify(model)},"stream":${stream},"options":${JSON.stringify(options)}`;
    const sent = messages.map((message) => cached(message, () => JSON.stringify(wireOllama(message, nameOf))));
    // With `format` the model could call no tool: every answer is kept to the schema.
    const format = output && structuredOutput && tools.length === 0 ? plainFormat(output, cached) : undefined;
    const formed = format === undefined ? '' : `,"format":${format}`;
    const body = `${head}${formed},"messages":[${sent.join(',')}]`;
    if (tools.length === 0) return `${body}}`;
    return `${body},"tools":[${tools.map((tool: ToolSpec) => cached(tool, () => JSON.stringify(tool))).join(',')}]}`;
  };
}

/** Looks up the tool of a call by the call's id. */
function namesOf(messages: readonly Message[]): (id: string) => string | undefined {
  let names: Map<string, string> | undefined;
  return (id) => {
    names ??= new Map(
      messages.flatMap((message) =>
        message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => [call.id, call.function.name]) : [],
      ),
    );
    return names.get(id);
  };
}

function wireOllama(message: Message, nameOf: (id: string) => string | undefined): object {
  if (message.role === 'tool') {
    const { tool_call_id: id, content } = message;
    const name = nameOf(id);
    return { role: 'tool', content, tool_call_id: id, ...(name !== undefined && { tool_name: wireName(name) }) };
  }
  if (message.role !== 'assistant') return message;
  const { content, refusal, tool_calls: calls = [] } = message;
  return {
    role: 'assistant',
    content: content ?? refusal ?? '',
    ...(calls.length > 0 && { tool_calls: calls.map(wireCall) }),
  };
}

function wireCall({ id, function: { name, arguments: text } }: ToolCall): object {
  const args: unknown = JSON.parse(objectText(text));
  return { id, function: { name: wireName(name), arguments: args } };
}

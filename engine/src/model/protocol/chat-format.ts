import { isRecord, isTooDeep } from '../../base/json.ts';
import { createJsonCache } from './json-cache.ts';
import { openaiFormat } from './output-format.ts';
import type { Message, ModelRequest, ToolCall, ToolSpec } from '../model.ts';

/** Dialect of a server: OpenAI's own API, or a compatible API that supports less. */
export type ChatDialect = 'openai' | 'compatible' | 'ollama';

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether OpenAI accepts this function name: 1 to 64 letters, digits, `_` or `-` (API reference, chat, tools). */
export function isValidToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}

/**
 * Converts a message of the transcript into the message that is sent. Most messages stay as they are. A message that the
 * server would reject is changed, so that one odd answer does not block the rest of the run:
 * - a tool name that OpenAI rejects is replaced by a valid one;
 * - a refusal becomes a content part for OpenAI (API reference, assistant message) and plain content for others;
 * - an answer without content becomes an empty text (`null` is rejected in a message without calls);
 * - Ollama parses the arguments of past calls and rejects anything but a JSON object: other arguments are wrapped in one.
 */
export function wireMessage(message: Message, dialect: ChatDialect): object {
  if (message.role !== 'assistant') return message;
  const { content, tool_calls: calls, refusal } = message;
  const isEmpty = content === null || content === '';
  const hasCalls = calls !== undefined && calls.length > 0;
  const sent: Record<string, unknown> = { role: 'assistant', content: content ?? (hasCalls ? null : '') };
  if (refusal !== undefined && isEmpty && !hasCalls) {
    sent['content'] = dialect === 'openai' ? [{ type: 'refusal', refusal }] : refusal;
  }
  if (hasCalls) sent['tool_calls'] = calls.map((call) => wireCall(call, dialect));
  return sent;
}

function wireCall(call: ToolCall, dialect: ChatDialect): ToolCall {
  const { name } = call.function;
  const text = call.function.arguments;
  const isGoodText = dialect !== 'ollama' || isJsonObject(text);
  if (isValidToolName(name) && isGoodText) return call;
  return {
    id: call.id,
    type: 'function',
    function: { name: wireName(name), arguments: isGoodText ? text : objectText(text) },
  };
}

/** The tool name of a past call, changed where servers would reject it. */
export function wireName(name: string): string {
  return isValidToolName(name) ? name : name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

/** The arguments of a past call as the JSON text of an object. Other text is wrapped in an object. */
export function objectText(text: string): string {
  if (isJsonObject(text)) return text;
  return text.trim() === '' ? '{}' : JSON.stringify({ invalid: text });
}

function isJsonObject(text: string): boolean {
  if (isTooDeep(text)) return false;
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}

interface BodyOptions {
  readonly model: string;
  readonly dialect: ChatDialect;
  readonly stream: boolean;
  /** Whether the server takes the schema of an answer. */
  readonly structuredOutput: boolean;
}

/** Writes the body of a request as JSON text. */
export type BodyWriter = (
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  options?: Pick<ModelRequest, 'maxTokens' | 'output'>,
) => string;

/**
 * A writer for one model. It serializes each message and each tool once. A streamed answer contains token counts only on
 * request (API reference, `stream_options`).
 */
export function createBodyWriter({ model, dialect, stream, structuredOutput }: BodyOptions): BodyWriter {
  const cached = createJsonCache();
  const streamed = stream ? '"stream":true,"stream_options":{"include_usage":true},' : '';
  // OpenAI's newer models reject the older name; other servers support only that one.
  const limit = dialect === 'openai' ? 'max_completion_tokens' : 'max_tokens';
  const head = `{"model":${JSON.stringify(model)},${streamed}`;
  const write = (value: Message | ToolSpec): string =>
    cached(value, () => JSON.stringify('role' in value ? wireMessage(value, dialect) : value));
  return (messages, tools, { maxTokens, output } = {}) => {
    const limited = maxTokens === undefined ? head : `${head}"${limit}":${maxTokens},`;
    // Ollama keeps every answer to the schema, so that the model could call no tool.
    const isSent = structuredOutput && (dialect !== 'ollama' || tools.length === 0);
    const format = output && isSent ? openaiFormat(output, cached) : undefined;
    const formed = format === undefined ? '' : `"response_format":{"type":"json_schema","json_schema":{${format}}},`;
    const body = `${limited}${formed}"messages":[${messages.map(write).join(',')}`;
    // Servers reject an empty list of tools.
    return tools.length === 0 ? `${body}]}` : `${body}],"tools":[${tools.map(write).join(',')}]}`;
  };
}

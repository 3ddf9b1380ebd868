import { isRecord } from '../../base/json.ts';
import { createJsonCache } from './json-cache.ts';
import type { Message, ModelRequest, ToolCall, ToolSpec } from '../model.ts';

/** What a server takes: OpenAI's own API, or a likeness of it that knows less. */
export type ChatDialect = 'openai' | 'compatible' | 'ollama';

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether OpenAI takes this as the name of a function: 1 to 64 letters, digits, `_` or `-` (API reference, chat, tools). */
export function isValidToolName(name: string): boolean {
  return TOOL_NAME.test(name);
}

/**
 * A message of the transcript as it is sent. Almost always the message itself; what a server would refuse is put in a
 * form that it takes, so that one odd answer does not make the rest of the run impossible:
 * - a call of a name that OpenAI refuses gets a name that it takes;
 * - a refusal becomes a content part at OpenAI (API reference, assistant message), plain content elsewhere;
 * - an answer without any content is an empty text (`null` is refused without calls);
 * - Ollama parses the arguments of past calls and refuses what is no JSON object: there they are wrapped in one.
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

/** The name of a past call in a form that servers take. */
export function wireName(name: string): string {
  return isValidToolName(name) ? name : name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

/** The arguments of a past call as the JSON text of an object: what is none is wrapped in one, so that it can be read. */
export function objectText(text: string): string {
  if (isJsonObject(text)) return text;
  return text.trim() === '' ? '{}' : JSON.stringify({ invalid: text });
}

function isJsonObject(text: string): boolean {
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
}

/** Writes the body of a request as JSON text. */
export type BodyWriter = (
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  limits?: Pick<ModelRequest, 'maxTokens'>,
) => string;

/**
 * A writer for one model; the JSON of messages and tools is made once. A streamed answer is asked for its count of tokens,
 * which otherwise none has (API reference, `stream_options`).
 */
export function createBodyWriter({ model, dialect, stream }: BodyOptions): BodyWriter {
  const keep = createJsonCache();
  const streamed = stream ? '"stream":true,"stream_options":{"include_usage":true},' : '';
  // OpenAI's newer models refuse the older name; other servers know only that.
  const limit = dialect === 'openai' ? 'max_completion_tokens' : 'max_tokens';
  const head = `{"model":${JSON.stringify(model)},${streamed}`;
  const write = (value: Message | ToolSpec): string =>
    keep(value, () => JSON.stringify('role' in value ? wireMessage(value, dialect) : value));
  return (messages, tools, { maxTokens } = {}) => {
    const limited = maxTokens === undefined ? head : `${head}"${limit}":${maxTokens},`;
    const body = `${limited}"messages":[${messages.map(write).join(',')}`;
    // An empty list of tools is refused.
    return tools.length === 0 ? `${body}]}` : `${body}],"tools":[${tools.map(write).join(',')}]}`;
  };
}

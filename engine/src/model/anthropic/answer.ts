import { isRecord } from '../../base/json.ts';
import { badAnswer, classifyProviderError, quote } from '../protocol/classify-error.ts';
import type { ModelAnswer, Usage } from '../model.ts';
import type { AnswerBody, ReadContext } from '../protocol/protocol.ts';
import { readCalls } from '../protocol/read-tool-calls.ts';
import { readCount } from '../protocol/token-count.ts';

/** HTTP status by error type, for errors in mid-stream, which come under status 200 (API reference, Errors). */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};
const REFUSED = 'The model refused to answer.';

/**
 * Reads an answer of Anthropic's Messages API into a `ModelAnswer`. It ignores thinking, and text before a refusal (API
 * reference, Handling stop reasons). Throws `MODEL_BAD_ANSWER` if the answer is not a message, and the code of the error
 * if an answer of status 200 contains one.
 */
export function readMessage(received: AnswerBody, { turn, target }: Pick<ReadContext, 'turn' | 'target'>): ModelAnswer {
  const { json, raw, headers } = received;
  if (json['type'] === 'error' || isRecord(json['error'])) {
    const error = isRecord(json['error']) ? json['error'] : {};
    const type = typeof error['type'] === 'string' ? error['type'] : '';
    const message = typeof error['message'] === 'string' ? error['message'] : raw;
    throw classifyProviderError({ status: STATUS[type] ?? 500, message, type, headers }, target);
  }
  const content: unknown = json['content'];
  if (!Array.isArray(content))
    throw badAnswer(`answered without content: ${quote(raw, target)}`, target, { retryable: true });
  const blocks = content.filter(isRecord);
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const usage = readMessageUsage(json['usage']);
  const rest = {
    ...(usage !== undefined && { usage }),
    model: typeof json['model'] === 'string' && json['model'] !== '' ? json['model'] : target.model,
    raw,
  };
  if (json['stop_reason'] === 'refusal') {
    const refusal = explanationOf(json['stop_details']) ?? (texts.join('') || REFUSED);
    return { message: { role: 'assistant', content: null, refusal }, stop: 'refusal', ...rest };
  }
  const calls = readCalls(
    {
      tool_calls: blocks.flatMap(({ type, id, name, input }) => (type === 'tool_use' ? [{ id, name, input }] : [])),
    },
    turn,
  );
  const text = texts.length > 0 ? texts.join('') : calls.length > 0 ? null : '';
  return {
    message: { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) },
    stop: readStop(json['stop_reason'], calls.length > 0),
    ...rest,
  };
}

/** Token counts; undefined if there are none, or absurd ones. Tokens read from the cache or written to it count as input. */
export function readMessageUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const keys = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'] as const;
  const [input, output, created, cached] = keys.map((key) => readCount(usage[key]));
  if (input === undefined && output === undefined) return undefined;
  const counts = [input, output, created, cached].map((count) => count ?? 0);
  if (!counts.every((count) => typeof count === 'number')) return undefined;
  const [read = 0, outputTokens = 0, written = 0, cachedInputTokens = 0] = counts;
  return { inputTokens: read + written + cachedInputTokens, outputTokens, cachedInputTokens };
}

function readStop(reason: unknown, hasCalls: boolean): ModelAnswer['stop'] {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  return hasCalls ? 'tool_calls' : 'stop';
}

function explanationOf(details: unknown): string | undefined {
  const text = isRecord(details) ? details['explanation'] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

import { isRecord } from '../../base/json.ts';
import { badAnswer, quote } from '../protocol/classify-error.ts';
import { errorInBody } from '../protocol/error-in-body.ts';
import type { ModelAnswer, Usage } from '../model.ts';
import type { AnswerBody, ReadContext } from '../protocol/protocol.ts';
import { readCalls } from '../protocol/read-tool-calls.ts';
import { readCount } from '../protocol/token-count.ts';

/**
 * Reads a chat completion into a `ModelAnswer`. Servers differ, so it accepts content in parts, the old `function_call`,
 * arguments that are an object, and missing or repeated call ids. Throws `MODEL_BAD_ANSWER` if the answer is not a
 * completion, and the code of the error if an answer of status 200 contains one (OpenRouter).
 */
export function readAnswer(received: AnswerBody, { turn, target }: Pick<ReadContext, 'turn' | 'target'>): ModelAnswer {
  const { json, raw, headers } = received;
  if (json['error'] !== undefined && json['error'] !== null) throw errorInBody(json['error'], headers, target);
  const choice: unknown = Array.isArray(json['choices']) ? json['choices'][0] : undefined;
  if (!isRecord(choice))
    throw badAnswer(`answered without a choice: ${quote(raw, target)}`, target, { retryable: true });
  if (isRecord(choice['error'])) throw errorInBody(choice['error'], headers, target);
  const message = choice['message'];
  if (!isRecord(message))
    throw badAnswer(`answered without a message: ${quote(raw, target)}`, target, { retryable: true });

  const calls = readCalls(message, turn);
  const { content, refusal } = readContent(message);
  const usage = readUsage(json['usage']);
  return {
    message: {
      role: 'assistant',
      // Null only if the answer has tool calls or a refusal.
      content: content ?? (calls.length > 0 || refusal !== undefined ? null : ''),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(refusal !== undefined && { refusal }),
    },
    stop: readStop(choice['finish_reason'], calls.length > 0, refusal !== undefined),
    ...(usage !== undefined && { usage }),
    model: typeof json['model'] === 'string' && json['model'] !== '' ? json['model'] : target.model,
    raw,
  };
}

/** Joins text parts. A refusal is a field of its own or a part (API reference, chat completion object). */
export function readContent(message: Record<string, unknown>): {
  content: string | null;
  refusal: string | undefined;
} {
  const given: unknown = message['content'];
  const parts: unknown[] = Array.isArray(given) ? given : [given];
  let content: string | null = null;
  let refusal = typeof message['refusal'] === 'string' && message['refusal'] !== '' ? message['refusal'] : undefined;
  for (const part of parts) {
    const text = typeof part === 'string' ? part : isRecord(part) ? part['text'] : undefined;
    if (typeof text === 'string') content = (content ?? '') + text;
    if (isRecord(part) && typeof part['refusal'] === 'string') refusal = (refusal ?? '') + part['refusal'];
  }
  return { content, refusal };
}

function readStop(reason: unknown, hasCalls: boolean, hasRefusal: boolean): ModelAnswer['stop'] {
  if (hasRefusal || reason === 'content_filter' || reason === 'refusal') return 'refusal';
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  // Some servers send "stop" with calls, and some "tool_calls" without any.
  return hasCalls ? 'tool_calls' : 'stop';
}

/** Token counts by the names of chat completions or of the Responses API; undefined if there are none, or absurd ones. */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = readCount(usage['prompt_tokens'] ?? usage['input_tokens']);
  const output = readCount(usage['completion_tokens'] ?? usage['output_tokens']);
  if (input === 'absurd' || output === 'absurd' || (input === undefined && output === undefined)) return undefined;
  const details = usage['prompt_tokens_details'] ?? usage['input_tokens_details'];
  const cached = isRecord(details) ? readCount(details['cached_tokens']) : undefined;
  if (cached === 'absurd') return undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
  };
}

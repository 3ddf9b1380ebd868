import { isRecord } from '../base/json.ts';
import { type Asked, badAnswer, classifyRefusal, quote } from './classify.ts';
import { foldStream } from './fold-stream.ts';
import type { ModelAnswer, Usage } from './model.ts';
import { readCalls } from './read-calls.ts';
import type { HeaderReader } from './retry-after.ts';

/** An answer as it came over the wire, and the turn it answers. */
export interface Received {
  readonly text: string;
  readonly headers: HeaderReader;
  readonly turn: number;
}

/**
 * Reads a chat completion into the contract's shape. Servers differ, so much is forgiven: content in parts, the old
 * `function_call`, arguments that are an object, missing and repeated call ids, a stream though none was asked for.
 * `MODEL_BAD_ANSWER` for what is no completion; an error inside an answer of status 200 (OpenRouter) gets its own code.
 */
export function readAnswer(received: Received, asked: Asked): ModelAnswer {
  const { body, raw } = readBody(received, asked);
  if (isRecord(body['error'])) throw inner(body['error'], received, asked);
  const choice: unknown = Array.isArray(body['choices']) ? body['choices'][0] : undefined;
  if (!isRecord(choice)) throw badAnswer(`answered without a choice: ${quote(raw, asked)}`, asked, { retryable: true });
  if (isRecord(choice['error'])) throw inner(choice['error'], received, asked);
  const message = choice['message'];
  if (!isRecord(message))
    throw badAnswer(`answered without a message: ${quote(raw, asked)}`, asked, { retryable: true });

  const calls = readCalls(message, received.turn);
  const { content, refusal } = readContent(message);
  const usage = readUsage(body['usage']);
  return {
    message: {
      role: 'assistant',
      // Null is for answers that have something else to say.
      content: content ?? (calls.length > 0 || refusal !== undefined ? null : ''),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(refusal !== undefined && { refusal }),
    },
    stop: readStop(choice['finish_reason'], calls.length > 0, refusal !== undefined),
    ...(usage !== undefined && { usage }),
    model: typeof body['model'] === 'string' && body['model'] !== '' ? body['model'] : asked.model,
    raw,
  };
}

function readBody(received: Received, asked: Asked): { body: Record<string, unknown>; raw: string } {
  const { text, headers } = received;
  const start = text.trimStart();
  if (start === '') throw badAnswer('answered with nothing', asked, { retryable: true });
  if (start.startsWith('<')) {
    const hint =
      'A web page answered, not a model server. Check baseUrl, and whether a proxy or a login stands in between.';
    throw badAnswer(`answered with a web page: ${quote(start, asked)}`, asked, { retryable: false, hint });
  }
  try {
    if (headers.get('content-type')?.includes('text/event-stream') || /^(data|event|id|retry)?:/.test(start)) {
      const folded = foldStream(text);
      if (folded?.isWhole) return { body: folded.body, raw: JSON.stringify(folded.body) };
      throw badAnswer('broke off in the middle of its answer', asked, { retryable: true });
    }
    const body: unknown = JSON.parse(text);
    if (isRecord(body)) return { body, raw: text };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const what = `answered with broken JSON (${text.length} characters): ${quote(start, asked)}`;
    throw badAnswer(what, asked, { retryable: true, cause });
  }
  throw badAnswer(`answered with JSON that is no completion: ${quote(start, asked)}`, asked, { retryable: false });
}

function inner(error: Record<string, unknown>, { headers }: Received, asked: Asked): Error {
  const status = Number(error['status'] ?? error['code']);
  const message = typeof error['message'] === 'string' ? error['message'] : JSON.stringify(error);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const isStatus = Number.isInteger(status) && status >= 400 && status < 600;
  return classifyRefusal(
    { status: isStatus ? status : 500, message, code: text(error['code']), type: text(error['type']), headers },
    asked,
  );
}

/** Text parts are joined; a refusal is a field of its own or a part (API reference, chat completion object). */
function readContent(message: Record<string, unknown>): { content: string | null; refusal: string | undefined } {
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
  // Some servers say "stop" beside calls, and some "tool_calls" without any.
  return hasCalls ? 'tool_calls' : 'stop';
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const count = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  const input = count(usage['prompt_tokens']);
  const output = count(usage['completion_tokens']);
  if (input === undefined && output === undefined) return undefined;
  const details = usage['prompt_tokens_details'];
  const cached = isRecord(details) ? count(details['cached_tokens']) : undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    ...(cached !== undefined && { cachedInputTokens: cached }),
  };
}

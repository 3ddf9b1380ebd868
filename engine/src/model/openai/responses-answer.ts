import { isRecord } from '../../base/json.ts';
import { readContent, readUsage } from './completions-answer.ts';
import { badAnswer, quote } from '../protocol/classify-error.ts';
import { errorInBody } from '../protocol/error-in-body.ts';
import type { ModelAnswer, Reasoning } from '../model.ts';
import type { AnswerBody, ReadContext } from '../protocol/protocol.ts';
import { readCalls } from '../protocol/read-tool-calls.ts';

/** Values of `status` with an answer. Servers that omit `status` send an error if there is no answer. */
const ANSWERED = new Set<unknown>(['completed', 'incomplete', undefined]);

/**
 * Reads a response of OpenAI's Responses API (API reference, The response object) into a `ModelAnswer`. It joins the texts
 * of several messages, as the SDK's `output_text` does, and ignores unknown items. It keeps encrypted reasoning if the
 * answer has tool calls. Throws `MODEL_BAD_ANSWER` if the answer is not a response, and the code of the error of a failed
 * response.
 */
export function readResponse(
  received: AnswerBody,
  { turn, target }: Pick<ReadContext, 'turn' | 'target'>,
): ModelAnswer {
  const { json, raw, headers } = received;
  const { error, status, output } = json;
  if (status === 'failed' || (error !== undefined && error !== null))
    throw errorInBody(error ?? 'The response failed.', headers, target);
  if (!ANSWERED.has(status))
    throw badAnswer(`sent a response with the status ${String(status)}`, target, { retryable: true });
  if (!Array.isArray(output))
    throw badAnswer(`answered without output: ${quote(raw, target)}`, target, { retryable: true });

  const items = output.filter(isRecord);
  const messages = items.filter(({ type }) => type === 'message');
  const parts = messages.map(readContent);
  const refusal = joined(parts.map((part) => part.refusal));
  const calls = readCalls({ tool_calls: items.filter(isCall).map((item) => ({ ...item, id: item['call_id'] })) }, turn);
  const reasoning = calls.length > 0 ? readReasoning(items) : [];
  const phase = messages.at(-1)?.['phase'];
  const usage = readUsage(json['usage']);
  return {
    message: {
      role: 'assistant',
      content: joined(parts.map((part) => part.content)) ?? (calls.length > 0 || refusal !== undefined ? null : ''),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(refusal !== undefined && { refusal }),
      ...(reasoning.length > 0 && { reasoning }),
      ...(typeof phase === 'string' && { phase }),
    },
    stop: readStop(json, calls.length > 0, refusal !== undefined),
    ...(usage !== undefined && { usage }),
    model: typeof json['model'] === 'string' && json['model'] !== '' ? json['model'] : target.model,
    raw: traceJson(json),
  };
}

function isCall({ type }: Record<string, unknown>): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

function joined(texts: readonly (string | null | undefined)[]): string | undefined {
  const known = texts.filter((text) => typeof text === 'string');
  return known.length > 0 ? known.join('') : undefined;
}

function readReasoning(items: readonly Record<string, unknown>[]): Reasoning[] {
  return items.flatMap(({ type, encrypted_content: sealed }, index) =>
    type === 'reasoning' && typeof sealed === 'string' && sealed !== ''
      ? [{ sealed, at: items.slice(0, index).filter(isCall).length }]
      : [],
  );
}

function readStop(json: Record<string, unknown>, hasCalls: boolean, hasRefusal: boolean): ModelAnswer['stop'] {
  const details = json['incomplete_details'];
  const reason = isRecord(details) ? details['reason'] : undefined;
  if (hasRefusal || reason === 'content_filter') return 'refusal';
  if (json['status'] === 'incomplete') return 'length';
  return hasCalls ? 'tool_calls' : 'stop';
}

/** The JSON for the trace: without the copy of the request and without encrypted reasoning, which the transcript has. */
function traceJson({ instructions: _, tools: __, ...rest }: Record<string, unknown>): string {
  return JSON.stringify(rest, (key, value: unknown) => (key === 'encrypted_content' ? undefined : value));
}

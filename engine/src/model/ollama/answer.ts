import { isRecord } from '../../base/json.ts';
import { readAnswer } from '../openai/completions-answer.ts';
import type { ModelAnswer } from '../model.ts';
import type { AnswerBody, ReadContext } from '../protocol/protocol.ts';
import { uniqueCalls } from '../protocol/read-tool-calls.ts';
import { findCalls } from './text-tool-calls.ts';

/** Reasoning at the start of an answer, if the server does not separate it. */
const THINKING = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)\s*/;

/**
 * Reads an answer of Ollama, from `/api/chat` or from its OpenAI-compatible API. Small models often write a tool call as
 * text. If the server sends no calls, calls in the text count, but only calls of tools that the request offered.
 */
export function readOllama(received: AnswerBody, context: ReadContext): ModelAnswer {
  const json = isRecord(received.json['message']) ? completionOf(received.json) : received.json;
  const answer = readAnswer({ ...received, json }, context);
  const { content, tool_calls: given } = answer.message;
  const text = content?.replace(THINKING, '') ?? null;
  const found = given === undefined && text !== null ? findCalls(text, context.offered) : undefined;
  if (found === undefined) {
    if (text === content) return answer;
    const isCalling = given !== undefined && text === '';
    return { ...answer, message: { ...answer.message, content: isCalling ? null : text } };
  }
  const calls = uniqueCalls(found.calls, context.turn);
  return {
    ...answer,
    message: { role: 'assistant', content: found.rest === '' ? null : found.rest, tool_calls: calls },
    stop: answer.stop === 'length' ? 'length' : 'tool_calls',
  };
}

/** Converts an answer of `/api/chat` into the shape of a chat completion. */
function completionOf(json: Record<string, unknown>): Record<string, unknown> {
  const { model, message, done_reason: finish, prompt_eval_count: input, eval_count: output } = json;
  return {
    model,
    choices: [{ index: 0, message, finish_reason: finish ?? null }],
    usage: { prompt_tokens: input, completion_tokens: output },
  };
}

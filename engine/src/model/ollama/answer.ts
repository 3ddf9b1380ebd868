import { isRecord } from '../../base/json.ts';
import { readAnswer } from '../openai/completions-answer.ts';
import type { ModelAnswer } from '../model.ts';
import type { AnswerBody, ReadContext } from '../protocol/protocol.ts';
import { uniqueCalls } from '../protocol/read-tool-calls.ts';
import { findCalls } from './text-tool-calls.ts';

/** What a model thinks aloud before it answers, where its server does not keep it apart. */
const THINKING = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)\s*/;

/**
 * Reads an answer of Ollama, of `/api/chat` or of its likeness of OpenAI's API. Small models often write a call as text;
 * where the server gives no calls, those in the text are taken, but only calls of tools that the model was shown.
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

/** An answer of `/api/chat` in the shape of a chat completion. */
function completionOf(json: Record<string, unknown>): Record<string, unknown> {
  const { model, message, done_reason: finish, prompt_eval_count: input, eval_count: output } = json;
  return {
    model,
    choices: [{ index: 0, message, finish_reason: finish ?? null }],
    usage: { prompt_tokens: input, completion_tokens: output },
  };
}

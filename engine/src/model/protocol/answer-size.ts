import { isTooDeep, MAX_JSON_DEPTH } from '../../base/json.ts';
import { badAnswer, type ModelTarget } from './classify-error.ts';

/**
 * Characters of text in one answer, at most: content, reasoning and arguments of tool calls together. More than any model
 * writes at its output limit, and few enough to store within 50 ms.
 */
export const MAX_ANSWER_CHARACTERS = 600_000;

/** Throws `MODEL_BAD_ANSWER` where the strings of an answer are together longer than that. */
export function checkAnswerSize(json: Readonly<Record<string, unknown>>, target: ModelTarget): void {
  let characters = 0;
  const left: unknown[] = [json];
  while (left.length > 0 && characters <= MAX_ANSWER_CHARACTERS) {
    const value = left.pop();
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) left.push(member);
  }
  if (characters > MAX_ANSWER_CHARACTERS) throw tooLong(`an answer of more than ${MAX_ANSWER_CHARACTERS}`, target);
}

/** Characters of one event of a stream, at most: it is parsed at once. */
const MAX_EVENT_CHARACTERS = 4_000_000;

/** Throws `MODEL_BAD_ANSWER` where one event of a stream is longer than that. */
export function checkEventSize(data: string, target: ModelTarget): void {
  if (data.length > MAX_EVENT_CHARACTERS) throw tooLong(`an event of more than ${MAX_EVENT_CHARACTERS}`, target);
}

/** Throws `MODEL_BAD_ANSWER` where a JSON text of an answer is nested deeper than can be stored and shown. */
export function checkAnswerDepth(text: string, target: ModelTarget): void {
  if (!isTooDeep(text)) return;
  const what = `sent JSON that is nested more than ${MAX_JSON_DEPTH} levels deep`;
  throw badAnswer(what, target, { retryable: false, hint: 'Try another model or server: no answer needs that.' });
}

function tooLong(what: string, target: ModelTarget): Error {
  return badAnswer(`sent ${what} characters`, target, {
    retryable: false,
    hint: 'Lower maxTokens of the director or agent, or ask for results in several items.',
  });
}

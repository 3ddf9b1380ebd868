import { isRecord } from '../../base/json.ts';
import { readUsage } from './completions-answer.ts';
import { CHARACTERS_PER_TOKEN, type StreamFold } from '../protocol/protocol.ts';

/** Events whose response is not yet the answer. */
const BEFORE = new Set<unknown>(['response.created', 'response.queued', 'response.in_progress']);

/**
 * Takes a streamed response of OpenAI's Responses API (API reference, Streaming events). Its last event holds the whole;
 * the items are taken as they were when each was done, which is the form in which thinking is wanted back (API reference,
 * `encrypted_content`), and all there is where a server leaves the output out of the last event. An error in mid-stream is
 * an event of its own, flat as it is documented or nested as it is sent (openai/openai-dotnet issue 881).
 */
export function foldResponse(): StreamFold {
  const done = new Map<number, unknown>();
  let response: Record<string, unknown> | undefined;
  let failure: Record<string, unknown> | undefined;
  let isOver = false;
  let isEnded = false;
  /** Characters that the model wrote. */
  let written = 0;

  const take = (event: Record<string, unknown>) => {
    const { type, response: given, item, delta } = event;
    if (isRecord(given)) {
      response = given;
      isEnded = !BEFORE.has(type);
      isOver = isEnded;
    }
    if (type === 'response.output_item.done' && isRecord(item)) done.set(Number(event['output_index']), item);
    if (typeof delta === 'string') written += delta.length;
  };
  return {
    add(data) {
      if (isOver) return;
      if (data.trim() === '[DONE]') {
        isOver = true;
        return;
      }
      const event: unknown = JSON.parse(data);
      if (!isRecord(event)) return;
      failure = failureIn(event);
      if (failure === undefined) take(event);
      else isOver = true;
    },
    get isOver() {
      return isOver;
    },
    get isWhole() {
      return isEnded || failure !== undefined;
    },
    json() {
      if (failure !== undefined) return { error: failure };
      if (response === undefined) return undefined;
      const { output } = response;
      if (Array.isArray(output) && output.length > done.size) return response;
      return { ...response, output: [...done].sort(([a], [b]) => a - b).map(([, item]) => item) };
    },
    spent() {
      if (response === undefined) return undefined;
      const usage = readUsage(response['usage']);
      if (usage !== undefined) return { ...usage, isEstimate: false };
      return { outputTokens: Math.ceil(written / CHARACTERS_PER_TOKEN), isEstimate: true };
    },
  };
}

function failureIn({ type, error, ...event }: Record<string, unknown>): Record<string, unknown> | undefined {
  if (type !== 'error' && (error === undefined || error === null)) return undefined;
  return { ...event, ...(isRecord(error) ? error : typeof error === 'string' ? { message: error } : {}) };
}

import { isRecord } from '../../base/json.ts';
import { readUsage } from './completions-answer.ts';
import type { OnText } from '../model.ts';
import { CHARACTERS_PER_TOKEN, type PartialUsage, type StreamFold } from '../protocol/protocol.ts';

/** Events that carry a response which is not yet the answer. */
const BEFORE = new Set<unknown>(['response.created', 'response.queued', 'response.in_progress']);

/** The answer as far as the events have sent it. */
interface State {
  response?: Record<string, unknown>;
  /** Output items that are done, by index. */
  readonly items: Map<number, unknown>;
  failure?: Record<string, unknown>;
  isOver: boolean;
  /** The last event with a response was the answer. */
  isAnswered: boolean;
  /** Characters that the model wrote. */
  written: number;
}

/**
 * Assembles a streamed response of OpenAI's Responses API (API reference, Streaming events). Its last event contains the
 * whole answer. The output items are taken as they were when each was done: in this form reasoning must be sent back
 * (API reference, `encrypted_content`), and some servers leave the output out of the last event. An error in mid-stream is
 * an event of its own, flat as documented or nested as sent (openai/openai-dotnet issue 881).
 */
export function foldResponse(onText?: OnText): StreamFold {
  const state: State = { items: new Map(), isOver: false, isAnswered: false, written: 0 };
  return {
    add: (data) => addEvent(state, data, onText),
    get isOver() {
      return state.isOver;
    },
    get isWhole() {
      return state.isAnswered || state.failure !== undefined;
    },
    json: () => responseOf(state),
    spent: () => spentBy(state),
  };
}

function addEvent(state: State, data: string, onText: OnText | undefined): void {
  if (state.isOver) return;
  if (data.trim() === '[DONE]') {
    state.isOver = true;
    return;
  }
  const event: unknown = JSON.parse(data);
  if (!isRecord(event)) return;
  const failure = failureIn(event);
  if (failure !== undefined) {
    state.failure = failure;
    state.isOver = true;
    return;
  }
  const { type, response, item, delta } = event;
  if (isRecord(response)) {
    state.response = response;
    state.isAnswered = !BEFORE.has(type);
    state.isOver = state.isAnswered;
  }
  if (type === 'response.output_item.done' && isRecord(item)) state.items.set(Number(event['output_index']), item);
  if (typeof delta !== 'string') return;
  state.written += delta.length;
  if (type === 'response.output_text.delta') onText?.(delta);
}

function failureIn({ type, error, ...event }: Record<string, unknown>): Record<string, unknown> | undefined {
  if (type !== 'error' && (error === undefined || error === null)) return undefined;
  return { ...event, ...(isRecord(error) ? error : typeof error === 'string' ? { message: error } : {}) };
}

function responseOf({ failure, response, items }: State): Record<string, unknown> | undefined {
  if (failure !== undefined) return { error: failure };
  if (response === undefined) return undefined;
  const { output } = response;
  if (Array.isArray(output) && output.length > items.size) return response;
  return { ...response, output: [...items].sort(([a], [b]) => a - b).map(([, item]) => item) };
}

function spentBy({ response, written }: State): PartialUsage | undefined {
  if (response === undefined) return undefined;
  const usage = readUsage(response['usage']);
  if (usage !== undefined) return { ...usage, isEstimate: false };
  return { outputTokens: Math.ceil(written / CHARACTERS_PER_TOKEN), isEstimate: true };
}

import { isRecord } from '../../base/json.ts';
import { readUsage } from './completions-answer.ts';
import type { OnText } from '../model.ts';
import { CHARACTERS_PER_TOKEN, type StreamFold } from '../protocol/protocol.ts';

interface Call {
  id: string;
  readonly type: 'function';
  readonly function: { name: string; arguments: string };
}

/** The answer as far as the chunks have sent it. */
interface State {
  head?: Record<string, unknown>;
  content?: string;
  refusal?: string;
  finish?: string;
  readonly calls: Map<string, Call>;
  /** Characters that the model wrote. */
  written: number;
  readonly onText: OnText | undefined;
}

/**
 * Assembles a streamed chat completion (API reference, chat completion chunk). An error in mid-stream is an event of its
 * own (OpenAI, OpenRouter) and becomes the answer. An answer is complete once `finish_reason` has arrived; `[DONE]` comes
 * after the token counts.
 */
export function foldChat(onText?: OnText): StreamFold {
  const state: State = { calls: new Map(), written: 0, onText };
  let failure: Record<string, unknown> | undefined;
  let isDone = false;
  return {
    add(data) {
      if (isDone || failure !== undefined) return;
      if (data.trim() === '[DONE]') {
        isDone = true;
        return;
      }
      const chunk: unknown = JSON.parse(data);
      if (!isRecord(chunk)) return;
      if (chunk['error'] !== undefined && chunk['error'] !== null) failure = chunk;
      else addChunk(state, chunk);
    },
    get isOver() {
      return isDone || failure !== undefined;
    },
    get isWhole() {
      return failure !== undefined || (state.head !== undefined && (isDone || state.finish !== undefined));
    },
    json: () => failure ?? completionOf(state),
    spent() {
      if (state.head === undefined) return undefined;
      const usage = readUsage(state.head['usage']);
      if (usage !== undefined) return { ...usage, isEstimate: false };
      return { outputTokens: Math.ceil(state.written / CHARACTERS_PER_TOKEN), isEstimate: true };
    },
  };
}

function completionOf({ head, content, refusal, finish, calls }: State): Record<string, unknown> | undefined {
  if (head === undefined) return undefined;
  const message = {
    role: 'assistant',
    content: content ?? null,
    ...(refusal !== undefined && { refusal }),
    ...(calls.size > 0 && { tool_calls: [...calls.values()] }),
  };
  return { ...head, choices: [{ index: 0, message, finish_reason: finish ?? null }] };
}

function addChunk(state: State, chunk: Record<string, unknown>): void {
  state.head ??= { id: chunk['id'], object: 'chat.completion', created: chunk['created'], model: chunk['model'] };
  // Azure's first chunk contains the result of its content filter and no model.
  if (!state.head['model']) state.head['model'] = chunk['model'];
  if (isRecord(chunk['usage'])) state.head['usage'] = chunk['usage'];
  const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
  if (!isRecord(choice)) return;
  if (typeof choice['finish_reason'] === 'string') state.finish = choice['finish_reason'];
  const delta = choice['delta'];
  if (!isRecord(delta)) return;
  if (typeof delta['content'] === 'string') {
    state.content = (state.content ?? '') + written(state, delta['content']);
    state.onText?.(delta['content']);
  }
  if (typeof delta['refusal'] === 'string') state.refusal = (state.refusal ?? '') + written(state, delta['refusal']);
  const calls: unknown = delta['tool_calls'];
  if (Array.isArray(calls)) for (const call of calls) if (isRecord(call)) addCall(state, call);
  if (isRecord(delta['function_call'])) addCall(state, { index: 'legacy', function: delta['function_call'] });
}

/** The pieces of one call share an index. Servers that omit the index send each call in one piece. */
function addCall(state: State, piece: Record<string, unknown>): void {
  const key = piece['index'] === undefined ? `#${state.calls.size}` : String(piece['index']);
  let call = state.calls.get(key);
  if (call === undefined) {
    call = { id: '', type: 'function', function: { name: '', arguments: '' } };
    state.calls.set(key, call);
  }
  if (typeof piece['id'] === 'string' && piece['id'] !== '') call.id = piece['id'];
  const fn = piece['function'];
  if (!isRecord(fn)) return;
  // The name comes in one piece; some servers repeat it in every piece.
  if (typeof fn['name'] === 'string' && call.function.name === '') call.function.name = fn['name'];
  const args = fn['arguments'];
  if (args !== undefined && args !== null)
    call.function.arguments += written(state, typeof args === 'string' ? args : JSON.stringify(args));
}

/** Adds to the count of characters and returns the text. */
function written(state: State, text: string): string {
  state.written += text.length;
  return text;
}

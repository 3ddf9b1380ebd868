import { isRecord } from '../../base/json.ts';
import { readMessageUsage } from './answer.ts';
import type { OnText } from '../model.ts';
import { CHARACTERS_PER_TOKEN, type StreamFold, type PartialUsage } from '../protocol/protocol.ts';

/** The answer as far as the events have sent it. */
interface State {
  message?: Record<string, unknown>;
  /** Content blocks by index; `written` is the text of a call's arguments. */
  readonly blocks: Map<number, { readonly block: Record<string, unknown>; written: string }>;
  usage: Record<string, unknown>;
  stop: Record<string, unknown>;
  characters: number;
  isDone: boolean;
  readonly onText: OnText | undefined;
}

/**
 * Assembles a streamed message (API reference, Streaming messages). Arguments stay the text that the model wrote. An error
 * in mid-stream is an event of its own and becomes the answer. Unknown events are ignored, as the reference demands.
 */
export function foldMessages(onText?: OnText): StreamFold {
  const state: State = { blocks: new Map(), usage: {}, stop: {}, characters: 0, isDone: false, onText };
  let failure: Record<string, unknown> | undefined;
  return {
    add(data) {
      const event: unknown = JSON.parse(data);
      if (!isRecord(event) || state.isDone || failure !== undefined) return;
      if (event['type'] === 'error') failure = event;
      else addEvent(state, event);
    },
    get isOver() {
      return state.isDone || failure !== undefined;
    },
    get isWhole() {
      return failure !== undefined || (state.message !== undefined && (state.isDone || hasStopped(state)));
    },
    json: () => failure ?? messageOf(state),
    spent: () => spentBy(state),
  };
}

function hasStopped({ stop }: State): boolean {
  return typeof stop['stop_reason'] === 'string';
}

function addEvent(state: State, event: Record<string, unknown>): void {
  const { delta, usage } = event;
  switch (event['type']) {
    case 'message_start':
      if (!isRecord(event['message'])) return;
      state.message = event['message'];
      addUsage(state, event['message']['usage']);
      return;
    case 'content_block_start':
      if (isRecord(event['content_block'])) startBlock(state, Number(event['index']), { ...event['content_block'] });
      return;
    case 'content_block_delta':
      if (isRecord(delta)) addDelta(state, Number(event['index']), delta);
      return;
    case 'message_delta':
      if (isRecord(delta)) state.stop = { ...state.stop, ...delta };
      addUsage(state, usage);
      return;
    case 'message_stop':
      state.isDone = true;
  }
}

/** A block may begin with text. */
function startBlock(state: State, index: number, block: Record<string, unknown>): void {
  state.blocks.set(index, { block, written: '' });
  if (block['type'] === 'text' && typeof block['text'] === 'string') state.onText?.(block['text']);
}

function addDelta(state: State, index: number, delta: Record<string, unknown>): void {
  const entry = state.blocks.get(index);
  if (entry === undefined) return;
  const { text, partial_json: json, thinking } = delta;
  if (typeof text === 'string') {
    entry.block['text'] = `${String(entry.block['text'] ?? '')}${text}`;
    if (entry.block['type'] === 'text') state.onText?.(text);
  }
  if (typeof json === 'string') entry.written += json;
  for (const piece of [text, json, thinking]) if (typeof piece === 'string') state.characters += piece.length;
}

/** Counts are running totals; a later null is ignored. */
function addUsage(state: State, usage: unknown): void {
  if (!isRecord(usage)) return;
  for (const [key, value] of Object.entries(usage)) if (value !== null) state.usage[key] = value;
}

function messageOf({ message, blocks, usage, stop }: State): Record<string, unknown> | undefined {
  if (message === undefined) return undefined;
  const content = [...blocks]
    .sort(([a], [b]) => a - b)
    .map(([, { block, written }]) => (written === '' ? block : { ...block, input: written }));
  return { ...message, ...stop, content, usage };
}

/** The final output count comes with the stop reason; before it, characters give an estimate. */
function spentBy(state: State): PartialUsage | undefined {
  const usage = readMessageUsage(state.usage);
  if (usage === undefined) return undefined;
  if (hasStopped(state)) return { ...usage, isEstimate: false };
  const outputTokens = Math.max(usage.outputTokens, Math.ceil(state.characters / CHARACTERS_PER_TOKEN));
  return { ...usage, outputTokens, isEstimate: true };
}

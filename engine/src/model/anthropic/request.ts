import { createJsonCache, type JsonCache } from '../protocol/json-cache.ts';
import type { Message, ToolCall, ToolSpec } from '../model.ts';
import { plainFormat } from '../protocol/output-format.ts';
import { type BodyWriter, objectText, wireName } from '../protocol/chat-format.ts';

interface Options {
  readonly model: string;
  /** Longest answer in tokens, which Anthropic requires. A request may ask for less. */
  readonly maxTokens: number;
  readonly stream: boolean;
  /** Whether the schema of an answer is sent. Default: true. */
  readonly structuredOutput?: boolean | undefined;
}

/** One turn of a conversation in Anthropic's form; its blocks are JSON text. */
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: string[];
}

/** Result of a call that got none: Anthropic rejects a call without a result. */
const NO_RESULT = 'This call has no result.';
/** Texts of turns that are added because a conversation must begin and end with the user. */
const BEGIN = 'Begin.';
const GO_ON = 'Go on.';
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/**
 * A writer of Anthropic's `POST /v1/messages` (API reference, Messages). It converts OpenAI's transcript: system messages
 * move to the top; calls and results become blocks of assistant and user turns; the results of parallel calls stand in one
 * turn, before any text; empty texts are left out, since Anthropic rejects them. The blocks of a message are written once
 * and cached.
 */
export function createMessagesWriter({ model, maxTokens, stream, structuredOutput = true }: Options): BodyWriter {
  const cached = createJsonCache();
  return (messages, tools, options) => {
    const format = options?.output && structuredOutput ? plainFormat(options.output, cached) : undefined;
    const system = messages.flatMap((message) =>
      message.role === 'system' && hasText(message.content) ? [cached(message, () => textBlock(message.content))] : [],
    );
    const turns = turnsOf(tools.length === 0 ? messages.map(withoutCalls) : messages, cached);
    const parts = [
      `"model":${JSON.stringify(model)}`,
      `"max_tokens":${Math.min(maxTokens, options?.maxTokens ?? maxTokens)}`,
      ...(stream ? ['"stream":true'] : []),
      ...(format === undefined ? [] : [`"output_config":{"format":{"type":"json_schema","schema":${format}}}`]),
      ...(system.length > 0 ? [`"system":[${system.join(',')}]`] : []),
      `"messages":[${turns.map(({ role, blocks }) => `{"role":"${role}","content":[${blocks.join(',')}]}`).join(',')}]`,
      ...(tools.length > 0 ? [`"tools":[${tools.map((tool) => cached(tool, () => wireTool(tool))).join(',')}]`] : []),
    ];
    return `{${parts.join(',')}}`;
  };
}

/** Anthropic rejects calls and results in a request that defines no tools, so they become text. */
function withoutCalls(message: Message): Message {
  if (message.role === 'tool') return { role: 'user', content: `Result of an earlier call: ${message.content}` };
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
  const calls = message.tool_calls.map(({ function: { name, arguments: text } }) => `Called ${name} with ${text}`);
  return { role: 'assistant', content: [message.content ?? '', ...calls].filter(hasText).join('\n') };
}

function turnsOf(messages: readonly Message[], cached: JsonCache): Turn[] {
  const turns: Turn[] = [];
  const used = new Set<string>();
  /** Calls without a result so far: id in the transcript to id that is sent. */
  const waiting = new Map<string, string>();
  const add = (role: Turn['role'], block: string) => {
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(block);
    else turns.push({ role, blocks: [block] });
  };
  const addText = (role: Turn['role'], message: Message, text: string) => {
    if (hasText(text))
      add(
        role,
        cached(message, () => textBlock(text)),
      );
  };
  const closeCalls = () => {
    for (const id of waiting.values()) add('user', resultBlock(id, NO_RESULT));
    waiting.clear();
  };
  for (const message of messages) {
    if (message.role !== 'tool' && message.role !== 'system') closeCalls();
    if (message.role === 'user') addText('user', message, message.content);
    else if (message.role === 'tool') add('user', wireResult(message, waiting, cached));
    else if (message.role === 'assistant') {
      addText('assistant', message, message.content ?? message.refusal ?? '');
      for (const call of message.tool_calls ?? []) {
        const id = uniqueId(call.id, used);
        waiting.set(call.id, id);
        add('assistant', id === call.id ? cached(call, () => callBlock(id, call)) : callBlock(id, call));
      }
    }
  }
  closeCalls();
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', blocks: [textBlock(BEGIN)] });
  if (turns.at(-1)?.role !== 'user') turns.push({ role: 'user', blocks: [textBlock(GO_ON)] });
  return turns;
}

/** The result of a call. Without its call, Anthropic rejects a result, so it becomes text. */
function wireResult(
  message: Extract<Message, { role: 'tool' }>,
  waiting: Map<string, string>,
  cached: JsonCache,
): string {
  const { tool_call_id: given, content } = message;
  const id = waiting.get(given);
  waiting.delete(given);
  if (id === undefined) return textBlock(`Result of an earlier call: ${content}`);
  return id === given ? cached(message, () => resultBlock(id, content)) : resultBlock(id, content);
}

/** Anthropic requires ids of letters, digits, `_` and `-` that are unique in a conversation; other providers do not. */
function uniqueId(given: string, used: Set<string>): string {
  let id = CALL_ID.test(given) ? given : given.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
  for (let n = 2; used.has(id); n++) id = `${id.replace(/__\d+$/, '')}__${n}`;
  used.add(id);
  return id;
}

function hasText(text: string): boolean {
  return text.trim() !== '';
}

function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`;
}

function callBlock(id: string, { function: { name, arguments: text } }: ToolCall): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(wireName(name))},"input":${objectText(text)}}`;
}

function resultBlock(id: string, content: string): string {
  const text = hasText(content) ? `,"content":${JSON.stringify(content)}` : '';
  return `{"type":"tool_result","tool_use_id":${JSON.stringify(id)}${text}}`;
}

function wireTool({ function: { name, description, parameters } }: ToolSpec): string {
  return JSON.stringify({ name, description, input_schema: { type: 'object', ...parameters } });
}

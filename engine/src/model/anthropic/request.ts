import { createJsonCache, type JsonCache } from '../protocol/json-cache.ts';
import type { Message, ToolCall, ToolSpec } from '../model.ts';
import { type BodyWriter, objectText, wireName } from '../protocol/chat-format.ts';

interface Options {
  readonly model: string;
  /** Longest answer in tokens; Anthropic insists on one. A request may ask for less. */
  readonly maxTokens: number;
  readonly stream: boolean;
}

/** One turn of a conversation as Anthropic wants it, its blocks as JSON text. */
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: string[];
}

/** What stands in for an answer that never came; a call without one is refused. */
const NO_RESULT = 'This call has no result.';
/** A conversation begins and ends with the user. */
const BEGIN = 'Begin.';
const GO_ON = 'Go on.';
const CALL_ID = /^[a-zA-Z0-9_-]+$/;

/**
 * A writer of Anthropic's `POST /v1/messages` (API reference, Messages). The transcript is OpenAI's: system messages move
 * to the top; calls and results become blocks of assistant and user turns, the results of parallel calls together in one
 * and before any text; empty texts, which are refused, are left out. Blocks are written once for each message and kept.
 */
export function createMessagesWriter({ model, maxTokens, stream }: Options): BodyWriter {
  const keep = createJsonCache();
  return (messages, tools, limits) => {
    const system = messages.flatMap((message) =>
      message.role === 'system' && isSaid(message.content) ? [keep(message, () => textBlock(message.content))] : [],
    );
    const turns = turnsOf(messages, keep);
    const parts = [
      `"model":${JSON.stringify(model)}`,
      `"max_tokens":${Math.min(maxTokens, limits?.maxTokens ?? maxTokens)}`,
      ...(stream ? ['"stream":true'] : []),
      ...(system.length > 0 ? [`"system":[${system.join(',')}]`] : []),
      `"messages":[${turns.map(({ role, blocks }) => `{"role":"${role}","content":[${blocks.join(',')}]}`).join(',')}]`,
      ...(tools.length > 0 ? [`"tools":[${tools.map((tool) => keep(tool, () => wireTool(tool))).join(',')}]`] : []),
    ];
    return `{${parts.join(',')}}`;
  };
}

function turnsOf(messages: readonly Message[], keep: JsonCache): Turn[] {
  const turns: Turn[] = [];
  const used = new Set<string>();
  /** Calls that wait for their result: the id in the transcript, and the one that is sent. */
  const waiting = new Map<string, string>();
  const add = (role: Turn['role'], block: string) => {
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(block);
    else turns.push({ role, blocks: [block] });
  };
  const say = (role: Turn['role'], message: Message, text: string) => {
    if (isSaid(text))
      add(
        role,
        keep(message, () => textBlock(text)),
      );
  };
  const close = () => {
    for (const id of waiting.values()) add('user', resultBlock(id, NO_RESULT));
    waiting.clear();
  };
  for (const message of messages) {
    if (message.role !== 'tool' && message.role !== 'system') close();
    if (message.role === 'user') say('user', message, message.content);
    else if (message.role === 'tool') add('user', wireResult(message, waiting, keep));
    else if (message.role === 'assistant') {
      say('assistant', message, message.content ?? message.refusal ?? '');
      for (const call of message.tool_calls ?? []) {
        const id = uniqueId(call.id, used);
        waiting.set(call.id, id);
        add('assistant', id === call.id ? keep(call, () => callBlock(id, call)) : callBlock(id, call));
      }
    }
  }
  close();
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', blocks: [textBlock(BEGIN)] });
  if (turns.at(-1)?.role !== 'user') turns.push({ role: 'user', blocks: [textBlock(GO_ON)] });
  return turns;
}

/** A result for the call that waits for it. One that nobody waits for would be refused as a result. */
function wireResult(
  message: Extract<Message, { role: 'tool' }>,
  waiting: Map<string, string>,
  keep: JsonCache,
): string {
  const { tool_call_id: given, content } = message;
  const id = waiting.get(given);
  waiting.delete(given);
  if (id === undefined) return textBlock(`Result of an earlier call: ${content}`);
  return id === given ? keep(message, () => resultBlock(id, content)) : resultBlock(id, content);
}

/** Ids are letters, digits, `_` and `-`, each once in a conversation; those of other makers need not be. */
function uniqueId(given: string, used: Set<string>): string {
  let id = CALL_ID.test(given) ? given : given.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
  for (let n = 2; used.has(id); n++) id = `${id.replace(/__\d+$/, '')}__${n}`;
  used.add(id);
  return id;
}

function isSaid(text: string): boolean {
  return text.trim() !== '';
}

function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(text)}}`;
}

function callBlock(id: string, { function: { name, arguments: text } }: ToolCall): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(wireName(name))},"input":${objectText(text)}}`;
}

function resultBlock(id: string, content: string): string {
  const said = isSaid(content) ? `,"content":${JSON.stringify(content)}` : '';
  return `{"type":"tool_result","tool_use_id":${JSON.stringify(id)}${said}}`;
}

function wireTool({ function: { name, description, parameters } }: ToolSpec): string {
  return JSON.stringify({ name, description, input_schema: { type: 'object', ...parameters } });
}

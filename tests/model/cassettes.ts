import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../engine/src/base/json.ts';
import type { Message, OutputFormat, ToolSpec } from '../../engine/src/model/model.ts';

/** One recorded exchange with a provider. */
export interface Interaction {
  readonly request: { readonly method: string; readonly url: string; readonly json: Record<string, unknown> };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly json?: unknown;
    readonly sse?: string;
    readonly text?: string;
  };
}

export interface Cassette {
  readonly name: string;
  readonly interactions: readonly Interaction[];
}

/** All recordings. */
export function readCassettes(folder: string): Cassette[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Cassette);
}

/** Where requests of this recording went, up to what the client adds, and the query that belongs to it. */
export function baseUrlOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  if (pathname === '/v1/messages') return origin;
  return `${origin}${pathname.replace(/\/(chat\/completions|responses|api\/chat)$/, '')}${search}`;
}

/** Who is spoken to. */
export function providerOf({ url }: Interaction['request']): 'openai' | 'anthropic' | 'ollama' {
  if (/\/v1\/messages(\?|$)/.test(url)) return 'anthropic';
  return new URL(url).port === '11434' ? 'ollama' : 'openai';
}

/** Whether OpenAI's Responses API is spoken. */
export function isResponses({ url }: Pick<Interaction['request'], 'url'>): boolean {
  return /\/responses$/.test(new URL(url).pathname);
}

/** The name and the schema of the answer that a recorded request asks for, up to what other clients add; undefined for any text. */
export function outputOf({ json }: Pick<Interaction['request'], 'json'>): OutputFormat | undefined {
  const format = json['response_format'];
  const given = isRecord(format) ? format['json_schema'] : undefined;
  if (!isRecord(given) || !isRecord(given['schema'])) return undefined;
  const { title: _title, ...schema } = given['schema'];
  return { name: String(given['name']), schema };
}

/** The recorded messages in our form; other clients send parts and fields that ours does not. */
export function messagesOf(request: Pick<Interaction['request'], 'url' | 'json'>): Message[] {
  const { json } = request;
  if (isResponses(request)) return fromInput(json);
  const messages = Array.isArray(json['messages']) ? (json['messages'] as Record<string, unknown>[]) : [];
  if (providerOf({ ...request, method: 'POST' }) === 'anthropic')
    return [...systemOf(json['system']), ...messages.flatMap(fromAnthropic)];
  return messages.map((message): Message => {
    const content = textOf(message['content']);
    const role = message['role'];
    if (role === 'tool') return { role, tool_call_id: String(message['tool_call_id']), content: content ?? '' };
    if (role === 'assistant') {
      const calls = message['tool_calls'] as Extract<Message, { role: 'assistant' }>['tool_calls'];
      return { role, content, ...(calls !== undefined && { tool_calls: calls }) };
    }
    return { role: role === 'system' || role === 'developer' ? 'system' : 'user', content: content ?? '' };
  });
}

function systemOf(system: unknown): Message[] {
  const content = textOf(system);
  return content === null ? [] : [{ role: 'system', content }];
}

/** What a request of the Responses API holds as the messages that it is for us; thinking is none. */
function fromInput({ instructions, input }: Record<string, unknown>): Message[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : (input as Record<string, unknown>[]);
  const messages: Message[] = instructions ? [{ role: 'system', content: String(instructions) }] : [];
  for (const item of items) {
    const { type, role, call_id: id } = item;
    const last = messages.at(-1);
    if (type === 'function_call_output' || type === 'custom_tool_call_output')
      messages.push({ role: 'tool', tool_call_id: String(id), content: textOf(item['output']) ?? '' });
    else if (type === 'function_call' || type === 'custom_tool_call') {
      const args = String(item['arguments'] ?? item['input'] ?? '');
      const call = {
        id: String(id),
        type: 'function' as const,
        function: { name: String(item['name']), arguments: args },
      };
      const turn = last?.role === 'assistant' ? messages.pop() : undefined;
      const said = turn?.role === 'assistant' ? turn : { role: 'assistant' as const, content: null };
      messages.push({ ...said, tool_calls: [...(said.tool_calls ?? []), call] });
    } else if (role === 'assistant') {
      const content = textOf(item['content']) ?? '';
      if (content !== '') messages.push({ role, content });
    } else if (role !== undefined)
      messages.push({
        role: role === 'system' || role === 'developer' ? 'system' : 'user',
        content: textOf(item['content']) ?? '',
      });
  }
  return messages;
}

/** A turn of Anthropic's as the messages that it is for us. */
function fromAnthropic({ role, content }: Record<string, unknown>): Message[] {
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Record<string, unknown>[]);
  const of = (type: string) => blocks.filter((block) => block['type'] === type);
  const text = of('text').map((block) => String(block['text']));
  if (role === 'assistant') {
    const calls = of('tool_use').map(({ id, name, input }) => ({
      id: String(id),
      type: 'function' as const,
      function: { name: String(name), arguments: JSON.stringify(input) },
    }));
    return [{ role, content: text.length > 0 ? text.join('') : null, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  return [
    ...of('tool_result').map(({ tool_use_id: id, content: result }) => ({
      role: 'tool' as const,
      tool_call_id: String(id),
      content: textOf(result) ?? '',
    })),
    ...text.map((one) => ({ role: 'user' as const, content: one })),
  ];
}

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map((part: unknown) => (isRecord(part) ? String(part['text'] ?? part['refusal'] ?? '') : '')).join('');
}

export function toolsOf({ url, json }: Pick<Interaction['request'], 'url' | 'json'>): ToolSpec[] {
  const tools = Array.isArray(json['tools']) ? (json['tools'] as Record<string, unknown>[]) : [];
  if (isResponses({ url }))
    return tools.filter(({ type }) => type === 'function').map((tool) => flat(tool, 'parameters'));
  return tools.map((tool) => ('input_schema' in tool ? flat(tool, 'input_schema') : (tool as unknown as ToolSpec)));
}

/** A tool that is described in one object. */
function flat({ name, description, ...tool }: Record<string, unknown>, schema: string): ToolSpec {
  return {
    type: 'function',
    function: { name: String(name), description: String(description ?? ''), parameters: tool[schema] as object },
  };
}

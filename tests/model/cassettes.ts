import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../engine/src/base/json.ts';
import type { Message, ToolSpec } from '../../engine/src/model/model.ts';

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

/** All recordings but the answers of OpenAI's Responses API, which nothing here speaks; its errors are those of all. */
export function readCassettes(folder: string): Cassette[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Cassette)
    .map(({ name, interactions }) => ({ name, interactions: interactions.filter(isSpoken) }))
    .filter(({ interactions }) => interactions.length > 0);
}

function isSpoken({ request, response }: Interaction): boolean {
  return response.status >= 400 || !/\/responses(\?|$)/.test(request.url);
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

/** The recorded messages in our form; other clients send parts and fields that ours does not. */
export function messagesOf(request: Pick<Interaction['request'], 'url' | 'json'>): Message[] {
  const { json } = request;
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
  return content
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

export function toolsOf({ json }: Pick<Interaction['request'], 'json'>): ToolSpec[] {
  const tools = Array.isArray(json['tools']) ? (json['tools'] as Record<string, unknown>[]) : [];
  return tools.map((tool) =>
    'input_schema' in tool
      ? {
          type: 'function',
          function: {
            name: String(tool['name']),
            description: String(tool['description']),
            parameters: tool['input_schema'] as object,
          },
        }
      : (tool as unknown as ToolSpec),
  );
}

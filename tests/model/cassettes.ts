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

/** The recordings of OpenAI and of servers that speak its language. */
export function readCassettes(folder: string): Cassette[] {
  return readdirSync(folder)
    .filter((file) => /^(openai|compat|ollama-compat)-.*\.json$/.test(file))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Cassette);
}

/** Where requests of this recording went, up to what the client adds, and the query that belongs to it. */
export function baseUrlOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname.replace(/\/(chat\/completions|responses)$/, '')}${search}`;
}

/** The recorded messages in our form; other clients send parts and fields that ours does not. */
export function messagesOf({ json }: Interaction['request']): Message[] {
  const messages = Array.isArray(json['messages']) ? (json['messages'] as Record<string, unknown>[]) : [];
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

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content
    .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

export function toolsOf({ json }: Interaction['request']): ToolSpec[] {
  return Array.isArray(json['tools']) ? (json['tools'] as ToolSpec[]) : [];
}

import type { Message } from '../model.ts';

const HEADINGS = { system: 'Instructions', user: 'Message', assistant: 'Your earlier answer', tool: 'Result' } as const;

/**
 * The messages of a request as one Markdown text, since a command-line agent takes one prompt: the system messages first, then
 * the others in their order. A lone user message after them needs no heading.
 */
export function promptOf(messages: readonly Message[]): string {
  const system = messages.filter(({ role }) => role === 'system');
  const others = messages.filter(({ role }) => role !== 'system');
  const [only] = others;
  const talk =
    only !== undefined && others.length === 1
      ? [only.content ?? '']
      : others.map(({ role, content }) => `## ${HEADINGS[role]}\n\n${content ?? ''}`);
  return [...system.map(({ content }) => content ?? ''), ...talk].filter((part) => part.trim() !== '').join('\n\n');
}

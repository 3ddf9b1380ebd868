import type { PromptMessage } from '../documents.gen.ts';

/** A message of a prompt with its variables replaced; one of the canonical messages of a transcript (seed 000, 3.2.5). */
export type RenderedMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ExampleCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** The tool call that an example result answers. */
interface ExampleCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Name of the tool of a result that names none. */
const UNNAMED_TOOL = 'example_tool';

/**
 * The messages of a prompt as a transcript that every provider accepts. A message in role `tool` is the result of a call,
 * and providers reject a result without its call: so each gets one, in the assistant message before it, or in a new one.
 */
export function toTranscript(messages: readonly PromptMessage[]): RenderedMessage[] {
  const transcript: RenderedMessage[] = [];
  let calls: ExampleCall[] | undefined;
  let count = 0;
  for (const { role, content, name, arguments: args } of messages) {
    if (role !== 'tool') {
      transcript.push({ role, content });
      calls = undefined;
      continue;
    }
    calls ??= addCalls(transcript);
    const id = `call000${String(count++).padStart(2, '0')}`;
    calls.push({
      id,
      type: 'function',
      function: { name: name ?? UNNAMED_TOOL, arguments: JSON.stringify(args ?? {}) },
    });
    transcript.push({ role: 'tool', tool_call_id: id, content });
  }
  return transcript;
}

/** The calls of the assistant message at the end of a transcript, which is added if there is none. */
function addCalls(transcript: RenderedMessage[]): ExampleCall[] {
  const calls: ExampleCall[] = [];
  const last = transcript.at(-1);
  const content = last?.role === 'assistant' ? last.content : null;
  if (last?.role === 'assistant') transcript.pop();
  transcript.push({ role: 'assistant', content, tool_calls: calls });
  return calls;
}

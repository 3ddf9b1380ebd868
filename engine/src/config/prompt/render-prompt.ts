import type { Prompt } from '../config.ts';
import type { PromptMessage, PromptSource } from '../documents.gen.ts';
import { fillIn, isVariable, type Variable } from './variable.ts';

/** A message of a prompt, filled in; one of the canonical messages of a transcript. */
export type RenderedMessage = PromptMessage;

/** Values of the built-in variables, asked for only where a prompt uses them. A missing one is `''`. */
export type VariableValues = Readonly<Partial<Record<Variable, () => string>>>;

export interface PromptInput {
  readonly prompt: PromptSource | undefined;
  /** Templates by id, of the same snapshot. */
  readonly prompts: ReadonlyMap<string, Prompt>;
  /** Whose prompt it is: the system message is made of this where the prompt has none. */
  readonly actor: { readonly name: string; readonly description: string };
  readonly imprint?: string | undefined;
  /** What it may reach, in words; part of a made system message. */
  readonly scopeText?: string | undefined;
  readonly variables: VariableValues;
  /** The mail or message that started it; appended as a user message where the prompt has none. */
  readonly trigger?: (() => string) | undefined;
}

/**
 * The messages that open a thread (design.md, Prompts): the prompt filled in, a system message made where there is none,
 * the imprint after the last system message, and the trigger at the end where there is no user message. Text that was
 * filled in is not looked at again.
 */
export function renderPrompt(input: PromptInput): RenderedMessage[] {
  const { messages, own } = messagesOf(input);
  const value = valueOf(own, input.variables);
  const rendered: RenderedMessage[] = messages.map(({ role, content }) => ({ role, content: fillIn(content, value) }));
  if (!rendered.some(({ role }) => role === 'system'))
    rendered.unshift({ role: 'system', content: introduction(input) });
  if (input.imprint !== undefined && input.imprint !== '') {
    const lastSystem = rendered.findLastIndex(({ role }) => role === 'system');
    rendered.splice(lastSystem + 1, 0, { role: 'system', content: fillIn(input.imprint, value) });
  }
  if (input.trigger !== undefined && !rendered.some(({ role }) => role === 'user'))
    rendered.push({ role: 'user', content: input.trigger() });
  return rendered;
}

/** The messages before they are filled in, and the values of a template's own variables. */
function messagesOf({ prompt, prompts }: PromptInput): {
  messages: readonly PromptMessage[];
  own: ReadonlyMap<string, string>;
} {
  if (prompt === undefined) return { messages: [], own: new Map() };
  if (!('use' in prompt)) return { messages: prompt, own: new Map() };
  const template = prompts.get(prompt.use);
  // Linking vouches for it; a snapshot without it cannot be built.
  if (template === undefined) return { messages: [], own: new Map() };
  return { messages: template.messages, own: new Map(Object.entries({ ...template.variables, ...prompt.with })) };
}

/** Looks a variable up, each at most once: an envelope of a mail may cost something. A name that is none stays as it is. */
function valueOf(own: ReadonlyMap<string, string>, variables: VariableValues): (name: string) => string | undefined {
  const known = new Map(own);
  return (name) => {
    const ready = known.get(name);
    if (ready !== undefined || !isVariable(name)) return ready;
    const text = variables[name]?.() ?? '';
    known.set(name, text);
    return text;
  };
}

function introduction({ actor, scopeText }: PromptInput): string {
  const parts = [`You are ${actor.name}.`, actor.description, scopeText ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

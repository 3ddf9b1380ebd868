import type { Prompt } from '../config.ts';
import type { PromptMessage, PromptSource } from '../documents.gen.ts';
import { fillIn, isVariable, type Variable } from './variable.ts';

/** A message of a prompt with its variables replaced; one of the canonical messages of a transcript. */
export type RenderedMessage = PromptMessage;

/** Values of the built-in variables; each is called only if a prompt uses it. A missing value is `''`. */
export type VariableValues = Readonly<Partial<Record<Variable, () => string>>>;

/** Input of `renderPrompt`. */
export interface PromptInput {
  readonly prompt: PromptSource | undefined;
  /** Templates of the same snapshot, by id. */
  readonly prompts: ReadonlyMap<string, Prompt>;
  /** The director or agent of the prompt. Its name and description become the system message if the prompt has none. */
  readonly actor: { readonly name: string; readonly description: string };
  readonly imprint?: string | undefined;
  /** The scope of the actor in words; part of a system message written from name and description. */
  readonly scopeText?: string | undefined;
  readonly variables: VariableValues;
  /** The mail or message that started the run; appended as a user message if the prompt has none. */
  readonly trigger?: (() => string) | undefined;
}

/**
 * Renders the messages that open a thread (design.md, Prompts): the prompt with its variables replaced, a system message if
 * the prompt has none, the imprint after the last system message, and the trigger at the end if there is no user message.
 * Inserted text is not scanned again.
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

/** The messages before replacement, and the values of a template's own variables. */
function messagesOf({ prompt, prompts }: PromptInput): {
  messages: readonly PromptMessage[];
  own: ReadonlyMap<string, string>;
} {
  if (prompt === undefined) return { messages: [], own: new Map() };
  if (!('use' in prompt)) return { messages: prompt, own: new Map() };
  const template = prompts.get(prompt.use);
  // Never happens: linking has checked that the template exists.
  if (template === undefined) return { messages: [], own: new Map() };
  return { messages: template.messages, own: new Map(Object.entries({ ...template.variables, ...prompt.with })) };
}

/** Looks up each variable at most once, since the envelope of a mail may be expensive. Undefined for unknown names. */
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

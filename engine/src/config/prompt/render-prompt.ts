import type { Prompt } from '../config.ts';
import type { PromptMessage, PromptSource } from '../documents.gen.ts';
import { type RenderedMessage, toTranscript } from './transcript.ts';
import { fillIn, isVariable, placeholders, type Variable } from './variable.ts';

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
  /** The mail, the message or the ask that the thread is about; appended as the last message if no variable places it. */
  readonly trigger?: PromptTrigger | undefined;
  /** Called with the text of each variable that is looked up, or undefined for a name that is none. */
  readonly onVariable?: OnVariable | undefined;
  /** Called with the message that contains the trigger; with the last one of several. */
  readonly onTrigger?: OnTrigger | undefined;
}

/** Told which message contains what the thread is about. */
export type OnTrigger = (message: RenderedMessage) => void;

/** Told which variables a prompt uses, and their texts. */
export type OnVariable = (name: string, text: string | undefined) => void;

/** What a thread is about. */
export interface PromptTrigger {
  /** Variables that place it: a user message that names one of them contains the trigger. */
  readonly placedBy: readonly Variable[];
  readonly text: () => string;
}

/** Variables that place a mail, and those that place a message or an ask. */
export const PLACED_BY = { mail: ['email', 'email.text'], message: ['message'] } as const satisfies Record<
  string,
  readonly Variable[]
>;

/**
 * Renders the messages that open a thread (design.md, Prompts): the prompt with its variables replaced, a system message if
 * the prompt has none, the imprint after the last system message, and the trigger as the last user message if no variable
 * placed it. A message without any text is left out, since models refuse it. Inserted text is not scanned again.
 */
export function renderPrompt(input: PromptInput): RenderedMessage[] {
  const { messages, own } = messagesOf(input);
  const look = valueOf(own, input.variables);
  const value = (name: string) => {
    const text = look(name);
    input.onVariable?.(name, text);
    return text;
  };
  const kept = messages
    .map((message) => ({ written: message.content, message: { ...message, content: fillIn(message.content, value) } }))
    .filter(({ message: { role, content } }) => role === 'tool' || content.trim() !== '');
  const rendered = toTranscript(kept.map(({ message }) => message));
  if (!rendered.some(({ role }) => role === 'system'))
    rendered.unshift({ role: 'system', content: introduction(input) });
  if (input.imprint !== undefined && input.imprint !== '') {
    const lastSystem = rendered.findLastIndex(({ role }) => role === 'system');
    rendered.splice(lastSystem + 1, 0, { role: 'system', content: fillIn(input.imprint, value) });
  }
  const { trigger } = input;
  if (trigger === undefined) return rendered;
  // Each user message of the prompt is one of the transcript, in the same order.
  const place = kept
    .filter(({ message }) => message.role === 'user')
    .findLastIndex(({ written, message }) => namesAny(message.role, written, trigger.placedBy));
  if (place < 0) rendered.push({ role: 'user', content: trigger.text() });
  const placed = rendered.filter(({ role }) => role === 'user').at(place);
  if (placed !== undefined) input.onTrigger?.(placed);
  return rendered;
}

/** Whether a message of a prompt names one of these variables where their text may stand: in role user. */
export function namesAny(role: PromptMessage['role'], content: string, variables: readonly Variable[]): boolean {
  return role === 'user' && placeholders(content).some((name) => variables.some((variable) => variable === name));
}

/** Whether a prompt, or the template that it uses, names a variable. */
export function usesVariable(
  prompt: PromptSource | undefined,
  prompts: PromptInput['prompts'],
  variable: Variable,
): boolean {
  return messagesOf({ prompt, prompts }).messages.some(({ content }) => placeholders(content).includes(variable));
}

/** The messages before replacement, and the values of a template's own variables. */
function messagesOf({ prompt, prompts }: Pick<PromptInput, 'prompt' | 'prompts'>): {
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
  const parts = [`You are ${actor.name}.`, actor.description].filter((part) => part !== '');
  return [parts.join(' '), scopeText ?? ''].filter((part) => part !== '').join('\n\n');
}

import { listOf, didYouMean } from '../../base/did-you-mean.ts';

/** What `{{ }}` may hold in a prompt. `email…`, `message` and `thread` are written by others and trusted nowhere. */
export const VARIABLES = [
  ...['email', 'email.subject', 'email.from', 'email.to', 'email.cc', 'email.date', 'email.text', 'email.id'],
  ...['message', 'thread', 'date', 'account'],
  ...['director', 'director.id', 'director.name', 'director.description'],
  ...['agent', 'agent.id', 'agent.name', 'agent.description'],
  ...['agents', 'scope'],
] as const;

export type Variable = (typeof VARIABLES)[number];

const KNOWN: ReadonlySet<string> = new Set(VARIABLES);
const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g;

/** What a rule of a scripted model may fill in; `lastToolResult` also takes a path: `{{lastToolResult.output}}`. */
export const SCRIPT_VARIABLES = ['subject', 'from', 'language', 'lastUserText', 'lastToolResult'] as const;

/** Names in `{{ }}`, each once, in the order of their first use. */
export function placeholders(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ''))];
}

/** `text` with each placeholder replaced by what `value` gives; undefined leaves it. What is filled in is not looked at again. */
export function fillIn(text: string, value: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (whole: string, name: string) => value(name) ?? whole);
}

/** Whether a name is one of the built-in variables. */
export function isVariable(name: string): name is Variable {
  return KNOWN.has(name);
}

/** Whether what stands there was written by somebody else: a sender, or whoever gave the task. */
export function isUntrusted(name: string): boolean {
  return /^(email|message|thread)(\.|$)/.test(name);
}

/** Message and hint for a name that is no variable; `own` are those of the template. */
export function unknownVariable(
  name: string,
  own: readonly string[],
  known: readonly string[] = VARIABLES,
): { message: string; hint: string } {
  const all = [...own, ...known];
  return { message: `unknown variable "${name}"${didYouMean(name, all)}`, hint: `variables: ${listOf(all, 40)}` };
}

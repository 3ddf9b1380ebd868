import { listOf, didYouMean } from '../../base/did-you-mean.ts';

/** Built-in variables of prompts. `email…`, `message`, `thread` and `memories` contain untrusted text of other people. */
export const VARIABLES = [
  ...['email', 'email.subject', 'email.from', 'email.to', 'email.cc', 'email.date', 'email.text', 'email.id'],
  ...['message', 'thread', 'memories', 'date', 'account'],
  ...['director', 'director.id', 'director.name', 'director.description'],
  ...['agent', 'agent.id', 'agent.name', 'agent.description'],
  ...['agents', 'scope'],
] as const;

/** Name of a built-in variable. */
export type Variable = (typeof VARIABLES)[number];

const KNOWN: ReadonlySet<string> = new Set(VARIABLES);
const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g;

/** Variables of the rules of a scripted model. `lastToolResult` also accepts a path: `{{lastToolResult.output}}`. */
export const SCRIPT_VARIABLES = ['subject', 'from', 'language', 'lastUserText', 'lastToolResult'] as const;

/** Variable names in `{{ }}`, each once, in the order of their first use. */
export function placeholders(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? ''))];
}

/** Replaces each placeholder by the result of `value`; undefined keeps it. Inserted text is not scanned again. */
export function fillIn(text: string, value: (name: string) => string | undefined): string {
  return text.replace(PLACEHOLDER, (whole: string, name: string) => value(name) ?? whole);
}

/** Whether a name is one of the built-in variables. */
export function isVariable(name: string): name is Variable {
  return KNOWN.has(name);
}

/** Whether the value of a variable is untrusted: written by a sender, by the person who gave the task, or remembered from them. */
export function isUntrusted(name: string): boolean {
  return /^(email|message|thread|memories)(\.|$)/.test(name);
}

/** Message and hint for an unknown variable; `own` are the variables of the template. */
export function unknownVariable(
  name: string,
  own: readonly string[],
  known: readonly string[] = VARIABLES,
): { message: string; hint: string } {
  const all = [...own, ...known];
  return { message: `unknown variable "${name}"${didYouMean(name, all)}`, hint: `variables: ${listOf(all, 40)}` };
}

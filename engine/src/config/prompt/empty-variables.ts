import { isUntrusted, type Variable } from './variable.ts';

/** Whose prompt it is. */
export interface PromptActor {
  readonly kind: 'director' | 'agent';
  readonly hasScope: boolean;
}

/**
 * Why a built-in variable never has a value in the prompts of an actor, with a hint; undefined if it may have one. Without an
 * actor (a template): only what holds for both.
 */
export function whyEmpty(
  name: Variable,
  actor: PromptActor | undefined,
): { message: string; hint: string } | undefined {
  if (name === 'scope' && actor?.hasScope === false)
    return {
      message: `{{scope}} is always empty here: this ${actor.kind} has no scope`,
      hint: 'add the key scope, or remove {{scope}}',
    };
  if (actor?.kind === 'agent' && isOfMail(name))
    return {
      message: `{{${name}}} is always empty here: an agent sees its prompt and what it is asked, never the mail`,
      hint: 'write {{message}}, and have the director hand on the mail in what it asks',
    };
  if (actor?.kind === 'director' && (name === 'agent' || name.startsWith('agent.')))
    return {
      message: `{{${name}}} is always empty here: it is about the agent of a prompt, and this is a director's`,
      hint: 'write {{agents}} for the list of the agents',
    };
  return undefined;
}

function isOfMail(name: Variable): boolean {
  return name === 'account' || (isUntrusted(name) && name !== 'message' && name !== 'memories');
}

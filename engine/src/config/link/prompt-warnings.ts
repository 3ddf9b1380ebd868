import type { Prompt } from '../config.ts';
import { nameOf } from '../parse/read.ts';
import type { Finding } from '../problem.ts';
import { type PromptActor, whyEmpty } from '../prompt/empty-variables.ts';
import { isVariable, placeholders } from '../prompt/variable.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';

/**
 * Warns about a director or an agent whose template uses a variable that has no value for it, such as `{{email}}` in an
 * agent's. The check of the template itself cannot know who uses it.
 */
export function promptWarnings({ typed, isEnabled }: ValidDocument, others: Others): Finding[] {
  if (!isEnabled || (typed.kind !== 'director' && typed.kind !== 'agent')) return [];
  const { prompt, scope } = typed.value;
  if (prompt === undefined || !('use' in prompt)) return [];
  const template = others.get(nameOf('prompt', prompt.use))?.typed;
  if (template?.kind !== 'prompt') return [];
  return emptyVariables(template.value, { kind: typed.kind, hasScope: scope !== undefined });
}

function emptyVariables({ id, messages }: Prompt, actor: PromptActor): Finding[] {
  const names = new Set(messages.flatMap(({ content }) => placeholders(content)));
  return [...names].flatMap((name): Finding[] => {
    // What is empty for everybody is a problem of the template, reported there.
    if (!isVariable(name) || whyEmpty(name, undefined) !== undefined) return [];
    const empty = whyEmpty(name, actor);
    if (empty === undefined) return [];
    const message = `template "${id}": ${empty.message}`;
    return [{ code: 'CONFIG_EMPTY_VARIABLE', path: ['prompt', 'use'], message, hint: empty.hint }];
  });
}

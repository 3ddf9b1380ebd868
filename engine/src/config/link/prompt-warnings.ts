import type { Prompt } from '../config.ts';
import { nameOf } from '../parse/read.ts';
import type { Finding } from '../problem.ts';
import { type PromptActor, whyEmpty } from '../prompt/empty-variables.ts';
import { isVariable, placeholders } from '../prompt/variable.ts';
import type { ValidDocument } from '../validate/validate.ts';

/**
 * Warns about directors and agents whose template uses a variable that has no value for them, such as `{{email}}` in an
 * agent's. The check of the template itself cannot know who uses it.
 */
export function* promptWarnings(chosen: ReadonlyMap<string, ValidDocument>): Iterable<[ValidDocument, Finding[]]> {
  for (const document of chosen.values()) {
    const { typed, isEnabled } = document;
    if (!isEnabled || (typed.kind !== 'director' && typed.kind !== 'agent')) continue;
    const { prompt, scope } = typed.value;
    if (prompt === undefined || !('use' in prompt)) continue;
    const template = chosen.get(nameOf('prompt', prompt.use))?.typed;
    if (template?.kind !== 'prompt') continue;
    const notes = emptyVariables(template.value, { kind: typed.kind, hasScope: scope !== undefined });
    if (notes.length > 0) yield [document, notes];
  }
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

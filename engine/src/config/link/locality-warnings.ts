import type { ValidDocument } from '../validate/validate.ts';
import type { Api } from '../config.ts';
import { fallbackOf } from '../parse/fallback.ts';
import type { Finding } from '../problem.ts';
import { nameOf } from '../parse/read.ts';
import { declaredIdOf } from '../tool-name.ts';
import { remoteHostOf } from '../tool-template.ts';

/**
 * Warns about directors marked `locality: local` that use apis not marked local, themselves or through their agents. Runs of
 * such a director never send a request to these apis. Warns about declared tools that send their arguments to other machines,
 * too: those are called. The same for local apis with a fallback that is not.
 */
export function* localityWarnings(chosen: ReadonlyMap<string, ValidDocument>): Iterable<[ValidDocument, Finding[]]> {
  for (const document of chosen.values()) {
    const { typed, isEnabled } = document;
    if (!isEnabled) continue;
    const apart = typed.kind === 'api' ? remoteFallbacks(chosen, typed.value) : [];
    if (apart.length > 0) yield [document, apart];
    if (typed.kind !== 'director' || typed.value.locality !== 'local') continue;
    const { apiConfigId, agents } = typed.value;
    const notes: Finding[] = remoteTools(chosen, typed.value.tools, (i) => ['tools', i]);
    if (isRemote(chosen, apiConfigId)) notes.push(remoteApi(['apiConfigId'], apiConfigId, `api "${apiConfigId}" is`));
    for (const [i, id] of agents.entries()) {
      const agent = chosen.get(nameOf('agent', id))?.typed;
      const own = agent?.kind === 'agent' ? agent.value.apiConfigId : undefined;
      if (own !== undefined && isRemote(chosen, own))
        notes.push(remoteApi(['agents', i], own, `agent "${id}" uses api "${own}", which is`));
      if (agent?.kind === 'agent') notes.push(...remoteTools(chosen, agent.value.tools, () => ['agents', i]));
    }
    if (notes.length > 0) yield [document, notes];
  }
}

function remoteTools(
  chosen: ReadonlyMap<string, ValidDocument>,
  names: readonly string[],
  pathOf: (i: number) => Finding['path'],
): Finding[] {
  return names.flatMap((name, i): Finding[] => {
    const document = chosen.get(nameOf('tool', declaredIdOf(name)));
    if (document?.typed.kind !== 'tool' || !document.isEnabled) return [];
    const host = remoteHostOf(document.typed.value);
    if (host === undefined) return [];
    const message = `tool "${name}" sends its arguments to ${host}, and they may contain text of the mail`;
    const hint = 'remove the tool here, or put it under permissions.ask';
    return [{ code: 'CONFIG_REMOTE_TOOL', path: pathOf(i), message, hint }];
  });
}

/** The fallbacks that never replace a local api, where they would do so during a run: `chooseApi` does not take them either. */
function remoteFallbacks(chosen: ReadonlyMap<string, ValidDocument>, api: Api): Finding[] {
  const { to, on } = fallbackOf(api);
  if (api.locality !== 'local' || on.length === 0) return [];
  return to.flatMap((id, i): Finding[] => {
    if (!isRemote(chosen, id)) return [];
    const message = `api "${id}" is not marked "locality: local", so it never replaces "${api.id}", which is`;
    const hint = `remove it here, set locality: local in ${nameOf('api', id)} if its model runs on your own machine, or write fallback: [${to.join(', ')}] to choose it at the start of a run alone`;
    return [{ code: 'CONFIG_REMOTE_API', path: ['fallback', 'to', i], message, hint }];
  });
}

function isRemote(chosen: ReadonlyMap<string, ValidDocument>, id: string): boolean {
  const api = chosen.get(nameOf('api', id))?.typed;
  return api?.kind === 'api' && api.value.locality !== 'local';
}

/** Warns of an api that may lie elsewhere. `subject` begins the sentence, such as `api "main" is`. */
function remoteApi(path: Finding['path'], apiId: string, subject: string): Finding {
  return {
    code: 'CONFIG_REMOTE_API',
    path,
    message: `${subject} not marked "locality: local", so runs of this director never use it; they use its local fallbacks, if it has any`,
    hint: `name another api, or set locality: local in ${nameOf('api', apiId)} if its model runs on your own machine`,
  };
}

import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';
import type { Api } from '../config.ts';
import { fallbackOf } from '../parse/fallback.ts';
import type { Finding } from '../problem.ts';
import { nameOf } from '../parse/read.ts';
import { declaredIdOf } from '../tool-name.ts';
import { remoteHostOf } from '../tool-template.ts';

/**
 * Warns about a director marked `locality: local` that uses apis not marked local, itself or through its agents. Its runs
 * never send a request to these apis. Warns about declared tools that send their arguments to other machines, too: those
 * are called. The same for a local api with a fallback that is not.
 */
export function localityWarnings({ typed, isEnabled }: ValidDocument, others: Others): Finding[] {
  if (!isEnabled) return [];
  if (typed.kind === 'api') return remoteFallbacks(others, typed.value);
  if (typed.kind !== 'director' || typed.value.locality !== 'local') return [];
  const { apiConfigId, agents } = typed.value;
  const notes: Finding[] = remoteTools(others, typed.value.tools, (i) => ['tools', i]);
  if (isRemote(others, apiConfigId)) notes.push(remoteApi(['apiConfigId'], apiConfigId, `api "${apiConfigId}" is`));
  for (const [i, id] of agents.entries()) {
    const agent = others.get(nameOf('agent', id))?.typed;
    const own = agent?.kind === 'agent' ? agent.value.apiConfigId : undefined;
    if (own !== undefined && isRemote(others, own))
      notes.push(remoteApi(['agents', i], own, `agent "${id}" uses api "${own}", which is`));
    if (agent?.kind === 'agent') notes.push(...remoteTools(others, agent.value.tools, () => ['agents', i]));
  }
  return notes;
}

function remoteTools(others: Others, names: readonly string[], pathOf: (i: number) => Finding['path']): Finding[] {
  return names.flatMap((name, i): Finding[] => {
    const document = others.get(nameOf('tool', declaredIdOf(name)));
    if (document?.typed.kind !== 'tool' || !document.isEnabled) return [];
    const host = remoteHostOf(document.typed.value);
    if (host === undefined) return [];
    const message = `tool "${name}" sends its arguments to ${host}, and they may contain text of the mail`;
    const hint = 'remove the tool here, or put it under permissions.ask';
    return [{ code: 'CONFIG_REMOTE_TOOL', path: pathOf(i), message, hint }];
  });
}

/** The fallbacks that never replace a local api, where they would do so during a run: `chooseApi` does not take them either. */
function remoteFallbacks(others: Others, api: Api): Finding[] {
  const { to, on } = fallbackOf(api);
  if (api.locality !== 'local' || on.length === 0) return [];
  return to.flatMap((id, i): Finding[] => {
    if (!isRemote(others, id)) return [];
    const message = `api "${id}" is not marked "locality: local", so it never replaces "${api.id}", which is`;
    const hint = `remove it here, set locality: local in ${nameOf('api', id)} if its model runs on your own machine, or write fallback: [${to.join(', ')}] to choose it at the start of a run alone`;
    return [{ code: 'CONFIG_REMOTE_API', path: ['fallback', 'to', i], message, hint }];
  });
}

function isRemote(others: Others, id: string): boolean {
  const api = others.get(nameOf('api', id))?.typed;
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

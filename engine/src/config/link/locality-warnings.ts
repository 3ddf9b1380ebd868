import type { ValidDocument } from '../validate/validate.ts';
import type { Finding } from '../problem.ts';
import { nameOf } from '../parse/read.ts';

/**
 * Warns about directors marked `locality: local` that use apis not marked local, themselves or through their agents. Runs of
 * such a director never send a request to these apis.
 */
export function* localityWarnings(chosen: ReadonlyMap<string, ValidDocument>): Iterable<[ValidDocument, Finding[]]> {
  for (const document of chosen.values()) {
    const { typed, isEnabled } = document;
    if (!isEnabled || typed.kind !== 'director' || typed.value.locality !== 'local') continue;
    const { apiConfigId, agents } = typed.value;
    const notes: Finding[] = [];
    if (isRemote(chosen, apiConfigId)) notes.push(note(['apiConfigId'], apiConfigId, `api "${apiConfigId}" is`));
    for (const [i, id] of agents.entries()) {
      const agent = chosen.get(nameOf('agent', id))?.typed;
      const own = agent?.kind === 'agent' ? agent.value.apiConfigId : undefined;
      if (own !== undefined && isRemote(chosen, own))
        notes.push(note(['agents', i], own, `agent "${id}" uses api "${own}", which is`));
    }
    if (notes.length > 0) yield [document, notes];
  }
}

function isRemote(chosen: ReadonlyMap<string, ValidDocument>, id: string): boolean {
  const api = chosen.get(nameOf('api', id))?.typed;
  return api?.kind === 'api' && api.value.locality !== 'local';
}

function note(path: Finding['path'], apiId: string, what: string): Finding {
  return {
    code: 'CONFIG_REMOTE_API',
    path,
    message: `${what} not marked "locality: local", so runs of this director never use it; they use its local fallbacks, if it has any`,
    hint: `name another api, or set locality: local in ${nameOf('api', apiId)} if its model runs on your own machine`,
  };
}

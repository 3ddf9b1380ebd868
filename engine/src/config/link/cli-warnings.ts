import { nameOf } from '../parse/read.ts';
import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';

/** Whether `tools` says what the schema says where nobody wrote it. */
function isDefault(tools: readonly string[]): boolean {
  return tools.length === 0 || (tools.length === 1 && tools[0] === 'workspace');
}

/**
 * Warns about `tools` and `agents` of a director or an agent whose api is a command-line agent: such an api answers with text and is
 * offered no tools.
 */
export function cliWarnings({ typed, isEnabled }: ValidDocument, others: Others): Finding[] {
  if (!isEnabled || (typed.kind !== 'director' && typed.kind !== 'agent')) return [];
  const { apiConfigId, tools } = typed.value;
  const agents = 'agents' in typed.value ? typed.value.agents : [];
  const unused = [...(isDefault(tools) ? [] : ['tools']), ...(agents.length > 0 ? ['agents'] : [])];
  if (apiConfigId === undefined || unused.length === 0) return [];
  const api = others.get(nameOf('api', apiConfigId))?.typed;
  if (api?.kind !== 'api' || api.value.provider !== 'cli') return [];
  return unused.map((key): Finding => ({
    ...{ code: 'CONFIG_CLI_TOOLS', path: [key], part: 'key' },
    message: `api "${api.value.id}" is a command-line agent, which is offered no tools, so ${key} has no effect`,
    hint: `remove ${key}, or name an api of another provider`,
  }));
}

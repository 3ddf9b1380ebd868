import { nameOf } from '../parse/read.ts';
import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';

/** Whether `tools` says what the schema says where nobody wrote it. */
function isDefault(tools: readonly string[]): boolean {
  return tools.length === 0 || (tools.length === 1 && tools[0] === 'workspace');
}

/**
 * Warns about `tools` and `agents` of a director or an agent whose api is a command-line agent: such an api answers with text and is
 * offered no tools.
 */
export function* cliWarnings(chosen: ReadonlyMap<string, ValidDocument>): Iterable<[ValidDocument, Finding[]]> {
  for (const document of chosen.values()) {
    const { typed, isEnabled } = document;
    if (!isEnabled || (typed.kind !== 'director' && typed.kind !== 'agent')) continue;
    const { apiConfigId, tools } = typed.value;
    const api = apiConfigId === undefined ? undefined : chosen.get(nameOf('api', apiConfigId))?.typed;
    if (api?.kind !== 'api' || api.value.provider !== 'cli') continue;
    const agents = 'agents' in typed.value ? typed.value.agents : [];
    const unused = [...(isDefault(tools) ? [] : ['tools']), ...(agents.length > 0 ? ['agents'] : [])];
    const notes = unused.map((key): Finding => ({
      ...{ code: 'CONFIG_CLI_TOOLS', path: [key], part: 'key' },
      message: `api "${api.value.id}" is a command-line agent, which is offered no tools, so ${key} has no effect`,
      hint: `remove ${key}, or name an api of another provider`,
    }));
    if (notes.length > 0) yield [document, notes];
  }
}

import type { Agent, Director, ToolCatalog } from '../config.ts';
import type { ValidDocument } from '../validate/validate.ts';
import { globTest } from '../../base/glob.ts';
import type { Finding } from '../problem.ts';
import { nameOf } from '../parse/read.ts';
import { permissionOf, OWN_FAMILIES } from '../permissions.ts';

/**
 * Warns about directors that can, themselves or through their agents, read private data and send it outward without an
 * approval: every mail is written by someone else, and its text can make a model do both (prompt injection).
 */
export function* exfiltrationWarnings(
  chosen: ReadonlyMap<string, ValidDocument>,
  tools: ToolCatalog['tools'],
): Iterable<[ValidDocument, Finding[]]> {
  for (const document of chosen.values()) {
    const { typed, isEnabled } = document;
    if (!isEnabled || typed.kind !== 'director') continue;
    const allowed = new Set(allowedTools(typed.value, agentsOf(typed.value, chosen), tools));
    const withReach = (reach: 'private' | 'outward') => [...allowed].find((name) => tools.get(name)?.reach === reach);
    const [reads, sends] = [withReach('private'), withReach('outward')];
    if (reads !== undefined && sends !== undefined) yield [document, [note(typed.value, reads, sends)]];
  }
}

function agentsOf({ agents }: Director, chosen: ReadonlyMap<string, ValidDocument>): Agent[] {
  return agents.flatMap((id) => {
    const agent = chosen.get(nameOf('agent', id));
    return agent?.isEnabled === true && agent.typed.kind === 'agent' ? [agent.typed.value] : [];
  });
}

/** Tools that run without approval: a call of an agent must pass its own permissions and those of its director. */
function* allowedTools(director: Director, agents: readonly Agent[], tools: ToolCatalog['tools']): Iterable<string> {
  for (const actor of [director, ...agents])
    for (const [name, tool] of tools) {
      if (!actor.tools.includes(name) && !actor.tools.includes(tool.family)) continue;
      const facts = { name, effects: tool.effects, isOurs: OWN_FAMILIES.has(tool.family), asks: tool.asks };
      const documents = [director, actor];
      if (documents.every(({ permissions }) => permissionOf(permissions, facts).permission === 'allow')) yield name;
    }
}

function note({ permissions, agents }: Director, reads: string, sends: string): Finding {
  const rule = (permissions?.allow ?? []).findIndex((glob) => globTest(glob)(sends));
  return {
    code: 'CONFIG_CAN_LEAK',
    path: rule >= 0 ? ['permissions', 'allow', rule] : ['id'],
    message: `text in a mail can make this director${agents.length > 0 ? ', or an agent of it,' : ''} read private data (${reads}) and send it to anyone (${sends}) without approval`,
    hint: `put "${sends}" under permissions.ask, or remove one of the two tools`,
  };
}

import type { Account, Agent, Director, Snapshot } from '../config/config.ts';
import { permissionOf } from '../config/permissions.ts';
import type { CloudProvider, AccountUse } from './scopes.ts';

/** Accounts that somebody signs in to. */
export type CloudAccount = Extract<Account, { provider: CloudProvider }>;

/** Something that is done in an account, and what of the config does it: `fetching mail`, `director boss (mail_send)`. */
export interface RequiredUse {
  readonly use: AccountUse;
  readonly by: string;
}

/** What each tool does in an account. A tool's family is its name before the `_`. */
const TOOL_USES: Readonly<Record<string, readonly AccountUse[]>> = {
  mail_search: ['read'],
  mail_read: ['read'],
  mail_draft: ['draft'],
  // Sent mail is looked up before a second attempt, which `read` allows: every account has it.
  mail_send: ['send'],
  mail_label: ['label'],
  mail_archive: ['archive'],
  calendar_read: ['calendar read'],
  calendar_free_slots: ['calendar read'],
  calendar_add: ['calendar add'],
  todo_add: ['todo add'],
  todo_list: ['todo read'],
};

/** Uses that change nothing; a tool with any other one is a write to whoever judges its calls. */
const READS: ReadonlySet<AccountUse> = new Set(['read', 'calendar read', 'todo read']);

/** Whether a document names an account that somebody signs in to. */
export function isCloud(account: Account): account is CloudAccount {
  return account.provider === 'gmail' || account.provider === 'outlook';
}

/**
 * What an account is used for under a config: fetching always, replies of people where the account says so, and what the
 * tools do of each director that works for it and of that director's agents. An agent that no director names works in
 * sessions that people open, for any account.
 */
export function requiredUsesOf(account: CloudAccount, { directors, agents }: Snapshot): readonly RequiredUse[] {
  const needs: RequiredUse[] = [{ use: 'read', by: 'fetching mail' }];
  if (account.replies) needs.push(...(['draft', 'send'] as const).map((use) => ({ use, by: 'replies of people' })));
  const named = new Set([...directors.values()].flatMap((director) => director.agents));
  for (const director of directors.values()) {
    if (director.accountIds !== undefined && !director.accountIds.includes(account.id)) continue;
    needs.push(...needsOfActor(`director ${director.id}`, [director], director));
    for (const id of director.agents) {
      const agent = agents.get(id);
      if (agent !== undefined) needs.push(...needsOfActor(`agent ${id}`, [director, agent], agent));
    }
  }
  for (const agent of agents.values())
    if (!named.has(agent.id)) needs.push(...needsOfActor(`agent ${agent.id}`, [agent], agent));
  return needs;
}

/** `judges`: whoever may deny a tool, by a rule or by rules that leave it out. */
function needsOfActor(name: string, judges: readonly (Director | Agent)[], { tools }: Director | Agent): RequiredUse[] {
  return Object.entries(TOOL_USES).flatMap(([tool, uses]) => {
    const isShown = tools.includes(tool) || tools.includes(tool.slice(0, tool.indexOf('_')));
    const effects = uses.every((use) => READS.has(use)) ? 'read' : 'write';
    const facts = { name: tool, effects, isOurs: false } as const;
    const isDenied = judges.some(({ permissions }) => permissionOf(permissions, facts).permission === 'deny');
    if (!isShown || isDenied) return [];
    return uses.map((use) => ({ use, by: `${name} (${tool})` }));
  });
}

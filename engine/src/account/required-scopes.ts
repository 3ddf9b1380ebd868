import type { Account, Agent, Director, Snapshot } from '../config/config.ts';
import { permissionOf } from '../config/rule/permission-of.ts';
import type { CloudProvider, AccountUse } from './scopes.ts';

/** An account with a sign-in. */
export type CloudAccount = Extract<Account, { provider: CloudProvider }>;

/** A use of an account, and the part of the config that needs it: `fetching mail`, `director boss (mail_send)`. */
export interface RequiredUse {
  readonly use: AccountUse;
  readonly by: string;
}

/** The properties of a tool that decide which scopes an account needs. */
export interface AccountTool {
  readonly family: string;
  readonly effects: 'none' | 'read' | 'write';
  /** Operations of the tool on an account with a sign-in. */
  readonly uses?: readonly AccountUse[];
}

/** Tools by name. */
export type AccountTools = ReadonlyMap<string, AccountTool>;

/** True for an account with a sign-in. */
export function isCloud(account: Account): account is CloudAccount {
  return account.provider === 'gmail' || account.provider === 'outlook';
}

/**
 * The uses of an account under a config: fetching always, replies of people where the account allows them, and the uses of the
 * tools of each director for this account and of its agents. An agent that no director names works in sessions that people
 * open, for any account.
 */
export function requiredUsesOf(
  account: CloudAccount,
  { directors, agents }: Snapshot,
  tools: AccountTools,
): readonly RequiredUse[] {
  const needs: RequiredUse[] = [{ use: 'read', by: 'fetching mail' }];
  if (account.replies) needs.push(...(['draft', 'send'] as const).map((use) => ({ use, by: 'replies of people' })));
  const named = new Set([...directors.values()].flatMap((director) => director.agents));
  for (const director of directors.values()) {
    if (director.accountIds !== undefined && !director.accountIds.includes(account.id)) continue;
    needs.push(...needsOfActor(`director ${director.id}`, [director], director.tools, tools));
    for (const id of director.agents) {
      const agent = agents.get(id);
      if (agent !== undefined) needs.push(...needsOfActor(`agent ${id}`, [director, agent], agent.tools, tools));
    }
  }
  for (const agent of agents.values())
    if (!named.has(agent.id)) needs.push(...needsOfActor(`agent ${agent.id}`, [agent], agent.tools, tools));
  return needs;
}

/** The uses of an actor's tools. `documents`: the actor, and the director whose permissions also apply. */
function needsOfActor(
  actor: string,
  documents: readonly (Director | Agent)[],
  names: readonly string[],
  tools: AccountTools,
): RequiredUse[] {
  return [...tools].flatMap(([name, { family, effects, uses = [] }]) => {
    if (!names.includes(name) && !names.includes(family)) return [];
    const facts = { name, effects, isOurs: false };
    const isDenied = documents.some(({ permissions }) => permissionOf(permissions, facts).permission === 'deny');
    return isDenied ? [] : uses.map((use) => ({ use, by: `${actor} (${name})` }));
  });
}

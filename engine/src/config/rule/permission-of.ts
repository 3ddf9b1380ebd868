import type { Permission, PermissionRules, RuledPermission, ToolFacts } from '../permissions.ts';
import { type CallArguments, hasArguments, matchRule, namesTool } from './match-rule.ts';
import { toolOfRule } from './parse-rule.ts';

const STRICTEST_FIRST = ['deny', 'ask', 'allow'] as const satisfies readonly Permission[];

/**
 * The permission that one document gives a call: deny, then ask, then allow (design.md, Safety). Without a matching rule, our
 * own tools and declared reads are allowed, and a command is asked about; any other tool is asked about where the document has
 * no permissions, and denied where it has some. A call that a rule of `allow` names with other arguments asks.
 *
 * Without `args`, the loosest permission that any arguments can get: rules with arguments count in `allow` alone.
 */
export function permissionOf(
  rules: PermissionRules | undefined,
  tool: ToolFacts,
  args?: CallArguments,
): RuledPermission {
  const find = (permission: Permission) => rules?.[permission]?.find((text) => isAbout(text, permission, tool, args));
  for (const permission of STRICTEST_FIRST) {
    const rule = find(permission);
    if (rule !== undefined) return { permission, rule };
  }
  const isFree = tool.isOurs || tool.effects === 'read';
  // `*(path=drafts/**)` must not make tools ask that have no path: only a tool that is named so is meant.
  const unmatched = rules?.allow?.find(
    (text) => namesTool(text, tool.name) && !(isFree && toolOfRule(text).includes('*')),
  );
  if (unmatched !== undefined) return { permission: 'ask', unmatched };
  if (tool.asks === true) return { permission: 'ask' };
  if (isFree) return { permission: 'allow' };
  return { permission: rules === undefined ? 'ask' : 'deny' };
}

function isAbout(text: string, permission: Permission, tool: ToolFacts, args: CallArguments | undefined): boolean {
  if (args === undefined) return namesTool(text, tool.name) && (permission === 'allow' || !hasArguments(text));
  const mode = permission === 'allow' ? 'every' : 'some';
  return matchRule(text, tool.name, args, { mode, addresses: tool.recipients });
}

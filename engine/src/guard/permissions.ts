import {
  type Permission,
  type PermissionRules,
  type RuledPermission,
  type ToolFacts,
  whyNever,
} from '../config/permissions.ts';
import { hasArguments, namesTool } from '../config/rule/match-rule.ts';
import { permissionOf } from '../config/rule/permission-of.ts';
import type { Arguments } from '../tool/arguments.ts';
import { toolsetFacts } from '../tool/toolset.ts';
import { actualArguments } from './actual-arguments.ts';
import type { DecidingRule, Guard, Verdict } from './guard.ts';
import type { Layer } from './layer.ts';

/** The part of a layer that its permissions depend on. */
export type PermissionLayer = Pick<Layer, 'who' | 'kind' | 'id' | 'isNewest' | 'permissions' | 'files'>;

/** The permission of a call, and the reason for it. */
export interface PermissionCheck {
  readonly permission: Permission;
  /** One sentence for models and people. */
  readonly reason: string;
}

const STRICTNESS: Record<Permission, number> = { allow: 0, ask: 1, deny: 2 };

/**
 * The loosest permission that any call of a tool can get under several documents: the strictest document wins (design.md,
 * Safety). A tool that the scope of the caller can never permit is denied.
 */
export function checkPermission(tool: ToolFacts, layers: readonly PermissionLayer[]): PermissionCheck {
  let strictest: PermissionCheck = { permission: 'allow', reason: '' };
  for (const layer of layers) {
    const check = checkLayer(tool, layer);
    if (STRICTNESS[check.permission] > STRICTNESS[strictest.permission]) strictest = check;
  }
  return strictest;
}

function checkLayer(tool: ToolFacts, layer: PermissionLayer): PermissionCheck {
  const { who, permissions, files } = layer;
  const never =
    tool.operation === undefined || files === undefined
      ? undefined
      : whyNever(files.scope, tool.operation, files.roots);
  if (never !== undefined) return { permission: 'deny', reason: `${who}: ${never}` };
  const ruled = permissionOf(permissions, tool);
  return { permission: ruled.permission, reason: reasonOf(layer, ruled) };
}

/** Applies the `permissions` of all documents to a call: deny, then ask, then allow; the strictest document wins. */
export const permissionsGuard: Guard = {
  name: 'permissions',
  async check(call, { layers, whyGone, caller }) {
    const { tool } = call;
    const gone = whyGone(tool.name);
    if (gone !== undefined) return { decision: 'refuse', code: 'TOOL_DENIED', reason: gone };
    const hasPatterns = layers.some(({ permissions }) => isPatterned(permissions, tool.name));
    const args = hasPatterns ? (await actualArguments(call, caller)).arguments : call.arguments;
    return verdictOf(toolsetFacts(tool), args, layers);
  },
};

/** Whether a rule about a tool depends on the arguments of the call. */
function isPatterned(permissions: PermissionRules | undefined, toolName: string): boolean {
  const rules = [...(permissions?.deny ?? []), ...(permissions?.ask ?? []), ...(permissions?.allow ?? [])];
  return rules.some((rule) => hasArguments(rule) && namesTool(rule, toolName));
}

function verdictOf(tool: ToolFacts, args: Arguments, layers: readonly PermissionLayer[]): Verdict {
  const ruled = layers.map((layer) => ({ layer, ...permissionOf(layer.permissions, tool, args) }));
  const of = (permission: Permission) => ruled.filter((one) => one.permission === permission);
  const [denied] = of('deny');
  if (denied !== undefined) {
    const reason = reasonOf(denied.layer, denied);
    return { decision: 'refuse', code: 'TOOL_DENIED', reason, rules: [ruleOf(denied.layer, denied)] };
  }
  const asking = of('ask');
  if (asking.length > 0) {
    const reason = asking.map((one) => reasonOf(one.layer, one)).join('; ');
    return { decision: 'ask', reason, rules: asking.map((one) => ruleOf(one.layer, one)) };
  }
  return { decision: 'pass', rules: ruled.map((one) => ruleOf(one.layer, one)) };
}

function reasonOf({ who }: PermissionLayer, { permission, rule, unmatched }: RuledPermission): string {
  if (rule !== undefined) return `${who}: permissions.${permission} has "${rule}"`;
  if (unmatched !== undefined) return `${who}: permissions.allow has "${unmatched}", which does not match this call`;
  return `${who}: ${REASONS[permission]}`;
}

function ruleOf(
  { kind, id, isNewest }: PermissionLayer,
  { permission, rule, unmatched }: RuledPermission,
): DecidingRule {
  const document = { kind, id, isNewest };
  if (unmatched !== undefined) return { ...document, list: 'permissions.allow', entry: unmatched };
  return { ...document, list: `permissions.${permission}`, ...(rule !== undefined && { entry: rule }) };
}

/** The reason of each permission where no rule names the tool. */
const REASONS: Record<Permission, string> = {
  allow: 'allowed unless denied',
  ask: 'no rule of its permissions names it, so a person is asked',
  deny: 'no rule of its permissions names it',
};

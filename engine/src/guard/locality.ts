import type { DeclaredTool } from '../config/config.ts';
import { remoteHostOf } from '../config/tool-template.ts';
import { permissionOf } from '../config/rule/permission-of.ts';
import { toolsetFacts } from '../tool/toolset.ts';
import type { Guard } from './guard.ts';

/**
 * In a run with `locality: local`, asks about tools that reach the network, unless a rule of `permissions.allow` names them: what is in
 * their arguments leaves the machine. Of the director of an agent the rule must be the director's.
 */
export const localityGuard: Guard = {
  name: 'locality',
  check({ tool, arguments: args }, { caller, config, layers }) {
    const declared = 'kind' in tool || caller.isLocal !== true ? undefined : config.tools.get(tool.family);
    const where = declared === undefined ? undefined : cursorOf(declared);
    if (where === undefined) return { decision: 'pass' };
    const directors = layers.filter(({ kind }) => kind === 'director');
    const deciding = directors.length > 0 ? directors : layers;
    const isNamed = deciding.every(({ permissions }) => {
      const { permission, rule } = permissionOf(permissions, toolsetFacts(tool), args);
      return permission === 'allow' && rule !== undefined;
    });
    if (isNamed) return { decision: 'pass' };
    const reason = `this run has locality: local, and "${tool.name}" sends its arguments to ${where}`;
    return { decision: 'ask', reason };
  },
};

/** Where the arguments of a declared tool go; undefined where they stay on this machine and its network. */
function cursorOf(tool: DeclaredTool): string | undefined {
  if (tool.kind === 'mcp' && 'command' in tool) return 'a program that may reach the network';
  return remoteHostOf(tool);
}

import { listOf } from '../../base/did-you-mean.ts';
import type { Agent, Director, ToolCatalog } from '../config.ts';
import type { Finding } from '../problem.ts';
import type { ValidDocument } from '../validate/validate.ts';
import type { Others } from './config-view.ts';

/**
 * Warns about a director or an agent whose `scope` names a notebook that the settings do not have, or that has a scope without
 * a tool that uses it, or such a tool without a scope.
 */
export function scopeWarnings({ typed, isEnabled }: ValidDocument, others: Others): Finding[] {
  if (!isEnabled || (typed.kind !== 'director' && typed.kind !== 'agent')) return [];
  return [...unknownNotebooks(typed.value, others), ...mismatch(typed.value, others.catalog.tools)];
}

function unknownNotebooks({ scope }: Director | Agent, others: Others): Finding[] {
  return (scope?.notebooks ?? []).flatMap((name, i): Finding[] => {
    if (name === '*' || Object.hasOwn(others.roots, name)) return [];
    const message = `there is no notebook "${name}", so this name opens nothing`;
    const known = Object.keys(others.roots);
    const hint =
      known.length === 0 ? `add it to settings.yaml: roots: { ${name}: ./folder }` : `notebooks: ${listOf(known)}`;
    return [{ code: 'CONFIG_UNKNOWN_NOTEBOOK', path: ['scope', 'notebooks', i], message, hint }];
  });
}

function mismatch({ scope, tools: names }: Director | Agent, tools: ToolCatalog['tools']): Finding[] {
  const isScoped = (name: string) =>
    [...tools].some(([tool, { family, operation }]) => operation !== undefined && (tool === name || family === name));
  const at = names.findIndex(isScoped);
  if (scope === undefined && at >= 0) {
    const message = `without a scope, "${names[at]}" is not offered`;
    return [{ code: 'CONFIG_SCOPE_UNUSED', path: ['tools', at], message, hint: 'add scope: { notebooks: [...] }' }];
  }
  if (scope === undefined || at >= 0) return [];
  const message = 'none of the tools works on notebooks, so the scope has no effect';
  return [
    { code: 'CONFIG_SCOPE_UNUSED', path: ['scope'], message, hint: 'add notebook to tools, or remove the scope' },
  ];
}

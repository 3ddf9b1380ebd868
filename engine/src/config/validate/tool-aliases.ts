import { isRecord } from '../../base/json.ts';
import type { ToolCatalog } from '../config.ts';
import { toolOfRule } from '../rule/parse-rule.ts';

/**
 * Replaces tool aliases such as `create_event` by the names that models see, in `tools`, `permissions`, `untrusted.act`,
 * `guards`, `checks` and `privacy.restoreIn` of a document that is valid against its schema. Patterns are not changed.
 */
export function useToolNames(value: Record<string, unknown>, { aliases }: Pick<ToolCatalog, 'aliases'>): void {
  const rename = (text: unknown) => {
    if (typeof text !== 'string') return text;
    const name = toolOfRule(text);
    const target = aliases.get(name);
    return target === undefined ? text : target + text.slice(text.indexOf(name) + name.length);
  };
  const renameIn = (holder: Record<string, unknown>, key: string) => {
    const names = holder[key];
    if (Array.isArray(names)) holder[key] = names.map(rename);
  };
  renameIn(value, 'tools');
  const { permissions } = value;
  if (isRecord(value['untrusted'])) renameIn(value['untrusted'], 'act');
  if (isRecord(value['privacy'])) renameIn(value['privacy'], 'restoreIn');
  if (isRecord(permissions)) for (const rule of ['allow', 'ask', 'deny']) renameIn(permissions, rule);
  for (const guard of recordsIn(value['guards'])) renameIn(guard, 'tools');
  for (const check of recordsIn(value['checks'])) {
    renameIn(check, 'needs');
    if ('needs' in check) check['needs'] = Array.isArray(check['needs']) ? check['needs'] : rename(check['needs']);
  }
}

function recordsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

import { isRecord } from '../../base/json.ts';
import type { ToolCatalog } from '../config.ts';

/**
 * Replaces tool aliases such as `create_event` by the names that models see, in `tools` and `permissions` of a document that
 * is valid against its schema. Patterns are not changed.
 */
export function useToolNames(value: Record<string, unknown>, { aliases }: Pick<ToolCatalog, 'aliases'>): void {
  const rename = (name: unknown) => (typeof name === 'string' ? (aliases.get(name) ?? name) : name);
  const renameIn = (holder: Record<string, unknown>, key: string) => {
    const names = holder[key];
    if (Array.isArray(names)) holder[key] = names.map(rename);
  };
  renameIn(value, 'tools');
  const { permissions } = value;
  if (isRecord(permissions)) for (const rule of ['allow', 'ask', 'deny']) renameIn(permissions, rule);
}

import { isRecord } from '../../base/json.ts';
import type { ToolCatalog } from '../config.ts';

/**
 * Replaces other names of tools, such as `create_event`, by the names that models see, in the `tools` and `permissions` of a
 * document whose shape was checked. Patterns stay as they are.
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

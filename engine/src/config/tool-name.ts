import { sha256 } from '../base/json.ts';
import type { DeclaredTool, ToolCatalog } from './config.ts';

/** Between the id of an MCP document and the name of a tool of its server. */
const SEPARATOR = '__';
/** Longest tool name that models accept. */
const MAX_NAME = 64;

/** Ids that no declared tool can have: `agent__x` asks an agent, and `/api/tools/catalog` is a route of its own. */
export const RESERVED_TOOL_IDS: readonly string[] = [
  'agent',
  'agents',
  'director',
  'tool',
  'tools',
  'catalog',
  'order',
];

/**
 * The name under which models see a tool of an MCP server: `<id>__<tool>`. Characters that models do not accept become `_`, and a
 * name of more than 64 characters is cut and ends with a hash of the whole name.
 */
export function mcpToolName(id: string, tool: string): string {
  const whole = id + SEPARATOR + tool;
  const name = whole.replace(/[^A-Za-z0-9_-]/g, '_');
  if (name.length <= MAX_NAME) return name;
  return `${name.slice(0, MAX_NAME - 9)}_${sha256(whole).slice(0, 8)}`;
}

/** The id of the declared tool that a name belongs to: `tickets` for `tickets` and for `tickets__search`. */
export function declaredIdOf(name: string): string {
  const at = name.indexOf(SEPARATOR);
  return at > 0 ? name.slice(0, at) : name;
}

/** Whether a declared tool has a tool of this name, as far as its document says. */
export function declaresName(tool: DeclaredTool, name: string): boolean {
  if (name === tool.id) return true;
  if (tool.kind !== 'mcp' || declaredIdOf(name) !== tool.id) return false;
  return tool.allow.some((allowed) => allowed.includes('*') || mcpToolName(tool.id, allowed) === name);
}

/** What permissions and warnings need to know of a tool. */
export type CatalogTool = ToolCatalog['tools'] extends ReadonlyMap<string, infer TTool> ? TTool : never;

/**
 * The tools of a document with the properties that permissions and warnings depend on. Arguments of an HTTP or MCP tool reach
 * others. A command without a sandbox may send them on as well; with one it only reads files.
 */
export function catalogTools(tool: DeclaredTool): (readonly [string, CatalogTool])[] {
  const { id: family, effects } = tool;
  if (tool.kind === 'command')
    return [[family, { family, effects, reach: tool.sandbox ? 'private' : 'outward', asks: true }]];
  if (tool.kind === 'http') return [[family, { family, effects, reach: 'outward' }]];
  return tool.allow.map((allowed) => [
    allowed.includes('*') ? `${family}${SEPARATOR}*` : mcpToolName(family, allowed),
    { family, effects, reach: 'outward' },
  ]);
}

import { isRecord, sha256 } from '../base/json.ts';
import type { DeclaredTool, ToolCatalog } from './config.ts';
import type { McpTool } from './documents.gen.ts';

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

/** The names under which models see the tools of one server. Tools that would have the same name get a hash of their own. */
export function mcpToolNames(id: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(new Set(tools), (tool) => mcpToolName(id, tool));
  return new Map(
    [...byName].flatMap(([name, same]) =>
      same.map((tool) => [tool, same.length === 1 ? name : ownName(id, tool)] as const),
    ),
  );
}

/** A name that no other tool of a server has. One that is spelled so keeps it. */
function ownName(id: string, tool: string): string {
  const whole = id + SEPARATOR + tool;
  const name = mcpToolName(id, tool);
  return name === whole ? name : `${name.slice(0, MAX_NAME - 9)}_${sha256(whole).slice(0, 8)}`;
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
  return tool.allow.some((allowed) => allowed.includes('*')) || namesAllowed(tool).includes(name);
}

/** What permissions and warnings need to know of a tool. */
export type CatalogTool = ToolCatalog['tools'] extends ReadonlyMap<string, infer TTool> ? TTool : never;

/**
 * The tools of a document with the properties that permissions and warnings depend on. Arguments of an HTTP or MCP tool reach
 * others. A command without a sandbox may send them on as well; with one it only reads files.
 */
export function catalogTools(tool: DeclaredTool): (readonly [string, CatalogTool])[] {
  const { id: family, effects, trust } = tool;
  if (tool.kind !== 'mcp') {
    const { properties } = tool.parameters;
    const own = { family, effects, trust, arguments: isRecord(properties) ? Object.keys(properties) : undefined };
    if (tool.kind === 'http') return [[family, { ...own, reach: 'outward' }]];
    return [[family, { ...own, reach: tool.sandbox ? 'private' : 'outward', asks: true }]];
  }
  const hasPattern = tool.allow.some((allowed) => allowed.includes('*'));
  const names = [...namesAllowed(tool), ...(hasPattern ? [`${family}${SEPARATOR}*`] : [])];
  return names.map((name) => [name, { family, effects, trust, reach: 'outward' }]);
}

/** The names of the tools that a document allows by name. */
function namesAllowed({ id, allow }: McpTool): readonly string[] {
  const named = allow.filter((allowed) => !allowed.includes('*'));
  return [...mcpToolNames(id, named).values()];
}

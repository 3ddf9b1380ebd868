import type { DeclaredTool, Snapshot } from '../config/config.ts';
import { declaredIdOf } from '../config/tool-name.ts';
import type { DeclaredKind, DeclaredServices } from './declared-tool.ts';
import { commandKind } from './declared/command-tool.ts';
import { httpKind } from './declared/http-tool.ts';
import type { McpServers } from './mcp/mcp-servers.ts';
import { mcpTools } from './mcp/mcp-tools.ts';
import type { ToolList } from './mcp/remote-tools.ts';
import type { RunTools, ToolLists } from './run-tools.ts';
import type { Tool } from './tool.ts';

/**
 * Every kind of declared tool whose document says all about it. A new kind is one more row, and a branch of
 * `schemas/tool.schema.json`. The tools of an MCP server also follow from what the server lists.
 */
const KINDS: {
  readonly [K in Exclude<DeclaredTool['kind'], 'mcp'>]: DeclaredKind<Extract<DeclaredTool, { kind: K }>>;
} = {
  http: httpKind,
  command: commandKind,
};

interface Options {
  readonly builtIn: ReadonlyMap<string, Tool>;
  readonly services: DeclaredServices;
  /** Default: none, and their documents have no tools. */
  readonly servers?: McpServers | undefined;
  /** Replaces each declared tool, for example by a stand-in of a replay. Default: the tool itself. */
  readonly replace?: ((tool: Tool) => Tool) | undefined;
}

/** Makes the declared tools of config revisions. A document that did not change keeps its tools from revision to revision. */
export function openRunTools({ builtIn, services, servers, replace = (tool) => tool }: Options): RunTools {
  /** Tools by document, and by the list of its server. */
  const ofDocument = new WeakMap<DeclaredTool, Map<string, readonly Tool[]>>();
  /** Tools by snapshot, and by the lists of its servers. */
  const ofSnapshot = new WeakMap<Snapshot['tools'], Map<string, ReadonlyMap<string, Tool>>>();
  const listOf = (document: DeclaredTool, lists?: ToolLists) => {
    if (document.kind !== 'mcp') return undefined;
    // A run that keeps no list of a server began without its tools.
    return servers?.list(document, lists === undefined ? undefined : (lists[document.id] ?? ''));
  };
  const make = (document: DeclaredTool, list: ToolList | undefined) => {
    if (document.kind !== 'mcp') return makeTools(document, services);
    if (servers === undefined || list === undefined) return [];
    return mcpTools(document, list.tools, { servers, redactor: services.redactor });
  };
  const toolsOf = (document: DeclaredTool, lists?: ToolLists) => {
    const list = listOf(document, lists);
    const known = ofDocument.get(document) ?? new Map<string, readonly Tool[]>();
    ofDocument.set(document, known);
    const tools = known.get(list?.hash ?? '') ?? make(document, list).map(replace);
    known.set(list?.hash ?? '', tools);
    return tools;
  };
  return {
    builtIn,
    of({ tools: documents }, lists) {
      if (documents.size === 0) return builtIn;
      const key = [...documents.values()].map((document) => listOf(document, lists)?.hash ?? '').join(' ');
      const known = ofSnapshot.get(documents) ?? new Map<string, ReadonlyMap<string, Tool>>();
      ofSnapshot.set(documents, known);
      let tools = known.get(key);
      if (tools === undefined) {
        const declared = [...documents.values()].flatMap((document) => toolsOf(document, lists));
        known.set(key, (tools = withoutNames(declared, builtIn)));
      }
      return tools;
    },
    async pin({ tools: documents }, names) {
      const ids = new Set(Array.from(names, declaredIdOf));
      const needed = [...documents.values()].filter(({ kind, id }) => kind === 'mcp' && ids.has(id));
      return needed.length === 0 ? {} : (servers?.pin(needed.map(({ id }) => id)) ?? {});
    },
    load: async (lists) => servers?.load(lists),
  };
}

/** Built-in tools first, and they keep their names. */
function withoutNames(declared: readonly Tool[], builtIn: ReadonlyMap<string, Tool>): ReadonlyMap<string, Tool> {
  const named = declared.map((tool) => [tool.name, tool] as const);
  return new Map([...builtIn, ...named.filter(([name]) => !builtIn.has(name))]);
}

function makeTools(document: Exclude<DeclaredTool, { kind: 'mcp' }>, services: DeclaredServices): readonly Tool[] {
  return document.kind === 'http' ? KINDS.http.tools(document, services) : KINDS.command.tools(document, services);
}

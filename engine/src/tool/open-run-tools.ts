import type { DeclaredTool, Snapshot } from '../config/config.ts';
import type { DeclaredKind, DeclaredServices } from './declared-tool.ts';
import { httpKind } from './declared/http-tool.ts';
import type { RunTools } from './run-tools.ts';
import type { Tool } from './tool.ts';

/** Every kind of declared tool. A new kind is one more row, and a branch of `schemas/tool.schema.json`. */
const KINDS: { readonly [K in DeclaredTool['kind']]: DeclaredKind<Extract<DeclaredTool, { kind: K }>> } = {
  http: httpKind,
  command: { tools: () => [] },
  mcp: { tools: () => [] },
};

interface Options {
  readonly builtIn: ReadonlyMap<string, Tool>;
  readonly services: DeclaredServices;
  /** Replaces each declared tool, for example by a stand-in of a replay. Default: the tool itself. */
  readonly replace?: ((tool: Tool) => Tool) | undefined;
}

/** Makes the declared tools of config revisions. A document that did not change keeps its tools from revision to revision. */
export function openRunTools({ builtIn, services, replace = (tool) => tool }: Options): RunTools {
  const ofDocument = new WeakMap<DeclaredTool, readonly Tool[]>();
  const ofSnapshot = new WeakMap<Snapshot['tools'], ReadonlyMap<string, Tool>>();
  const toolsOf = (document: DeclaredTool) => {
    let tools = ofDocument.get(document);
    if (tools === undefined) ofDocument.set(document, (tools = makeTools(document, services).map(replace)));
    return tools;
  };
  return {
    builtIn,
    of({ tools: documents }) {
      if (documents.size === 0) return builtIn;
      let tools = ofSnapshot.get(documents);
      if (tools === undefined) {
        const declared = [...documents.values()].flatMap(toolsOf).map((tool) => [tool.name, tool] as const);
        ofSnapshot.set(documents, (tools = withoutNames(declared, builtIn)));
      }
      return tools;
    },
  };
}

/** Built-in tools first, and they keep their names. */
function withoutNames(
  declared: readonly (readonly [string, Tool])[],
  builtIn: ReadonlyMap<string, Tool>,
): ReadonlyMap<string, Tool> {
  return new Map([...builtIn, ...declared.filter(([name]) => !builtIn.has(name))]);
}

function makeTools(document: DeclaredTool, services: DeclaredServices): readonly Tool[] {
  if (document.kind === 'http') return KINDS.http.tools(document, services);
  return document.kind === 'command' ? KINDS.command.tools(document, services) : KINDS.mcp.tools(document, services);
}

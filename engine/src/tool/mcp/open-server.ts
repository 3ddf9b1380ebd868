import { resolve as resolvePath } from 'node:path';
import type { Transport } from '@modelcontextprotocol/client';
import { EngineError } from '../../base/error.ts';
import type { McpTool } from '../../config/documents.gen.ts';
import { toolHostOf } from '../../config/secret-uses.ts';
import type { Store } from '../../store/store.ts';
import { resolveHost } from '../declared/address-guard.ts';
import { fillText } from '../declared/fill-template.ts';
import type { DeclaredServices } from '../declared-tool.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { McpServers } from './mcp-servers.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Variables that every program gets, if they are set. */
const BASE_VARIABLES = ['PATH', 'LANG', 'HOME'];

/** Creates the MCP servers of the declared tools. Connects to nothing. */
export function openMcpServers(services: DeclaredServices, store: Store, version: string): McpServers {
  const { clock, log } = services;
  return new McpServers({ store, clock, log, version, open: (document) => openServer(document, services) });
}

/** Makes a transport to the server of a document. References are looked up now, for its host alone. `TOOL_FAILED`. */
export async function openServer(document: McpTool, services: DeclaredServices): Promise<Transport> {
  const sdk = await import('@modelcontextprotocol/client');
  const { log, env, baseDir } = services;
  if ('command' in document) {
    const { id, command, args = [], cwd = '.' } = document;
    const base = BASE_VARIABLES.flatMap((name) => {
      const value = env(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const program = {
      ...{ command, args, cwd: resolvePath(baseDir, cwd) },
      env: { ...Object.fromEntries(base), ...fillAll(document, document.env ?? {}, services) },
      onLine: (line: string) => log.info('an MCP server says', { tool: id, line }),
    };
    return new StdioTransport(program, sdk);
  }
  const fetch = createGuardedFetch({
    allowHosts: document.allowHosts ?? [],
    resolve: services.resolveHost ?? resolveHost,
    headers: () => fillAll(document, document.headers ?? {}, services),
  });
  return new sdk.StreamableHTTPClientTransport(new URL(document.url), { fetch });
}

function fillAll(
  document: McpTool,
  templates: Readonly<Record<string, string>>,
  { resolve }: DeclaredServices,
): Record<string, string> {
  const hosts = [toolHostOf(document)];
  const reference = (text: string) => {
    const value = resolve(text, hosts);
    if (value !== undefined) return value;
    throw new EngineError('TOOL_FAILED', `${text} has no value, so the server "${document.id}" cannot be reached`, {
      hint: 'a person must set it; go on without this tool',
    });
  };
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, fillText(template, { args: {}, reference })]),
  );
}

import type { Client } from '@modelcontextprotocol/client';
import type { McpTool } from '../../config/documents.gen.ts';
import type { DeclaredServices } from '../declared-tool.ts';
import { connectClient, speaksOnlyNew } from './connect.ts';
import { allows } from './mcp-servers.ts';
import { openServer } from './open-server.ts';

/** What a server says of itself. */
export interface InspectedServer {
  readonly name: string;
  /** The tools that the document allows, as the server spells them. */
  readonly allowed: readonly string[];
  /** Tools that the document names and the server does not have. */
  readonly missing: readonly string[];
}

/** Connects to a server once, for its list of tools. Throws where it cannot be reached before `signal` aborts. */
export async function inspectServer(
  document: McpTool,
  services: DeclaredServices,
  { version, signal }: { readonly version: string; readonly signal: AbortSignal },
): Promise<InspectedServer> {
  const client = await connect(document, services, version, signal);
  try {
    const { tools } = await client.listTools(undefined, { signal });
    const names = tools.map((tool) => tool.name);
    const server = client.getServerVersion();
    return {
      name: server === undefined ? document.id : `${server.name} ${server.version}`.slice(0, 100),
      allowed: names.filter((name) => allows(document, name)),
      missing: document.allow.filter((name) => !name.includes('*') && !names.includes(name)),
    };
  } finally {
    await client.close().catch(() => {});
  }
}

async function connect(
  document: McpTool,
  services: DeclaredServices,
  version: string,
  signal: AbortSignal,
): Promise<Client> {
  const nothing = () => {};
  const attempt = async (protocol: 'ask' | 'old' | 'new') =>
    connectClient({
      ...{ transport: await openServer(document, services), version, signal, protocol },
      ...{ onChanged: nothing, onError: nothing, onClose: nothing },
    });
  if ('url' in document) return attempt('ask');
  try {
    return await attempt('old');
  } catch (error) {
    if (!(await speaksOnlyNew(error))) throw error;
    return attempt('new');
  }
}

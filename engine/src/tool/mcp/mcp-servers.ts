import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { EngineError, errorBody } from '../../base/error.ts';
import { globTest } from '../../base/glob.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import type { Logger } from '../../base/log.ts';
import type { DeclaredTool, Snapshot } from '../../config/config.ts';
import type { McpTool } from '../../config/documents.gen.ts';
import type { Store } from '../../store/store.ts';
import type { Arguments } from '../arguments.ts';
import type { ToolLists } from '../run-tools.ts';
import type { LinkOptions, ServerStatus } from './link-options.ts';
import type { RemoteTool, ToolList } from './remote-tools.ts';
import { type CallOptions, ServerLink } from './server-link.ts';
import { keepList, readLatestList, readList } from './tool-list-store.ts';

/** Longest wait of a run for the first list of a server that never gave one. */
const FIRST_LIST_MS = 10_000;

/** What the servers need. */
export interface McpOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  /** Makes a transport to the server of a document, for one connection. */
  readonly open: (document: McpTool) => ReturnType<LinkOptions['open']>;
}

interface Server {
  readonly document: McpTool;
  readonly link: ServerLink;
}

/**
 * The MCP servers of the config. Nothing is connected before `open`, or before a run needs a server; connecting holds nothing up.
 * The last list of each server is kept in the store. A changed document restarts its server alone.
 */
export class McpServers {
  readonly #options: McpOptions;
  readonly #servers = new Map<string, Server>();
  /** Links that end; a new link of the same document waits for its old one. */
  readonly #closing = new Map<string, Promise<void>>();
  /** Newest list by server, and every list that a run uses, by hash. */
  readonly #newest = new Map<string, ToolList>();
  readonly #lists = new Map<string, ToolList>();
  readonly #restored = new Map<string, Promise<void>>();
  #documents: ReadonlyMap<string, McpTool> = new Map();
  #isOpen = false;
  #isClosed = false;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** Follows the config: ends the servers of documents that are gone, and restarts those that changed. */
  follow({ tools }: Pick<Snapshot, 'tools'>): void {
    this.#documents = new Map([...tools].filter((entry): entry is [string, McpTool] => isMcp(entry[1])));
    for (const [id, { document }] of this.#servers) if (!isSame(this.#documents.get(id), document)) this.#end(id);
    for (const document of this.#documents.values()) void this.#restore(document);
    if (this.#isOpen) this.open();
  }

  /** Connects to every server, in the background. */
  open(): void {
    this.#isOpen = true;
    for (const document of this.#documents.values()) this.#link(document);
  }

  /**
   * The lists that a new run keeps, of these documents. Waits up to ten seconds for a server whose list was never known, and gives
   * up as soon as it cannot be reached.
   */
  async pin(ids: Iterable<string>): Promise<ToolLists> {
    const documents = [...new Set(ids)].flatMap((id) => this.#documents.get(id) ?? []);
    const pinned = await Promise.all(
      documents.map(async (document) => [document.id, await this.#first(document)] as const),
    );
    return Object.fromEntries(pinned.flatMap(([id, list]) => (list === undefined ? [] : [[id, list.hash] as const])));
  }

  /** Loads the lists that a run keeps. A list that the store no longer has is empty. */
  async load(lists: ToolLists): Promise<void> {
    for (const hash of Object.values(lists)) {
      const list = this.#lists.has(hash) ? undefined : await readList(this.#options.store, hash);
      if (list !== undefined) this.#lists.set(hash, list);
    }
  }

  /** The tools of a document: those of the list with this hash, which must be loaded; without one, the newest. */
  list(document: McpTool, hash: string | undefined): ToolList | undefined {
    return hash === undefined ? this.#newest.get(serverOf(document)) : this.#lists.get(hash);
  }

  /** Calls a tool of the newest version of a document. `TOOL_DENIED` if that no longer allows it; else as `ServerLink.call`. */
  async call(id: string, tool: RemoteTool, args: Arguments, options: CallOptions): Promise<CallToolResult> {
    const document = this.#documents.get(id);
    if (document === undefined || !allows(document, tool.name))
      throw new EngineError('TOOL_DENIED', `"${tool.name}" of "${id}" is no longer allowed`, {
        hint: 'go on without this tool',
      });
    return this.#link(document).call(tool.name, args, options);
  }

  /** The state of each server, by the order of the config. */
  status(): readonly ServerStatus[] {
    return [...this.#documents.values()].map((document) => {
      const tools = this.#newest.get(serverOf(document))?.tools.length ?? 0;
      const { id } = document;
      return this.#servers.get(id)?.link.status ?? { id, state: 'stopped', since: '', tools };
    });
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#servers.keys()) this.#end(id);
    await Promise.all(this.#closing.values());
  }

  #link(document: McpTool): ServerLink {
    const { id } = document;
    const known = this.#servers.get(id);
    if (known !== undefined) return known.link;
    if (this.#isClosed) throw new EngineError('TOOL_FAILED', 'the engine stops');
    const { clock, log, version, open } = this.#options;
    const server = serverOf(document);
    const before = this.#closing.get(id);
    const link = new ServerLink({
      ...{ id, server, clock, log, version, isHttp: 'url' in document },
      async open() {
        await before;
        return open(document);
      },
      onTools: (list) => void this.#keep(server, list),
    });
    this.#servers.set(id, { document, link });
    link.start();
    return link;
  }

  #end(id: string): void {
    const link = this.#servers.get(id)?.link;
    this.#servers.delete(id);
    if (link === undefined) return;
    const closing: Promise<void> = Promise.resolve(this.#closing.get(id))
      .then(() => link.close())
      .catch(() => {})
      .finally(() => this.#closing.get(id) === closing && this.#closing.delete(id));
    this.#closing.set(id, closing);
  }

  async #keep(server: string, list: ToolList): Promise<void> {
    const { store, clock, log } = this.#options;
    this.#newest.set(server, list);
    this.#lists.set(list.hash, list);
    try {
      await store.apply([keepList(server, list, clock.now())]);
    } catch (error) {
      log.warn('the tools of an MCP server could not be stored', { server, ...errorBody(error) });
    }
  }

  /** Reads the last known list of a server, once. */
  #restore(document: McpTool): Promise<void> {
    const server = serverOf(document);
    let restored = this.#restored.get(server);
    if (restored === undefined)
      this.#restored.set(
        server,
        (restored = readLatestList(this.#options.store, server).then(
          (list) => {
            if (list === undefined || this.#newest.has(server)) return;
            this.#newest.set(server, list);
            this.#lists.set(list.hash, list);
          },
          (error: unknown) => {
            this.#restored.delete(server);
            this.#options.log.warn('the tools of an MCP server could not be read', { server, ...errorBody(error) });
          },
        )),
      );
    return restored;
  }

  async #first(document: McpTool): Promise<ToolList | undefined> {
    await this.#restore(document);
    const server = serverOf(document);
    // A run that begins while the engine stops is begun again by the next start.
    if (!this.#isClosed) {
      const link = this.#link(document);
      if (!this.#newest.has(server)) await this.#within(link.tried, FIRST_LIST_MS);
    }
    const list = this.#newest.get(server);
    if (list === undefined)
      this.#options.log.warn('a run begins without the tools of an MCP server', { tool: document.id });
    return list;
  }

  #within(promise: Promise<void>, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.delay(resolve, ms);
      void promise.then(() => {
        cancel();
        resolve();
      });
    });
  }
}

/** Whether a document allows a tool of its server. */
export function allows({ allow }: McpTool, name: string): boolean {
  return allow.some((pattern) => globTest(pattern)(name));
}

function isMcp(document: DeclaredTool): document is McpTool {
  return document.kind === 'mcp';
}

function isSame(a: McpTool | undefined, b: McpTool): boolean {
  return a !== undefined && canonicalJson(a) === canonicalJson(b);
}

/** Identifies how a server is reached: its list belongs to no other server. */
function serverOf(document: McpTool): string {
  const { id, ...rest } = document;
  const { command, args, env, cwd, url }: Partial<Record<'command' | 'args' | 'env' | 'cwd' | 'url', unknown>> = rest;
  return `${id} ${sha256(canonicalJson({ command, args, env, cwd, url })).slice(0, 16)}`;
}

import { inspectMcpServer } from '../../app/inspect.ts';
import { errorBody } from '../../base/error.ts';
import type { Snapshot } from '../../config/config.ts';
import type { Store } from '../../store/store.ts';
import type { CommandContext } from '../context.ts';
import { type Check, fine, warn } from './check.ts';

/** Time for the start of a server and its list of tools. `npx` may have to load a package first. */
const LIMIT_MS = 30_000;

/** Starts each MCP server of the config once and lists its tools. A server that is not there is a warning: runs go on. */
export function checkTools(context: CommandContext, { tools }: Snapshot, store: Store | undefined): Promise<Check[]> {
  const servers = [...tools.values()].filter((tool) => tool.kind === 'mcp');
  return Promise.all(
    servers.map(async (document): Promise<Check> => {
      const check = `tool ${document.id}`;
      try {
        const signal = AbortSignal.timeout(LIMIT_MS);
        const { name, allowed, missing } = await inspectMcpServer(context, document, { store, signal });
        const text = `${name}: ${allowed.length} tools`;
        if (missing.length === 0 && allowed.length > 0) return fine(check, text);
        const hint = `correct allow in config/tools/${document.id}.yaml`;
        return warn(check, missing.length === 0 ? text : `${text}; it does not have ${missing.join(', ')}`, hint);
      } catch (error) {
        const { message, hint = 'check command, url and keys of the document' } = errorBody(error);
        return warn(check, `the MCP server is not available: ${message}`, hint);
      }
    }),
  );
}

import type { McpTool } from '../../config/documents.gen.ts';
import { mcpToolNames } from '../../config/tool-name.ts';
import type { Redactor } from '../../base/redact.ts';
import { markTrust } from '../declared/trust.ts';
import { limitResult } from '../result-limit.ts';
import type { WorldTool } from '../tool.ts';
import { allows, type McpServers } from './mcp-servers.ts';
import type { RemoteTool } from './remote-tools.ts';
import { readResult } from './result.ts';

/** The tools of a server that its document allows, as models see them. */
export function mcpTools(
  document: McpTool,
  listed: readonly RemoteTool[],
  { servers, redactor }: { readonly servers: McpServers; readonly redactor: Redactor },
): readonly WorldTool[] {
  const allowed = listed.filter(({ name }) => allows(document, name));
  const names = mcpToolNames(
    document.id,
    allowed.map(({ name }) => name),
  );
  return allowed.map((tool): WorldTool => {
    // What the server says of a tool can only make it stricter.
    const effects = document.effects === 'write' || tool.writes === true ? 'write' : 'read';
    return {
      name: names.get(tool.name) ?? '',
      family: document.id,
      description: tool.description,
      parameters: tool.parameters,
      effects,
      repeat: effects === 'read' ? 'free' : 'once',
      reach: 'outward',
      trust: document.trust,
      async run(args, { signal }) {
        const timeoutMs = document.timeoutSeconds * 1000;
        const result = await servers.call(document.id, tool, args, { signal, timeoutMs, isWrite: effects === 'write' });
        const content = limitResult(readResult(result), redactor, document.maxBytes);
        return markTrust(document, { ...(content as object) });
      },
    };
  });
}

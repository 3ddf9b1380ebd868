import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { stringify } from 'yaml';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { McpServers } from '../../../engine/src/tool/mcp/mcp-servers.ts';
import { mcpTools } from '../../../engine/src/tool/mcp/mcp-tools.ts';
import { describeTools } from '../../contracts/tool.ts';
import type { Stage } from '../../run/harness.ts';
import { root } from '../../available.ts';
import { declare } from '../declared/declared-harness.ts';
import { PATIENCE_MS } from '../../next-try.ts';

const ODD = join(root, 'tests/tool/mcp/odd-server.ts');
const server = { kind: 'mcp', command: process.execPath, args: [ODD, 'noting'], description: 'Odd.' };

/** Two documents of one server: what it does depends on what they say. */
const DOCUMENTS = {
  asks: { id: 'asks', ...server, allow: ['echo'], effects: 'read' },
  does: { id: 'does', ...server, allow: ['note'], effects: 'write' },
};
const LISTED = ['echo', 'note'].map((name) => ({
  ...{ name, description: `Does ${name}.` },
  parameters: {
    ...{ type: 'object', additionalProperties: false },
    properties: { text: { type: 'string', description: 'What to say.' } },
  },
}));

/** The tools as a run gets them; the stage calls its own. */
const tools = Object.values(DOCUMENTS).flatMap((keys) => {
  const document = declare(keys);
  if (document.kind !== 'mcp') throw new Error('not an MCP server');
  const servers: Partial<McpServers> = {};
  return mcpTools(document, LISTED, { servers: servers as McpServers, redactor: createRedactor() });
});

const args = { text: 'tea' };
const notes = ({ root }: Stage) => {
  const file = join(root, 'notes.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length : 0;
};

describeTools('the tools of MCP servers', Object.keys(DOCUMENTS), tools, {
  files: Object.fromEntries(Object.entries(DOCUMENTS).map(([id, keys]) => [`tools/${id}.yaml`, stringify(keys)])),
  async prepare({ app }) {
    await app.start();
    const { tools, config } = app.deps;
    const isListed = () => {
      const known = tools.of(config.current());
      expect(known.has('asks__echo') && known.has('does__note')).toBe(true);
    };
    await vi.waitFor(isListed, { timeout: PATIENCE_MS });
  },
  tools: {
    asks__echo: { effects: 'read', reach: 'outward', repeat: 'free', args },
    does__note: { effects: 'write', reach: 'outward', repeat: 'once', args, count: notes },
  },
});

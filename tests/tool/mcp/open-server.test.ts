import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { McpTool } from '../../../engine/src/config/documents.gen.ts';
import { commandHostOf } from '../../../engine/src/config/secret-uses.ts';
import type { DeclaredServices } from '../../../engine/src/tool/declared-tool.ts';
import { openServer } from '../../../engine/src/tool/mcp/open-server.ts';

const COMMON = {
  id: 'odd',
  kind: 'mcp',
  description: '',
  enabled: true,
  allow: ['x'],
  effects: 'read',
  trust: 'untrusted',
  timeoutSeconds: 60,
  maxBytes: 1000,
} as const;

/** Services that note which hosts a reference was looked up for. */
function services(asked: (readonly [string, readonly string[]])[], value?: string): DeclaredServices {
  return {
    ...{ clock: systemClock, log: silentLogger, redactor: createRedactor(), baseDir: tmpdir(), env: () => undefined },
    resolve: (reference, hosts) => {
      asked.push([reference, hosts]);
      return value;
    },
  };
}

test('a secret of a program is looked up for that program with these arguments alone', async () => {
  const asked: (readonly [string, readonly string[]])[] = [];
  const document: McpTool = { ...COMMON, command: 'npx', args: ['-y', 'x'], env: { TOKEN: '${secret:TOKEN}' } };
  await openServer(document, services(asked, 'value'));
  expect(asked).toEqual([['${secret:TOKEN}', [commandHostOf(['npx', '-y', 'x'])]]]);
});

test('a secret of a header is looked up for the host of the address, at each request', async () => {
  const asked: (readonly [string, readonly string[]])[] = [];
  const document: McpTool = {
    ...COMMON,
    url: 'https://mcp.invalid/mcp',
    headers: { Authorization: 'Bearer ${secret:TOKEN}' },
  };
  const transport = await openServer(document, {
    ...services(asked, 'value'),
    resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  expect(asked).toEqual([]);
  await transport.start();
  const request = { jsonrpc: '2.0' as const, id: 1, method: 'ping' };
  await expect(transport.send(request)).rejects.toThrow('not on the internet');
  await transport.close();
});

test('a reference without a value is an error that names it', async () => {
  const document: McpTool = { ...COMMON, command: 'npx', env: { TOKEN: '${env:TOKEN}' } };
  await expect(openServer(document, services([]))).rejects.toMatchObject({
    code: 'TOOL_FAILED',
    message: expect.stringContaining('${env:TOKEN} has no value'),
  });
});

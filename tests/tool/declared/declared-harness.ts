import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { DeclaredTool, Snapshot } from '../../../engine/src/config/config.ts';
import { createShapeCheck } from '../../../engine/src/config/parse/schema.ts';
import type { DeclaredServices } from '../../../engine/src/tool/declared-tool.ts';
import { openRunTools } from '../../../engine/src/tool/open-run-tools.ts';
import type { WorldContext, WorldTool } from '../../../engine/src/tool/tool.ts';

export const CALLER: WorldContext['caller'] = {
  runId: 'run_1',
  workspaceId: 'ws_1',
  threadId: 'th_1',
  origin: { director: { id: 'boss', name: 'Boss' } },
};

/** A document with its defaults, checked against the schema. */
export function declare(keys: object): DeclaredTool {
  const value = { id: 'x', description: 'Does it.', ...structuredClone(keys) };
  const errors = createShapeCheck()('tool', value);
  if (errors.length > 0) throw new Error(`${stringify(value)}${JSON.stringify(errors.map(({ message }) => message))}`);
  return value as unknown as DeclaredTool;
}

/** The only tool of a document. */
export function toolOf(keys: object, services: Partial<DeclaredServices> = {}): WorldTool {
  const tools = openRunTools({
    builtIn: new Map(),
    services: {
      ...{ clock: systemClock, log: silentLogger, redactor: createRedactor(), baseDir: process.cwd() },
      ...{ resolve: () => undefined, env: (name: string) => process.env[name], ...services },
    },
  }).of({ tools: new Map([['x', declare(keys)]]) } as Pick<Snapshot, 'tools'> as Snapshot);
  return [...tools.values()][0] as WorldTool;
}

/** Calls a tool. */
export const run = (tool: WorldTool, args: object = {}, more: Partial<WorldContext> = {}): Promise<unknown> =>
  tool.run(args as Readonly<Record<string, unknown>>, { caller: CALLER, key: 'm/1/c', ...more });

/** A request as a server got it. */
export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** A loopback server; its requests are in `got`. Closed when the test is done. */
export async function serve(
  answer: (response: ServerResponse, request: Got, n: number) => void,
): Promise<{ readonly origin: string; readonly host: string; readonly port: number; readonly got: Got[] }> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() };
      got.push(one);
      answer(response, one, got.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port, got };
}

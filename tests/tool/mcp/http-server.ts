import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createMcpHandler, Server as McpServer } from '@modelcontextprotocol/server';

/** An MCP server over HTTP on a loopback port. */
export interface HttpMcpServer {
  readonly host: string;
  readonly url: string;
  /** The headers of each request. */
  readonly requests: IncomingHttpHeaders[];
  /** Takes the next requests in place of MCP. */
  intercept(handler: ((request: IncomingMessage, response: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

/** A server of the official SDK with one tool, `add`. */
export async function startHttpServer(legacy: 'stateless' | 'reject' = 'stateless'): Promise<HttpMcpServer> {
  const requests: IncomingHttpHeaders[] = [];
  let interceptor: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const handler = createMcpHandler(makeServer, { legacy });
  const server: Server = createServer((request, response) => {
    requests.push(request.headers);
    if (interceptor !== undefined) return interceptor(request, response);
    void answer(handler.fetch, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    host,
    url: `http://${host}/mcp`,
    requests,
    intercept: (next) => void (interceptor = next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function makeServer(): McpServer {
  const server = new McpServer({ name: 'adder', version: '2' }, { capabilities: { tools: {} } });
  const properties = { a: { type: 'number' as const }, b: { type: 'number' as const } };
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' as const, properties } }],
  }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [
      { type: 'text' as const, text: String(Number(params.arguments?.['a']) + Number(params.arguments?.['b'])) },
    ],
  }));
  return server;
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const body = chunks.length === 0 ? null : Buffer.concat(chunks);
  const headers = new Headers(
    Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { method = 'GET', url = '/' } = incoming;
  const response = await handle(new Request(`http://localhost${url}`, { method, headers, body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const chunk of response.body ?? []) outgoing.write(chunk);
  outgoing.end();
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request that the server has read. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: Socket;
}

export interface ChatServer {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly seen: Seen[];
  /** Resolves when `count` requests have been read. */
  whenSeen(count: number): Promise<void>;
  /** How many connections were opened. */
  readonly connections: number;
  close(): Promise<void>;
}

export type Handler = (request: Seen, response: ServerResponse) => void;

/** A loopback server that answers as `handle` says. */
export async function startServer(handle: Handler): Promise<ChatServer> {
  const seen: Seen[] = [];
  const watchers = new Set<() => void>();
  let connections = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers, socket } = request;
      const entry = { method, path: url, headers, socket, body: Buffer.concat(parts).toString() };
      seen.push(entry);
      for (const watcher of watchers) watcher();
      handle(entry, response);
    });
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    get connections() {
      return connections;
    },
    whenSeen: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (seen.length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A chat completion with one choice. */
export function completion(message: object, finish: string | null = 'stop', more: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'test-model-1',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: { cached_tokens: 3 } },
    ...more,
  };
}

/** Server-sent events with this data, one each. */
export function events(...data: readonly (object | string)[]): string {
  return data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');
}

/** A chunk of a streamed chat completion. */
export function chunk(delta: object | null, finish: string | null = null, more: object = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'test-model-1',
    choices: delta === null ? [] : [{ index: 0, delta, finish_reason: finish }],
    usage: null,
    ...more,
  };
}

/** Answers with events and ends. */
export function sendEvents(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.end(text);
}

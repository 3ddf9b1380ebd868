import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';

/**
 * A small `fetch` over kept-alive connections of `node:http` and `node:https`. The global one costs two thirds of what
 * the official client spends on a call; this one does what a chat completion needs: method, headers, a text body,
 * abort, a text or streamed answer. It asks for no compression, follows no redirect (a redirect would take the key
 * along), and knows no proxies. TLS certificates are verified.
 */
export interface KeepAliveFetch {
  fetch(url: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Closes all connections. */
  close(): void;
}

interface Options {
  /** Longest answer that is read, in bytes. Above it the answer's text rejects. */
  maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
/** Idle connections kept for later; above it a burst of parallel runs reconnects for each request. */
const MAX_IDLE_CONNECTIONS = 1024;
/** How long the end of an answer that is over may take before its connection is closed. */
const MAX_LINGER_MS = 1000;

interface Target {
  readonly agent: http.Agent;
  readonly request: typeof http.request;
  readonly options: { readonly protocol: string; readonly host: string; readonly port: string; readonly path: string };
  readonly hostHeader: string;
}

/** Opens nothing until it is used. */
export function createKeepAliveFetch({ maxBytes = DEFAULT_MAX_BYTES }: Options = {}): KeepAliveFetch {
  const pool = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS };
  const plain = new http.Agent(pool);
  const secure = new https.Agent(pool);
  // The client asks for the same few addresses with the same headers again and again.
  const targets = new Map<string, Target>();
  const flattened = new WeakMap<object, readonly string[]>();

  const targetOf = (url: string): Target => {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const { protocol, hostname, port, pathname, search, host } = new URL(url);
    const isSecure = protocol === 'https:';
    const target: Target = {
      agent: isSecure ? secure : plain,
      request: isSecure ? https.request : http.request,
      options: {
        protocol,
        host: hostname.replace(/^\[|\]$/g, ''),
        port: port || (isSecure ? '443' : '80'),
        path: pathname + search,
      },
      hostHeader: host,
    };
    if (targets.size > 100) targets.clear();
    targets.set(url, target);
    return target;
  };

  const headersOf = (init: RequestInit, target: Target, body: string): string[] => {
    const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
    let flat = flattened.get(given);
    if (flat === undefined) {
      flat = ['host', target.hostHeader, ...[...given].flat()];
      flattened.set(given, flat);
    }
    // Flat name-value pairs go to the wire as they are, without a map of headers for each request.
    return body === '' ? [...flat] : [...flat, 'content-length', String(Buffer.byteLength(body))];
  };

  const send = (target: Target, init: RequestInit, body: string, isRepeat: boolean): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { signal } = init;
      const headers = headersOf(init, target, body);
      const request = target.request(
        { ...target.options, method: init.method ?? 'GET', headers, agent: target.agent },
        (answer) => resolve(answer),
      );
      const stop = () =>
        request.destroy(signal?.reason instanceof Error ? signal.reason : new Error('The request was aborted.'));
      signal?.addEventListener('abort', stop, { once: true });
      request.once('close', () => signal?.removeEventListener('abort', stop));
      request.once('error', (error) => {
        if (!isRepeat && !signal?.aborted && wasIdleTooLong(request, error)) resolve(send(target, init, body, true));
        else reject(error);
      });
      request.end(body);
    });

  return {
    async fetch(url, init = {}) {
      init.signal?.throwIfAborted();
      const address = url instanceof Request ? url.url : String(url);
      const body = typeof init.body === 'string' ? init.body : '';
      const answer = await send(targetOf(address), init, body, false);
      // The client reads status, ok, url, headers, text(), json() and body of a response, nothing else.
      return new ThinResponse(address, answer, maxBytes) as unknown as Response;
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/**
 * A server closes a connection after some idle time; a request that was just being sent then fails though nobody read
 * it. Node's documentation of `request.reusedSocket` says to send it again.
 */
function wasIdleTooLong(request: ClientRequest, error: Error): boolean {
  return request.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/**
 * Hands on the text of an answer as it arrives, until its end or until `take` says that it has enough: then the rest is
 * not waited for. What `take` throws, and the error of a lost connection, reject.
 */
export async function readBodyParts(response: Response, take: (text: string) => boolean): Promise<void> {
  // A letter may be cut in two.
  const decoder = new TextDecoder();
  const decode = (part: Uint8Array) => take(decoder.decode(part, { stream: true }));
  if (response instanceof ThinResponse) return await response.read(decode);
  for await (const part of response.body ?? []) if (decode(part)) return;
}

/** A server that said all it had to say ends its answer at once, and the connection is kept; one that does not is left. */
function endSoon(message: IncomingMessage): void {
  const timer = setTimeout(() => message.destroy(), MAX_LINGER_MS).unref();
  for (const event of ['end', 'close']) message.once(event, () => clearTimeout(timer));
}

class AnswerTooLong extends Error {
  readonly code = 'ERR_ANSWER_TOO_LONG';

  constructor(maxBytes: number) {
    super(`sent an answer of more than ${maxBytes} bytes`);
  }
}

class ThinResponse {
  readonly url: string;
  readonly status: number;
  readonly ok: boolean;
  readonly headers: ThinHeaders;
  /** The answer as it arrives. Whoever only looks at it takes nothing out of it. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly #message: IncomingMessage;
  readonly #maxBytes: number;

  constructor(url: string, message: IncomingMessage, maxBytes: number) {
    this.url = url;
    this.status = message.statusCode ?? 0;
    this.ok = this.status >= 200 && this.status < 300;
    this.headers = new ThinHeaders(message.headers);
    this.body = message;
    this.#message = message;
    this.#maxBytes = maxBytes;
  }

  async text(): Promise<string> {
    const parts: Buffer[] = [];
    await this.read((part) => {
      parts.push(part);
      return false;
    });
    return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString();
  }

  /** See `readBodyParts`. */
  read(take: (part: Buffer) => boolean): Promise<void> {
    const message = this.#message;
    return new Promise((resolve, reject) => {
      let bytes = 0;
      let isEnough = false;
      message.on('data', (part: Buffer) => {
        if (isEnough) return;
        bytes += part.length;
        if (bytes > this.#maxBytes) return message.destroy(new AnswerTooLong(this.#maxBytes));
        try {
          isEnough = take(part);
        } catch (error) {
          isEnough = true;
          reject(error);
          message.destroy();
        }
        if (!isEnough || message.destroyed) return;
        resolve();
        endSoon(message);
      });
      message.once('end', resolve);
      message.once('error', reject);
    });
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

class ThinHeaders {
  readonly #fields: http.IncomingHttpHeaders;

  constructor(fields: http.IncomingHttpHeaders) {
    this.#fields = fields;
  }

  get(name: string): string | null {
    const value = this.#fields[name.toLowerCase()];
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  entries(): IterableIterator<[string, string]> {
    return Object.keys(this.#fields)
      .map((name): [string, string] => [name, this.get(name) ?? ''])
      .values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

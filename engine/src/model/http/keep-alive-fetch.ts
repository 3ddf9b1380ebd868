import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { StreamedResponse } from './streamed-response.ts';

/** The signature of the global `fetch`. */
export type HttpFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A small `fetch` over kept-alive connections of `node:http` and `node:https`. The global `fetch` takes two thirds of the
 * time that the official client spends on a call. This one supports what a model request needs: method, headers, a text
 * body, abort, and a text or streamed answer. It requests no compression, does not follow redirects (a redirect would
 * receive the key), and ignores proxies. TLS certificates are verified.
 */
export interface KeepAliveFetch {
  readonly fetch: HttpFetch;
  /** Closes all connections. */
  close(): void;
}

interface Options {
  /** Longest answer in bytes. Reading a longer answer rejects. */
  maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
/** Idle connections that are kept. With fewer, a burst of parallel runs would reconnect for each request. */
const MAX_IDLE_CONNECTIONS = 1024;
/** Parsed addresses that are cached. */
const MAX_TARGETS = 100;

interface Agents {
  readonly plain: http.Agent;
  readonly secure: https.Agent;
}

/** A parsed address in the form that `http.request` takes. */
interface Target {
  readonly agent: http.Agent;
  readonly request: typeof http.request;
  readonly options: { readonly protocol: string; readonly host: string; readonly port: string; readonly path: string };
  readonly hostHeader: string;
}

/** One request as it is sent; `headers` are flat name-value pairs. */
interface Outgoing {
  readonly target: Target;
  readonly method: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly signal: AbortSignal | null | undefined;
}

/** Opens no connection until the first request. */
export function createKeepAliveFetch({ maxBytes = DEFAULT_MAX_BYTES }: Options = {}): KeepAliveFetch {
  const pool = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS };
  const agents: Agents = { plain: new http.Agent(pool), secure: new https.Agent(pool) };
  const targetOf = createTargetCache(agents);
  const headersOf = createHeaderCache();

  return {
    async fetch(url, init = {}) {
      const { signal, method = 'GET' } = init;
      signal?.throwIfAborted();
      const address = url instanceof Request ? url.url : String(url);
      const body = typeof init.body === 'string' ? init.body : '';
      const target = targetOf(address);
      const answer = await send({ target, method, headers: headersOf(init, target, body), body, signal });
      // The client reads status, ok, url, headers, text(), json() and body of a response, nothing else.
      return new StreamedResponse(address, answer, maxBytes) as unknown as Response;
    },
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

/** Parses each address once: the client requests the same few again and again. */
function createTargetCache(agents: Agents): (url: string) => Target {
  const targets = new Map<string, Target>();
  return (url) => {
    let target = targets.get(url);
    if (target !== undefined) return target;
    target = parseTarget(url, agents);
    if (targets.size > MAX_TARGETS) targets.clear();
    targets.set(url, target);
    return target;
  };
}

function parseTarget(url: string, { plain, secure }: Agents): Target {
  const { protocol, hostname, port, pathname, search, host } = new URL(url);
  const isSecure = protocol === 'https:';
  return {
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
}

/** Flattens each `Headers` object once. Node sends flat pairs as they are, without a map of headers per request. */
function createHeaderCache(): (init: RequestInit, target: Target, body: string) => string[] {
  const flattened = new WeakMap<Headers, readonly string[]>();
  return (init, { hostHeader }, body) => {
    const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
    let flat = flattened.get(given);
    if (flat === undefined) flattened.set(given, (flat = ['host', hostHeader, ...[...given].flat()]));
    return body === '' ? [...flat] : [...flat, 'content-length', String(Buffer.byteLength(body))];
  };
}

/** Sends a request; sends it once more where it used a connection that the server had already closed. */
function send(outgoing: Outgoing, isRepeat = false): Promise<IncomingMessage> {
  const { target, method, headers, body, signal } = outgoing;
  return new Promise((resolve, reject) => {
    const options = { ...target.options, method, headers, agent: target.agent };
    const request = target.request(options, resolve);
    const stop = () =>
      request.destroy(signal?.reason instanceof Error ? signal.reason : new Error('The request was aborted.'));
    signal?.addEventListener('abort', stop, { once: true });
    request.once('close', () => signal?.removeEventListener('abort', stop));
    request.once('error', (error) => {
      if (!isRepeat && !signal?.aborted && wasIdleTooLong(request, error)) resolve(send(outgoing, true));
      else reject(error);
    });
    refuseUpgrade(request, reject);
    request.end(body);
  });
}

/**
 * A server closes a connection after some idle time; a request sent at that moment fails before the server reads it.
 * Node's documentation of `request.reusedSocket` says to send it again.
 */
function wasIdleTooLong(request: ClientRequest, error: Error): boolean {
  return request.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

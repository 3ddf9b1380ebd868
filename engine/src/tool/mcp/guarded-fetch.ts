import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { EngineError } from '../../base/error.ts';
import { refuseUpgrade } from '../../model/http/refuse-upgrade.ts';
import { permittedAddresses } from '../declared/address-guard.ts';
import type { ResolvedAddress, ResolveHost } from '../declared-tool.ts';

/** Longest answer to one message, in bytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** What requests to an MCP server need. */
export interface ServerAccess {
  readonly allowHosts: readonly string[];
  readonly resolve: ResolveHost;
  /** Headers of the document, made for each request: a value may change. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/** What the SDK passes to `fetch`. */
export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that connects only to permitted addresses: the address is checked after it is resolved, and the connection uses the
 * checked one. It follows no redirect. `TOOL_FAILED`.
 */
export function createGuardedFetch({ allowHosts, resolve, headers }: ServerAccess): GuardedFetch {
  return async (address, init = {}) => {
    const url = new URL(address);
    const { method = 'GET', signal, body } = init;
    signal?.throwIfAborted();
    const addresses = await permittedAddresses(url, allowHosts, resolve);
    const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
    const outgoing = request(url, {
      ...{ method, agent: false, lookup: answering(addresses), headers: headersOf(headers(), init) },
      ...(signal && { signal }),
    });
    const incoming = await responseTo(outgoing, typeof body === 'string' ? body : undefined);
    return toResponse(incoming, method);
  };
}

function headersOf(own: Readonly<Record<string, string>>, { headers }: RequestInit): Record<string, string> {
  const merged = new Headers(own);
  new Headers(headers).forEach((value, name) => merged.set(name, value));
  return Object.fromEntries(merged);
}

function responseTo(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject);
    refuseUpgrade(outgoing, reject);
    outgoing.end(body);
  });
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 500, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '');
  const hasBody = ![101, 204, 205, 304].includes(status);
  if (!hasBody) incoming.resume();
  // A GET is a stream of notifications that has no end.
  const stream = method === 'GET' ? incoming : incoming.pipe(limited()).on('close', () => incoming.destroy());
  incoming.on('error', (error) => stream.destroy(error));
  return new Response(hasBody ? toStream(stream) : null, { status, statusText, headers });
}

function toStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void source.destroy(),
  });
}

function limited(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) done(null, chunk);
      else done(new EngineError('TOOL_FAILED', `the answer of the server has more than ${MAX_ANSWER_BYTES} bytes`));
    },
  });
}

/** Answers the look-up of a connection with addresses that were checked. */
function answering(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, { all = false }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { EngineError } from '../../base/error.ts';
import { refuseUpgrade } from '../../model/http/refuse-upgrade.ts';
import type { ResolvedAddress, ResolveHost } from '../declared-tool.ts';
import { permittedAddresses } from './address-guard.ts';
import type { HttpRequest } from './http-request.ts';

/** A response, read up to a limit. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  /** In lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Buffer;
  /** True if the response was longer than `maxBytes`: `body` is its start. */
  readonly isCut: boolean;
}

/** Options of one exchange. */
export interface ExchangeOptions {
  readonly allowHosts: readonly string[];
  readonly maxBytes: number;
  readonly resolve: ResolveHost;
  readonly signal: AbortSignal;
  /** Called once the connection is there: from then on the server may have got the request. */
  readonly onConnected: () => void;
}

/**
 * Sends one request on a connection of its own and reads the response. It follows no redirect. `TOOL_FAILED` if the address is not
 * permitted or the connection fails, retryable where another attempt may help. Rejects with the signal's reason on abort.
 */
export async function exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpResponse> {
  const { signal, maxBytes } = options;
  signal.throwIfAborted();
  const addresses = await permittedAddresses(request.url, options.allowHosts, options.resolve);
  signal.throwIfAborted();
  const { request: open } = await (request.url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { hostname, port, pathname, search } = request.url;
  const outgoing = open({
    ...{ method: request.method, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname + search },
    ...{ agent: false, lookup: answering(addresses), maxHeaderSize: 64 * 1024, signal },
    headers: headersOf(request),
  });
  watchConnection(outgoing, options.onConnected);
  outgoing.on('response', resolve).on('error', reject);
  refuseUpgrade(outgoing, reject);
  outgoing.end(request.body);
  try {
    const incoming = await promise;
    const { statusCode: status = 0, statusMessage: statusText = '' } = incoming;
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value ?? '')]),
    );
    return { status, statusText, headers, ...(await readBody(incoming, maxBytes)) };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof EngineError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('TOOL_FAILED', `the connection to ${request.url.host} failed: ${why}`, {
      ...{ retryable: true, cause },
    });
  } finally {
    outgoing.destroy();
  }
}

function headersOf({ headers, body, url }: HttpRequest): Record<string, string> {
  return {
    ...{ 'accept': '*/*', 'user-agent': 'callsheet', 'accept-encoding': 'gzip, deflate, br' },
    ...headers,
    host: url.host,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  };
}

/** Answers the look-up of a connection with addresses that were checked. */
function answering(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, { all = false }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function watchConnection(outgoing: ClientRequest, onConnected: () => void): void {
  outgoing.on('socket', (socket) => {
    // Over TLS nothing of the request is sent before the handshake is done.
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected);
  });
}

/** Reads a response, decompressed, up to `maxBytes`; the rest is not read. */
async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Pick<HttpResponse, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = await decompressed(incoming);
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes };
}

async function decompressed(incoming: IncomingMessage): Promise<Readable> {
  const encoding = (incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return incoming;
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const made = { 'gzip': createGunzip, 'x-gzip': createGunzip, 'deflate': createInflate, 'br': createBrotliDecompress };
  const create = Object.entries(made).find(([name]) => name === encoding)?.[1];
  if (create === undefined)
    throw new EngineError(
      'TOOL_FAILED',
      `the response is compressed as "${encoding.slice(0, 40)}", which is not supported`,
    );
  const stream = create();
  incoming.once('error', (error) => stream.destroy(error));
  return incoming.pipe(stream);
}

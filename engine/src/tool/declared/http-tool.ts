import { sleep } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { redactValue } from '../../base/redact.ts';
import type { HttpTool } from '../../config/documents.gen.ts';
import { toolHostOf } from '../../config/secret-uses.ts';
import { type Deadline, startDeadline } from '../../model/http/deadline.ts';
import type { Arguments } from '../arguments.ts';
import type { DeclaredKind, DeclaredServices } from '../declared-tool.ts';
import { type RequestPreview, toolPreview } from '../preview.ts';
import type { WorldContext, WorldTool } from '../tool.ts';
import { resolveHost } from './address-guard.ts';
import type { CallValues } from './fill-template.ts';
import { followRedirects } from './follow-redirects.ts';
import type { HttpResponse } from './http-exchange.ts';
import { buildRequest, type HttpRequest } from './http-request.ts';
import { contentOf, statusError } from './http-result.ts';
import { markTrust } from './trust.ts';

/** Attempts of a read at most. */
const MAX_ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;

/** Tools that send one HTTP request to a fixed host. */
export const httpKind: DeclaredKind<HttpTool> = { tools: (document, services) => [httpTool(document, services)] };

function httpTool(document: HttpTool, services: DeclaredServices): WorldTool {
  const { id, description, parameters, effects, idempotencyHeader } = document;
  return {
    ...{ name: id, family: id, description, parameters, effects, reach: 'outward', trust: document.trust },
    repeat: effects === 'read' ? 'free' : idempotencyHeader === undefined ? 'once' : 'key',
    check: async (args) => void buildRequest(document, { args, reference: () => '' }),
    preview: async (args) => toolPreview(previewOf(document, args)),
    run: (args, context) => call(document, services, args, context),
  };
}

/**
 * Makes a call. `TOOL_FAILED` if the server refuses it or was not reached, `TOOL_OUTCOME_UNKNOWN` if nobody knows whether a write
 * happened. Rejects with the signal's reason on abort.
 */
async function call(
  document: HttpTool,
  services: DeclaredServices,
  args: Arguments,
  { signal, key }: WorldContext,
): Promise<unknown> {
  const { clock, redactor } = services;
  const request = withKey(document, buildRequest(document, valuesOf(document, services, args)), key);
  const deadline = startDeadline({ signal, clock, timeoutMs: document.timeoutSeconds * 1000 });
  try {
    const response = await respond(document, services, request, deadline);
    return redactValue(redactor, markTrust(document, await contentOf(response)));
  } finally {
    deadline.end();
  }
}

/** The values of a call's placeholders. References go to the host of the document. */
function valuesOf(document: HttpTool, { resolve }: DeclaredServices, args: Arguments): CallValues {
  const hosts = [toolHostOf(document)];
  return {
    args,
    reference(text) {
      const value = resolve(text, hosts);
      if (value !== undefined && !/[\r\n\0]/.test(value)) return value;
      const why = value === undefined ? 'has no value' : 'has more than one line';
      throw new EngineError('TOOL_FAILED', `${text} ${why}, so ${document.id} cannot be called`, {
        hint: 'a person must set it; go on without this tool',
      });
    },
  };
}

/** The request as it will be sent, except that the values of references are `***`, and so is the key of the call. */
function previewOf(document: HttpTool, args: Arguments): RequestPreview {
  const hidden = '***';
  const { method, url, headers, body } = buildRequest(document, { args, reference: () => hidden });
  const { idempotencyHeader, effects } = document;
  const key =
    idempotencyHeader === undefined || effects === 'read' ? {} : { [idempotencyHeader.toLowerCase()]: hidden };
  return {
    ...{ kind: 'request', method, url: url.href },
    headers: Object.entries({ ...headers, ...key }).map(([name, value]) => ({ name, value })),
    ...(body !== undefined && { body }),
  };
}

/** The key is the same for every attempt of a call, and says nothing about the run. */
function withKey({ idempotencyHeader, effects }: HttpTool, request: HttpRequest, key: string): HttpRequest {
  if (idempotencyHeader === undefined || effects === 'read') return request;
  return { ...request, headers: { ...request.headers, [idempotencyHeader.toLowerCase()]: sha256(key).slice(0, 32) } };
}

/** The response with a status below 400. A read is tried again after a transient problem, within the time limit. */
async function respond(
  document: HttpTool,
  services: DeclaredServices,
  request: HttpRequest,
  deadline: Deadline,
): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt++) {
    const failure = await tryOnce(document, services, request, deadline);
    if (!('error' in failure)) return failure.response;
    const { error, retryAfterMs = FIRST_WAIT_MS * 2 ** (attempt - 1) } = failure;
    const isFinal = document.effects === 'write' || attempt >= MAX_ATTEMPTS || !error.retryable;
    if (isFinal || retryAfterMs > document.timeoutSeconds * 1000) throw error;
    await sleep(retryAfterMs, { clock: services.clock, signal: deadline.signal }).catch((cause: unknown) => {
      throw deadline.isOver ? error : cause;
    });
  }
}

type Attempt =
  { readonly response: HttpResponse } | { readonly error: EngineError; readonly retryAfterMs?: number | undefined };

async function tryOnce(
  document: HttpTool,
  services: DeclaredServices,
  request: HttpRequest,
  deadline: Deadline,
): Promise<Attempt> {
  const { allowHosts, maxBytes, effects, timeoutSeconds } = document;
  const { host } = request.url;
  let isSent = false;
  try {
    const response = await followRedirects(request, {
      ...{ allowHosts, maxBytes, signal: deadline.signal },
      resolve: services.resolveHost ?? resolveHost,
      onConnected: () => void (isSent = true),
    });
    if (response.status < 400) return { response };
    const error = await statusError(response, host);
    // A server that fails may have done its work before.
    if (effects === 'write' && response.status >= 500) return { error: unknownOutcome(error.message) };
    return { error, retryAfterMs: retryAfter(response) };
  } catch (cause) {
    if (deadline.signal.aborted && !deadline.isOver) throw cause;
    const error = deadline.isOver
      ? new EngineError('TOOL_FAILED', `${host} did not answer within ${timeoutSeconds} seconds`, { cause })
      : cause;
    if (!(error instanceof EngineError)) throw error;
    return { error: effects === 'write' && isSent ? unknownOutcome(error.message) : error };
  }
}

function unknownOutcome(message: string): EngineError {
  return new EngineError('TOOL_OUTCOME_UNKNOWN', `${message}; the server may have done what was asked`);
}

/** Milliseconds of Retry-After, which is a number of seconds; undefined without one. */
function retryAfter({ headers }: HttpResponse): number | undefined {
  const seconds = /^\d+$/.exec(headers['retry-after'] ?? '')?.[0];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

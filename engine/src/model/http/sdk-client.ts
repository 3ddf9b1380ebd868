import type { HttpFetch } from './keep-alive-fetch.ts';
import { createSender } from './sdk-sender.ts';

/** A client of one server with one key. */
export interface SdkClient {
  /** Sends a request; `body` is its JSON text. Rejects with the SDK's errors, also for a status of 300 and above. */
  send(body: string, signal: AbortSignal): Promise<Response>;
}

interface Options {
  /** Undefined where the server needs none. */
  apiKey: string | undefined;
  /** With the version part. A query is kept (Azure). */
  baseUrl: string;
  /** Path of the requests below `baseUrl`. */
  path: string;
  timeoutMs: number;
  fetch: HttpFetch;
  /** The organisation that requests name, looked up at each one. Default: none. */
  organization?: (() => string | undefined) | undefined;
}

/**
 * A client of an OpenAI-compatible server: the official SDK behind `createSender`. The SDK is imported at the first
 * request, since the import takes about 100 ms. All options that the SDK would read from the environment are set, because
 * only `main` reads the environment.
 */
export async function createSdkClient(options: Options): Promise<SdkClient> {
  const { apiKey, baseUrl, path, timeoutMs, fetch, organization } = options;
  const { OpenAI, APIError } = await import('openai');
  const client = new OpenAI({
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
    fetch,
    ...(apiKey === undefined && { defaultHeaders: { authorization: null } }),
  });
  return {
    send: createSender(client, {
      ...{ path, fetch },
      errorOf: (status, body, text, headers) => APIError.generate(status, body && wrapped(body), text, headers),
      moreHeaders: (): Record<string, string> => {
        const name = organization?.();
        return name === undefined ? {} : { 'openai-organization': name };
      },
    }),
  };
}

/** Some servers answer with the error itself, without an object around it, or beside an `error` that is null. */
function wrapped(body: object): object {
  return 'error' in body && body.error !== null ? body : { error: body };
}

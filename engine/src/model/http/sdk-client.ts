import { trimSdk } from './lean-sdk.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

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

const JSON_BODY = { 'content-type': 'application/json' };

/**
 * A client of an OpenAI-compatible server: the official SDK, sped up by `trimSdk`. The SDK is imported at the first
 * request, since the import takes about 100 ms. All options that the SDK would read from the environment are set, because
 * only `main` reads the environment.
 */
export async function createSdkClient(options: Options): Promise<SdkClient> {
  const { apiKey, baseUrl, path, timeoutMs, fetch, organization } = options;
  const { OpenAI } = await import('openai');
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
  trimSdk(client, { timeoutMs, fetch });
  return {
    send(body, signal) {
      const name = organization?.();
      const headers = name === undefined ? JSON_BODY : { ...JSON_BODY, 'openai-organization': name };
      return client.post(path, { body, signal, headers }).asResponse();
    },
  };
}

import { trimSdk } from './lean-sdk.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

/** One way to a server with one key. */
export interface SdkClient {
  /** Sends a request, `body` being its JSON text. Rejects with the SDK's errors, also for a status of 300 and above. */
  send(body: string, signal: AbortSignal): Promise<Response>;
}

interface Options {
  /** Undefined where the server wants none. */
  apiKey: string | undefined;
  /** With the version part; a query is kept (Azure). */
  baseUrl: string;
  /** Where requests go, below `baseUrl`. */
  path: string;
  timeoutMs: number;
  fetch: HttpFetch;
}

const JSON_BODY = { 'content-type': 'application/json' };

/**
 * A way to an OpenAI-compatible server: the official SDK without what repeats (`trimSdk`). Loaded at the first request:
 * the import takes about 100 ms. Everything that the SDK would read from the environment is given, because only `main`
 * reads that.
 */
export async function createSdkClient({ apiKey, baseUrl, path, timeoutMs, fetch }: Options): Promise<SdkClient> {
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
    send: (body, signal) => client.post(path, { body, signal, headers: JSON_BODY }).asResponse(),
  };
}

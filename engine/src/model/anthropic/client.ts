import type { SdkClient } from '../http/sdk-client.ts';
import type { HttpFetch } from '../http/keep-alive-fetch.ts';
import { createSender } from '../http/sdk-sender.ts';

interface Options {
  /** Undefined where the server needs none. */
  apiKey: string | undefined;
  /** Without the version part. */
  baseUrl: string;
  timeoutMs: number;
  fetch: HttpFetch;
}

/**
 * A client of Anthropic or of a compatible server: the official SDK, used as `createSdkClient` uses OpenAI's. It sends the
 * key as `Authorization: Bearer`, as the API expects since its version of 2026-10-21. Other servers also get the older
 * `x-api-key`. The SDK is imported at the first request.
 */
export async function createAnthropicClient({ apiKey, baseUrl, timeoutMs, fetch }: Options): Promise<SdkClient> {
  const { Anthropic, APIError } = await import('@anthropic-ai/sdk');
  const headers = apiKey === undefined ? { authorization: null } : olderHeaders(apiKey, baseUrl);
  const client = new Anthropic({
    apiKey: apiKey ?? 'none',
    webhookKey: null,
    baseURL: baseUrl,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
    fetch,
    defaultHeaders: headers,
  });
  return {
    send: createSender(client, {
      ...{ path: '/v1/messages', fetch },
      errorOf: (status, body, text, headers) => APIError.generate(status, body, text, headers),
    }),
  };
}

/** The headers that contain the key, for a request without the SDK. */
export function keyHeaders(apiKey: string, baseUrl: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${apiKey}`, ...olderHeaders(apiKey, baseUrl) };
}

function olderHeaders(apiKey: string, baseUrl: string): Readonly<Record<string, string>> {
  return new URL(baseUrl).hostname === 'api.anthropic.com' ? {} : { 'x-api-key': apiKey };
}

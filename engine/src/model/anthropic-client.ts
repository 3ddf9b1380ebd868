import type { ClientOptions } from '@anthropic-ai/sdk';
import type { Client } from './client.ts';

interface Options {
  /** Undefined where the server wants none. */
  apiKey: string | undefined;
  /** Without the version part. */
  baseUrl: string;
  timeoutMs: number;
  fetch: NonNullable<ClientOptions['fetch']>;
}

const JSON_BODY = { 'content-type': 'application/json' };

/**
 * A way to Anthropic, or to a server that speaks its language: the official SDK, used as `createClient` uses OpenAI's.
 * It signs with `Authorization: Bearer`, as the API has it since its version of 2026-10-21; other servers are sent the
 * older `x-api-key`, too. Loaded at the first request.
 */
export async function createAnthropicClient({ apiKey, baseUrl, timeoutMs, fetch }: Options): Promise<Client> {
  const { Anthropic } = await import('@anthropic-ai/sdk');
  type Built = Awaited<ReturnType<InstanceType<typeof Anthropic>['buildRequest']>>;
  type BuildArguments = Parameters<InstanceType<typeof Anthropic>['buildRequest']>;
  type FetchArguments = Parameters<InstanceType<typeof Anthropic>['fetchWithTimeout']>;

  class Lean extends Anthropic {
    #kept: { url: string; headers: Built['req']['headers'] } | undefined;

    // Address and headers are the same for every request.
    override async buildRequest(...[options, attempt]: BuildArguments): Promise<Built> {
      if (this.#kept === undefined) {
        const { req, url } = await super.buildRequest(options, attempt);
        this.#kept = { url, headers: req.headers };
      }
      const { url, headers } = this.#kept;
      const body = typeof options.body === 'string' ? options.body : null;
      return { url, timeout: timeoutMs, req: { method: 'POST', headers, body, signal: options.signal ?? null } };
    }

    // The signal already holds the time limit, for the whole answer and not only its headers.
    override fetchWithTimeout(...[url, init]: FetchArguments): Promise<Response> {
      return fetch(url, init);
    }
  }

  const isOwn = new URL(baseUrl).hostname === 'api.anthropic.com';
  const headers = apiKey === undefined ? { authorization: null } : isOwn ? {} : { 'x-api-key': apiKey };
  const client = new Lean({
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
    complete: (body, signal) => client.post('/v1/messages', { body, signal, headers: JSON_BODY }).asResponse(),
  };
}

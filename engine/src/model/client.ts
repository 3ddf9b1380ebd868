import type { ClientOptions } from 'openai';

/** One way to a server with one key. */
export interface Client {
  /** Sends a request, `body` being its JSON text. Rejects with the SDK's errors, also for a status of 300 and above. */
  complete(body: string, signal: AbortSignal): Promise<Response>;
}

interface Options {
  /** Undefined where the server wants none. */
  apiKey: string | undefined;
  /** With the version part; a query is kept (Azure). */
  baseUrl: string;
  /** Where requests go, below `baseUrl`. */
  path: string;
  timeoutMs: number;
  fetch: NonNullable<ClientOptions['fetch']>;
}

const JSON_BODY = { 'content-type': 'application/json' };

/**
 * A way to an OpenAI-compatible server: the official SDK without what repeats: it builds address and headers once, by its own rules, and keeps them; body,
 * time limit and abort are the adapter's. Loaded at the first request: the import takes about 100 ms. Everything that
 * the SDK would read from the environment is given, because only `main` reads that.
 */
export async function createClient({ apiKey, baseUrl, path, timeoutMs, fetch }: Options): Promise<Client> {
  const { OpenAI } = await import('openai');
  type Built = Awaited<ReturnType<InstanceType<typeof OpenAI>['buildRequest']>>;
  type BuildArguments = Parameters<InstanceType<typeof OpenAI>['buildRequest']>;
  type FetchArguments = Parameters<InstanceType<typeof OpenAI>['fetchWithTimeout']>;

  class Lean extends OpenAI {
    #kept: { url: string; headers: Built['req']['headers'] } | undefined;

    // Half of the SDK's time goes into putting together the same headers again.
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

  const client = new Lean({
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
    complete: (body, signal) => client.post(path, { body, signal, headers: JSON_BODY }).asResponse(),
  };
}

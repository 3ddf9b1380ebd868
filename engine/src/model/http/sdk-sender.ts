import { isRecord } from '../../base/json.ts';
import type { HttpFetch } from './keep-alive-fetch.ts';

/** What the official clients of OpenAI and Anthropic share; one generator makes both. */
interface Sdk {
  buildRequest(options: {
    readonly method: 'post';
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  }): Promise<{ readonly req: { readonly headers: Headers }; readonly url: string }>;
}

interface Options {
  /** Path of the requests below the base address. */
  readonly path: string;
  readonly fetch: HttpFetch;
  /** The SDK's error of a status of 300 and above; `body` is undefined where the server's text is no JSON. */
  readonly errorOf: (status: number, body: object | undefined, text: string | undefined, headers: Headers) => Error;
  /** Headers that may change between requests. Default: none. */
  readonly moreHeaders?: (() => Readonly<Record<string, string>>) | undefined;
}

/**
 * Sends requests with the address and the headers of an SDK, which builds them once, by its own rules: they take most of its time, and what
 * it does besides (retries, logs, time limits, several ways to sign in) is switched off or done by the engine. Rejects with the
 * errors of the SDK, with those of the connection, and with the reason of the signal.
 */
export function createSender(
  sdk: Sdk,
  { path, fetch, errorOf, moreHeaders }: Options,
): (body: string, signal: AbortSignal) => Promise<Response> {
  const built = new Map<string, ReturnType<Sdk['buildRequest']>>();
  const requestOf = (more: Readonly<Record<string, string>>) => {
    const key = JSON.stringify(more);
    let request = built.get(key);
    if (request === undefined) {
      request = sdk.buildRequest({ method: 'post', path, headers: { 'content-type': 'application/json', ...more } });
      built.clear();
      built.set(key, request);
    }
    return request;
  };
  return async (body, signal) => {
    const { req, url } = await requestOf(moreHeaders?.() ?? {});
    const response = await fetch(url, { method: 'POST', headers: req.headers, body, signal });
    if (response.ok) return response;
    const text = await response.text().catch((error: unknown) => String(error));
    const said = jsonOf(text);
    throw errorOf(response.status, said, said === undefined ? text : undefined, response.headers);
  };
}

function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import type { HttpFetch } from './keep-alive-fetch.ts';

/** What the official clients of OpenAI and Anthropic, made by the same generator, have in common. */
interface Sdk {
  buildRequest(
    options: { readonly body?: unknown; readonly signal?: AbortSignal | null | undefined },
    extra?: object,
  ): Promise<{ req: RequestInit & { headers: Headers }; url: string; timeout: number }>;
  fetchWithTimeout(
    url: RequestInfo,
    init: RequestInit | undefined,
    ms: number,
    abort: AbortController,
  ): Promise<Response>;
}

/**
 * Takes out of a client what repeats: it builds address and headers once, by its own rules, and keeps them, which is half
 * of its time; body, time limit and abort are the adapter's. So it must be asked for one path only.
 */
export function trimSdk(sdk: Sdk, { timeoutMs, fetch }: { timeoutMs: number; fetch: HttpFetch }): void {
  const build = sdk.buildRequest.bind(sdk);
  let kept: { url: string; headers: Headers } | undefined;
  sdk.buildRequest = async (options, extra) => {
    if (kept === undefined) {
      const { req, url } = await build(options, extra);
      kept = { url, headers: req.headers };
    }
    const { url, headers } = kept;
    const body = typeof options.body === 'string' ? options.body : null;
    return { url, timeout: timeoutMs, req: { method: 'POST', headers, body, signal: options.signal ?? null } };
  };
  // The signal already holds the time limit, for the whole answer and not only its headers.
  sdk.fetchWithTimeout = (url, init) => fetch(url, init);
}

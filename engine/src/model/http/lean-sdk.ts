import type { HttpFetch } from './keep-alive-fetch.ts';

/** The methods that the official clients of OpenAI and Anthropic share; one generator makes both. */
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
 * Speeds up a client: it builds address and headers once, by its own rules, and reuses them. Building them takes half of
 * its time. The adapter provides body, time limit and abort. Use each client for one path only.
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
  // The signal already includes the time limit, for the whole answer and not only its headers.
  sdk.fetchWithTimeout = (url, init) => fetch(url, init);
}

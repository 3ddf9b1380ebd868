import { EngineError } from '../../base/error.ts';
import { isListed } from './address-guard.ts';
import { exchange, type ExchangeOptions, type HttpResponse } from './http-exchange.ts';
import type { HttpRequest } from './http-request.ts';

/** Redirects of one call at most. */
const MAX_REDIRECTS = 5;

/**
 * Sends a request and follows redirects of a GET to the same host or to a listed one. Another host gets none of the headers of the
 * document, since these may hold keys. `TOOL_FAILED` for any other redirect.
 */
export async function followRedirects(first: HttpRequest, options: ExchangeOptions): Promise<HttpResponse> {
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const response = await exchange(request, options);
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return response;
    const url = URL.parse(location, request.url);
    const why = url === null ? 'its address is not valid' : whyRefused(first, request.url, url, options);
    if (why !== undefined || url === null || redirects >= MAX_REDIRECTS)
      throw new EngineError(
        'TOOL_FAILED',
        `${request.url.host} answered with a redirect to ${url?.host ?? 'another address'}, which was not followed: ${why ?? 'there were too many'}`,
        { hint: "a person can correct url in the tool's file, or add the host to allowHosts" },
      );
    request = { method: 'GET', url, headers: isSameHost(first.url, url) ? first.headers : {} };
  }
}

function whyRefused({ method, url: origin }: HttpRequest, from: URL, to: URL, { allowHosts }: ExchangeOptions) {
  if (method !== 'GET') return 'only a GET request is repeated at another address';
  if (to.protocol !== 'https:' && to.protocol !== 'http:') return `${to.protocol} is not supported`;
  if (from.protocol === 'https:' && to.protocol === 'http:') return 'it leads from https to http';
  if (to.username !== '' || to.password !== '') return 'it contains a user or a password';
  return isSameHost(origin, to) || isListed(to, allowHosts) ? undefined : 'the host is not in allowHosts';
}

/** The same host and port; from http to https of the same name on their own ports, too. */
function isSameHost(a: URL, b: URL): boolean {
  const isUpgrade = a.protocol === 'http:' && b.protocol === 'https:' && a.port === '' && b.port === '';
  return a.hostname === b.hostname && (a.origin === b.origin || isUpgrade);
}

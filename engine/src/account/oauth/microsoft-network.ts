import type { INetworkModule, NetworkRequestOptions, NetworkResponse } from '@azure/msal-node';
import { isRecord } from '../../base/json.ts';
import { REQUEST_MS } from './oauth-client.ts';
import { networkReason, readOAuthError, type OAuthRefusal } from './oauth-error.ts';

/** HTTP for msal, and the last refusal. */
export interface MsalNetwork {
  readonly client: INetworkModule;
  /** Of the last request, where it was refused or got no response. */
  readonly refusal: Omit<OAuthRefusal, 'company' | 'accountId'> | undefined;
}

interface Options {
  /** The authority in msal's requests. */
  readonly authority: string;
  /** The address that replaces it. */
  readonly token: string;
  readonly signal?: AbortSignal | undefined;
}

/** HTTP by fetch, each request within `REQUEST_MS`; an address that starts with `authority` goes to `token`. */
export function createNetwork({ authority, token, signal }: Options): MsalNetwork {
  let refusal: MsalNetwork['refusal'];
  const send = async <T>(method: string, url: string, options: NetworkRequestOptions = {}) => {
    refusal = undefined;
    const address = url.startsWith(authority) ? token + url.slice(authority.length) : url;
    const ends = AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(REQUEST_MS)]);
    const { answer, body } = await ask(address, {
      method,
      headers: options.headers ?? {},
      body: method === 'POST' ? (options.body ?? '') : null,
      signal: ends,
      redirect: 'error',
    }).catch((error: unknown) => {
      refusal = { description: networkReason(error) };
      throw error;
    });
    if (!answer.ok) refusal = { status: answer.status, ...readOAuthError(body) };
    // msal assumes this type, and checks the fields that it uses.
    return {
      headers: Object.fromEntries(answer.headers),
      body: body as T,
      status: answer.status,
    } satisfies NetworkResponse<T>;
  };
  return {
    client: {
      sendGetRequestAsync: <T>(url: string, options?: NetworkRequestOptions) => send<T>('GET', url, options),
      sendPostRequestAsync: <T>(url: string, options?: NetworkRequestOptions) => send<T>('POST', url, options),
    },
    get refusal() {
      return refusal;
    },
  };
}

/** Fetches a response with its body. */
async function ask(address: string, how: RequestInit): Promise<{ answer: Response; body: unknown }> {
  const answer = await fetch(address, how);
  return { answer, body: readJson(await answer.text()) };
}

/** A body that is no JSON object, such as a proxy's HTML page, counts as empty. */
function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

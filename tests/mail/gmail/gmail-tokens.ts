import type { AccountTokens } from '../../../engine/src/account/account.ts';

/** Tokens that are always the same one. */
export function fixedTokens(token: string): AccountTokens {
  return {
    async accessToken({ signal }) {
      signal?.throwIfAborted();
      return token;
    },
  };
}

/** Asks the Gmail API at `url` as another client would. */
export function google(url: string, token: string) {
  return async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/gmail/v1/users/me${path}`, {
      method,
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
}

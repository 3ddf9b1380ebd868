import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { OAuth2Client } from 'google-auth-library';
import type { AccountTokens } from './provider.ts';

type Asked = Parameters<OAuth2Client['request']>[0];

/**
 * What Google's API clients (`gmail({ auth })`, `calendar`, `tasks`) sign their requests with: tokens of an account that
 * cover `scopes`. A request that is answered 401 is sent once more with a new token. Throws as `accessToken` does; a `signal`
 * in the options of a request holds for its token too. The library is loaded when this is first called.
 */
export async function googleAuth(tokens: AccountTokens, scopes: readonly string[]): Promise<OAuth2Client> {
  const { OAuth2Client: Base, gaxios } = await import('google-auth-library');
  class AccountAuth extends Base {
    protected override async getRequestMetadataAsync() {
      return { headers: bearer(await tokens.accessToken({ scopes })) };
    }

    protected override async requestAsync<T>(asked: Asked) {
      const signal = asked.signal ?? undefined;
      // What is uploaded comes as a stream, of which a second request would find nothing left.
      const data: unknown = asked.data instanceof Readable ? await buffer(asked.data) : asked.data;
      const send = (token: string) => {
        const headers = gaxios.Gaxios.mergeHeaders(asked.headers, bearer(token));
        return this.transporter.request<T>({ ...asked, data, headers });
      };
      const token = await tokens.accessToken({ scopes, signal });
      try {
        return await send(token);
      } catch (error) {
        if (!(error instanceof gaxios.GaxiosError) || error.response?.status !== 401) throw error;
        return send(await tokens.accessToken({ scopes, refused: token, signal }));
      }
    }
  }
  return new AccountAuth();
}

function bearer(token: string): Headers {
  return new Headers({ authorization: `Bearer ${token}` });
}

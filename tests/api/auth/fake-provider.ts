import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { CLIENT } from '../../account/oauth/google-emulator.ts';

/** How one answer of the provider differs from a right one. */
export interface Forgery {
  readonly claims?: JWTPayload;
  /** Signs with a key that the provider does not publish. */
  readonly hasForeignKey?: boolean;
  readonly issuer?: string;
  readonly audience?: string;
  readonly nonce?: string;
  readonly expiresAt?: number;
}

/** An identity provider whose answers a test decides. */
export interface FakeProvider {
  readonly url: string;
  /** The requests for tokens so far, as the provider got them. */
  readonly exchanges: readonly URLSearchParams[];
  /** The person lets Callsheet in. Gives the address that the browser is sent to. */
  consent(authorizeUrl: string, forgery?: Forgery): URL;
  close(): Promise<void>;
}

const PERSON = { sub: '1', email: 'jane@example.org', email_verified: true, name: 'Jane Ray' };

/** Starts a provider on a loopback port. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const codes = new Map<string, { readonly nonce: string; readonly forgery: Forgery }>();
  const exchanges: URLSearchParams[] = [];
  let url = '';

  const idToken = ({ nonce, forgery }: { nonce: string; forgery: Forgery }) =>
    new SignJWT({ ...PERSON, nonce: forgery.nonce ?? nonce, ...forgery.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(forgery.issuer ?? url)
      .setAudience(forgery.audience ?? CLIENT.id)
      .setIssuedAt()
      .setExpirationTime(forgery.expiresAt ?? '5m')
      .sign(forgery.hasForeignKey === true ? foreign.privateKey : own.privateKey);

  const answer = async (path: string, body: string): Promise<object> => {
    if (path === '/.well-known/openid-configuration')
      return {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      };
    if (path === '/keys') return { keys: [jwk] };
    const form = new URLSearchParams(body);
    exchanges.push(form);
    const found = codes.get(form.get('code') ?? '');
    if (found === undefined) return { error: 'invalid_grant' };
    codes.delete(form.get('code') ?? '');
    return { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: await idToken(found) };
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      void answer(request.url ?? '', body).then((json) => {
        response.statusCode = 'error' in json ? 400 : 200;
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(json));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    exchanges,
    consent(authorizeUrl, forgery = {}) {
      const { searchParams } = new URL(authorizeUrl);
      const code = `code-${exchanges.length}-${codes.size}`;
      codes.set(code, { nonce: searchParams.get('nonce') ?? '', forgery });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return back;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

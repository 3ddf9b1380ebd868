import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

export const CLIENT = { id: '00001111-aaaa-2222-bbbb-3333cccc4444', secret: 'a-secret-of-the-app' } as const;

/** A person of the directory: the name that is signed in with, and the addresses of the mailbox. */
export interface Person {
  readonly name: string;
  readonly mail: string;
  readonly proxies?: readonly string[];
}

export interface MicrosoftPeer {
  readonly url: string;
  /** Requests for tokens so far, by grant. */
  readonly asked: { code: number; refresh: number };
  /** In place of a token, for as long as it is set. */
  failing: { status: number; body: object } | undefined;
  /** Called before a refresh is answered. */
  onRefresh: () => void | Promise<void>;
  /** What a person does at Microsoft: opens the link and lets the app in. Gives the address that the browser is sent to. */
  consent(authorizeUrl: string, person: Person): URL;
  close(): Promise<void>;
}

/**
 * Microsoft's v2.0 endpoints for tokens and Graph's `/me`, as their documentation describes them; stricter than the real ones in
 * that a refresh token is good once.
 */
export async function startMicrosoft(): Promise<MicrosoftPeer> {
  const codes = new Map<string, { person: Person; query: URLSearchParams }>();
  const refreshes = new Map<string, { person: Person; scope: string }>();
  const people = new Map<string, Person>();
  const app = new Koa();
  app.silent = true;

  const give = (person: Person, scope: string) => {
    const [accessToken, refreshToken] = [`ms-access-${randomUUID()}`, `ms-refresh-${randomUUID()}`];
    people.set(accessToken, person);
    refreshes.set(refreshToken, { person, scope });
    const claims = {
      ...{ aud: CLIENT.id, iss: 'https://login.microsoftonline.com/t/v2.0', ver: '2.0', tid: 't', oid: person.name },
      ...{ sub: person.name, preferred_username: person.name, exp: 4_000_000_000, iat: 1, nbf: 1 },
    };
    return {
      token_type: 'Bearer',
      // As Microsoft does: without what belongs to the sign-in, and in its own case.
      scope: scope
        .split(' ')
        .filter((name) => name !== 'offline_access')
        .join(' '),
      expires_in: 3600,
      access_token: accessToken,
      refresh_token: refreshToken,
      id_token: `${base64({ typ: 'JWT', alg: 'RS256' })}.${base64(claims)}.signature`,
      client_info: base64({ uid: person.name, utid: 't' }),
    };
  };

  app.use(async (ctx) => {
    if (ctx.path === '/v1.0/me') {
      const person = people.get(ctx.get('Authorization').replace('Bearer ', ''));
      if (person === undefined) return void (ctx.status = 401);
      const proxyAddresses = (person.proxies ?? []).map((address) => `smtp:${address}`);
      ctx.body = { mail: person.mail, userPrincipalName: person.name, proxyAddresses };
      return;
    }
    if (ctx.method !== 'POST' || ctx.path !== '/common/oauth2/v2.0/token') return;
    const chunks: Buffer[] = [];
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (form.get('grant_type') === 'authorization_code') peer.asked.code++;
    else {
      peer.asked.refresh++;
      await peer.onRefresh();
    }
    if (peer.failing !== undefined) {
      ctx.status = peer.failing.status;
      ctx.body = peer.failing.body;
      return;
    }
    const refuse = (error: string, description: string) => {
      ctx.status = error === 'invalid_client' ? 401 : 400;
      ctx.body = { error, error_description: description, correlation_id: 'c', trace_id: 't' };
    };
    if (form.get('client_id') !== CLIENT.id) return refuse('unauthorized_client', 'AADSTS700016: no such application');
    if (form.has('client_secret') && form.get('client_secret') !== CLIENT.secret)
      return refuse('invalid_client', 'AADSTS7000215: Invalid client secret provided.');
    const scope = form.get('scope') ?? '';
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      const known = refreshes.get(token);
      if (known === undefined) return refuse('invalid_grant', 'AADSTS700082: The refresh token has expired.');
      refreshes.delete(token);
      ctx.body = give(known.person, scope);
      return;
    }
    const pending = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (pending === undefined) return refuse('invalid_grant', 'AADSTS54005: the code was already redeemed.');
    if (challenge !== pending.query.get('code_challenge')) return refuse('invalid_grant', 'AADSTS50148: PKCE');
    if (form.get('redirect_uri') !== pending.query.get('redirect_uri')) return refuse('invalid_grant', 'AADSTS50011');
    ctx.body = give(pending.person, scope);
  });

  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const peer: MicrosoftPeer = {
    url: `http://127.0.0.1:${port}`,
    asked: { code: 0, refresh: 0 },
    failing: undefined,
    onRefresh: () => {},
    consent(authorizeUrl, person) {
      const { searchParams: query, origin, pathname } = new URL(authorizeUrl);
      if (origin !== peer.url || pathname !== '/common/oauth2/v2.0/authorize')
        throw new Error(`sent to ${authorizeUrl}`);
      if (query.get('client_id') !== CLIENT.id) throw new Error('not our client');
      const code = `ms-code-${randomUUID()}`;
      codes.set(code, { person, query });
      const back = new URL(query.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      return back;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return peer;
}

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

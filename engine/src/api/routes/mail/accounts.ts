import { EngineError, type ErrorBody, errorBody } from '../../../base/error.ts';
import type { Account } from '../../../config/config.ts';
import { probeSource } from '../../../mail/source.ts';
import { isCloud } from '../../../account/required-scopes.ts';
import { PROVIDER_NAMES } from '../../../account/scopes.ts';
import type { AuthorizeProblem } from '../../../account/account.ts';
import {
  authorizeProblem,
  type ConnectionState,
  connectionStateOf,
  waitsForSignIn,
} from '../../../account/connection-state.ts';
import type { RouteContext, AddRoutes, Services } from '../../api.ts';
import { redirectUri } from '../../auth/oauth.ts';
import { queryFlag } from '../../http/query.ts';

/** Connection state of an account, as stored; the provider is not asked. `ready`: the account needs no sign-in. */
export interface Connection {
  readonly accountId: string;
  readonly provider: Account['provider'];
  readonly email: string;
  readonly state: ConnectionState['state'] | 'ready';
  readonly problem?: ErrorBody;
  /** Path where a browser starts the sign-in. */
  readonly connect?: string;
}

/** Result of an account test (seed 000, 3.2.2a). */
export type ProbeResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly error: AuthorizeProblem;
      /** Link to sign in; valid once, for ten minutes. */
      readonly authorizeUrl?: string;
      readonly problem: ErrorBody;
    };

/** Timeout of an account test. */
const PROBE_MS = 30_000;

/**
 * `GET /api/connections`: the state of each account · `DELETE /api/connections/:id`: deletes its tokens, revokes the access at the
 * provider unless `?local=true`, and answers `{ accountId, grant, reason? }` · `GET /api/accounts/:id/test`, also `gmail-test` and `outlook-test`: connects to its provider and answers
 * `{ ok: true }` or `{ ok: false, error, authorizeUrl?, problem }`.
 */
export const accountRoutes: AddRoutes = (router, services) => {
  const { config, connections, fetcher, deps } = services;
  router.get('/connections', async (ctx) => {
    const accounts = [...config.current().accounts.values()];
    ctx.body = { items: await Promise.all(accounts.map((account) => connectionOf(account, connections))) };
  });
  router.delete('/connections/:id', async (ctx) => {
    ctx.body = await connections.disconnect(String(ctx.params['id']), { isLocal: queryFlag(ctx, 'local') === true });
    // Pages that show the state of the account reload it.
    deps.live.publish('fetcher', { state: fetcher.status().state });
  });
  for (const [name, provider] of [
    ['test', undefined],
    ['gmail-test', 'gmail'],
    ['outlook-test', 'outlook'],
  ] as const)
    router.get(`/accounts/:id/${name}`, async (ctx) => {
      const account = config.current().accounts.get(String(ctx.params['id']));
      if (account === undefined) throw new EngineError('NOT_FOUND', `no account "${ctx.params['id']}"`);
      if (provider !== undefined && account.provider !== provider)
        throw new EngineError('BAD_REQUEST', `account ${account.id} is not a ${provider} account`);
      ctx.body = await test(ctx, account, services);
    });
};

async function connectionOf(account: Account, connections: Services['connections']): Promise<Connection> {
  const { id: accountId, provider, email } = account;
  if (!isCloud(account)) return { accountId, provider, email, state: 'ready' };
  const { route } = PROVIDER_NAMES[account.provider];
  const connect = `/api/oauth2/${route}/initiate?accountId=${encodeURIComponent(accountId)}`;
  return { accountId, provider, email, ...(await connectionStateOf(connections, account)), connect };
}

async function test(ctx: RouteContext, account: Account, services: Services): Promise<ProbeResult> {
  const { connections, openSource, mailService, deps, signIns } = services;
  const signal = AbortSignal.timeout(PROBE_MS);
  try {
    if (isCloud(account)) {
      const scopes = connections.wantedScopes(account);
      await connections.tokensOf(account.id).accessToken({ scopes, signal });
    }
    await probeSource(openSource(account), { signal });
    await (await mailService.open(account)).check?.({ signal });
    return { ok: true };
  } catch (thrown) {
    const error = signal.aborted ? tooSlow(account.id) : thrown;
    const category = authorizeProblem(error);
    const problem = errorBody(error);
    deps.log.warn('account test failed', { account: account.id, error: category, ...problem });
    if (!isCloud(account)) return { ok: false, error: category, problem };
    try {
      const { authorizeUrl } = await signIns.begin(account.id, {
        redirectUri: redirectUri(ctx, account.provider, services.access),
      });
      deps.log.info('sign-in link created', { account: account.id, error: category });
      return { ok: false, error: category, authorizeUrl, problem };
    } catch (refused) {
      // If signing in is needed but impossible, the answer says why it is impossible. Other failures are returned as they are.
      return { ok: false, error: category, problem: waitsForSignIn(problem.code) ? errorBody(refused) : problem };
    }
  }
}

function tooSlow(accountId: string): EngineError {
  return new EngineError('ACCOUNT_FAILED', `account ${accountId} did not answer within ${PROBE_MS / 1000} seconds`, {
    retryable: true,
  });
}

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

/** How an account stands, as far as is known without asking its provider. `ready`: nobody signs in to it. */
export interface Connection {
  readonly accountId: string;
  readonly provider: Account['provider'];
  readonly email: string;
  readonly state: ConnectionState['state'] | 'ready';
  readonly problem?: ErrorBody;
  /** Where a browser begins to sign in. */
  readonly connect?: string;
}

/** What came of a probe (seed 000, 3.2.2a). */
export type ProbeResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly error: AuthorizeProblem;
      /** Where a person signs in; good for ten minutes, once. */
      readonly authorizeUrl?: string;
      readonly problem: ErrorBody;
    };

/** A probe that is not done by then has failed. */
const PROBE_MS = 30_000;

/**
 * `GET /api/connections`: how each account stands · `DELETE /api/connections/:id`: forgets its tokens, has the provider take back
 * what was allowed unless `?local=true`, and answers `{ accountId, grant, reason? }` · `GET /api/accounts/:id/test`, also `gmail-test` and `outlook-test`: asks its provider, as a fetch would, and answers
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
    // Pages that show how the account stands look again.
    deps.live.publish('fetcher', { state: fetcher.status().state });
  });
  for (const [name, provider] of [
    ['test', undefined],
    ['gmail-test', 'gmail'],
    ['outlook-test', 'outlook'],
  ] as const)
    router.get(`/accounts/:id/${name}`, async (ctx) => {
      const account = config.current().accounts.get(String(ctx.params['id']));
      if (account === undefined) throw new EngineError('NOT_FOUND', `there is no account "${ctx.params['id']}"`);
      if (provider !== undefined && account.provider !== provider)
        throw new EngineError('BAD_REQUEST', `account ${account.id} is no ${provider} account`);
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
    deps.log.warn('an account fails its test', { account: account.id, error: category, ...problem });
    if (!isCloud(account)) return { ok: false, error: category, problem };
    try {
      const { authorizeUrl } = await signIns.begin(account.id, { redirectUri: redirectUri(ctx, account.provider) });
      deps.log.info('a link to sign in was made', { account: account.id, error: category });
      return { ok: false, error: category, authorizeUrl, problem };
    } catch (refused) {
      // Why nobody can sign in now comes before why somebody should; a failure of another kind stays what it is.
      return { ok: false, error: category, problem: waitsForSignIn(problem.code) ? errorBody(refused) : problem };
    }
  }
}

function tooSlow(accountId: string): EngineError {
  return new EngineError('ACCOUNT_FAILED', `account ${accountId} did not answer within ${PROBE_MS / 1000} seconds`, {
    retryable: true,
  });
}

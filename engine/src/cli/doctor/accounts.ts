import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Snapshot } from '../../config/config.ts';
import type { Connections } from '../../account/connections.ts';
import { type CloudAccount, isCloud } from '../../account/required-scopes.ts';
import { connectionStateOf } from '../../account/connection-state.ts';
import { inspectAccount } from '../../mail/open-mail.ts';
import type { Store } from '../../store/store.ts';
import { type ClusterReport, fetcherOf } from '../../app/cluster-report.ts';
import { inspectAccounts } from '../../app/inspect.ts';
import { type Check, fail, fine, warn } from './check.ts';
import type { CommandContext } from '../context.ts';

interface Options {
  readonly store: Store | undefined;
  /** Set where several processes share the store. */
  readonly shared: Pick<ClusterReport, 'watched'> | undefined;
}

/** Checks each account by the config and the store. Sends no request to a provider. */
export async function checkAccounts(
  context: Pick<CommandContext, 'configDir' | 'dataDir' | 'env' | 'redactor'>,
  snapshot: Snapshot,
  { store, shared }: Options,
): Promise<Check[]> {
  const accounts = [...snapshot.accounts.values()];
  if (accounts.length === 0)
    return [warn('accounts', 'no accounts: no mail is fetched', 'add a file to config/accounts')];
  const { find, connections } = await inspectAccounts(context, snapshot, store);
  const deps = {
    baseDir: dirname(context.configDir),
    resolve: find,
    hasStore: store !== undefined,
    hasStarted: existsSync(context.dataDir),
  };
  return Promise.all(
    accounts.map(async (account) => {
      // The sign-in is in the store, and runs on every machine need it, whichever process fetches the account.
      if (isCloud(account)) return checkCloud(account, connections);
      const fetcher = shared === undefined ? undefined : fetcherOf(shared, account.id);
      if (fetcher !== undefined && fetcher.host !== hostname())
        return fine(`account ${account.id}`, `fetched by another machine: ${fetcher.host ?? fetcher.worker}`);
      const finding = inspectAccount(account, deps) ?? { status: 'ok' as const, message: 'its provider has no check' };
      return { check: `account ${account.id}`, ...finding };
    }),
  );
}

async function checkCloud(account: CloudAccount, connections: Connections | undefined): Promise<Check> {
  const check = `account ${account.id}`;
  const hint = `callsheet accounts connect ${account.id}`;
  if (connections === undefined) return warn(check, 'nobody has signed in', hint);
  // A store of an older schema has no table for tokens.
  const connectionState = await connectionStateOf(connections, account).catch(() => undefined);
  if (connectionState === undefined) return warn(check, 'nobody has signed in', hint);
  const { state, problem } = connectionState;
  if (problem === undefined)
    return fine(check, `signed in as ${account.email}; callsheet accounts test checks the connection`);
  const isBroken = state === 'client_missing' || state === 'grant_lost';
  return (isBroken ? fail : warn)(check, problem.message, problem.hint ?? hint);
}

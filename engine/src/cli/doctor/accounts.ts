import { existsSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { errorBody } from '../../base/error.ts';
import type { Account, Snapshot } from '../../config/config.ts';
import { expectValue, parseReference } from '../../config/reference.ts';
import type { Connections } from '../../account/connections.ts';
import { type CloudAccount, isCloud } from '../../account/required-scopes.ts';
import { connectionStateOf } from '../../account/connection-state.ts';
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

/** Each account, as far as that is seen from here; no provider is asked. */
export async function checkAccounts(
  context: Pick<CommandContext, 'configDir' | 'dataDir' | 'env' | 'redactor'>,
  snapshot: Snapshot,
  { store, shared }: Options,
): Promise<Check[]> {
  const accounts = [...snapshot.accounts.values()];
  if (accounts.length === 0)
    return [warn('accounts', 'there is none: no mail is fetched', 'add one below config/accounts')];
  const { find, connections } = await inspectAccounts(context, snapshot, store);
  return Promise.all(
    accounts.map(async (account) => {
      // Whoever fetches it, its sign-in lies in the store, and runs need it on every machine.
      if (isCloud(account)) return checkCloud(account, connections);
      const fetcher = shared === undefined ? undefined : fetcherOf(shared, account.id);
      if (fetcher !== undefined && fetcher.host !== hostname())
        return fine(`account ${account.id}`, `another machine fetches it: ${fetcher.host ?? fetcher.worker}`);
      if (account.provider === 'imap') return checkImap(account, { find, hasStore: store !== undefined });
      return checkFolder(context, account);
    }),
  );
}

async function checkCloud(account: CloudAccount, connections: Connections | undefined): Promise<Check> {
  const check = `account ${account.id}`;
  const hint = `callsheet accounts connect ${account.id}`;
  if (connections === undefined) return warn(check, 'nobody has signed in yet', hint);
  // A store of an older version has no place for tokens yet.
  const connectionState = await connectionStateOf(connections, account).catch(() => undefined);
  if (connectionState === undefined) return warn(check, 'nobody has signed in yet', hint);
  const { state, problem } = connectionState;
  if (problem === undefined)
    return fine(check, `signed in as ${account.email}; callsheet accounts test asks the provider`);
  const isBroken = state === 'client_missing' || state === 'grant_lost';
  return (isBroken ? fail : warn)(check, problem.message, problem.hint ?? hint);
}

/** Whether its passwords are there, as far as there is a store to look into; its server is not asked. */
function checkImap(
  { id, imap, auth, smtp }: Extract<Account, { provider: 'imap' }>,
  { find, hasStore }: { readonly find: (text: string) => string | undefined; readonly hasStore: boolean },
): Check {
  const check = `account ${id}`;
  const keys = { 'auth.pass': auth.pass, ...(smtp?.auth && { 'smtp.auth.pass': smtp.auth.pass }) };
  try {
    for (const [key, reference] of Object.entries(keys))
      if (hasStore || parseReference(reference)?.source === 'env')
        expectValue(id, { key, reference, value: find(reference) });
  } catch (error) {
    const { message, hint = '' } = errorBody(error);
    return fail(check, message, hint);
  }
  return fine(check, `${auth.user} at ${imap.host}; not asked`);
}

/** Before the first start a folder may be missing: that start fills the inbox of the shipped workflow. */
function checkFolder(
  { configDir, dataDir }: Pick<CommandContext, 'configDir' | 'dataDir'>,
  account: Extract<Account, { provider: 'folder' }>,
): Check {
  const check = `account ${account.id}`;
  const path = resolve(dirname(configDir), account.path);
  const hint = 'make it, or change path in its file';
  if (!existsSync(path)) return (existsSync(dataDir) ? fail : warn)(check, `its folder ${path} is not there`, hint);
  if (!statSync(path).isDirectory()) return fail(check, `${path} is no folder`, 'change path in its file');
  return fine(check, `its folder ${path} is there`);
}

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
  return Promise.all(
    accounts.map(async (account) => {
      // The sign-in is in the store, and runs on every machine need it, whichever process fetches the account.
      if (isCloud(account)) return checkCloud(account, connections);
      const fetcher = shared === undefined ? undefined : fetcherOf(shared, account.id);
      if (fetcher !== undefined && fetcher.host !== hostname())
        return fine(`account ${account.id}`, `fetched by another machine: ${fetcher.host ?? fetcher.worker}`);
      if (account.provider === 'imap') return checkImap(account, { find, hasStore: store !== undefined });
      return checkFolder(context, account);
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

/** Checks that the passwords of an IMAP account are set, those in the store only where it is readable. Does not connect. */
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
  return fine(check, `${auth.user} at ${imap.host}; not connected`);
}

/** A missing folder is only a warning before the first start, since that start creates the inbox of the shipped config. */
function checkFolder(
  { configDir, dataDir }: Pick<CommandContext, 'configDir' | 'dataDir'>,
  account: Extract<Account, { provider: 'folder' }>,
): Check {
  const check = `account ${account.id}`;
  const path = resolve(dirname(configDir), account.path);
  const hint = 'create the folder, or change path in the account file';
  if (!existsSync(path)) return (existsSync(dataDir) ? fail : warn)(check, `folder ${path} does not exist`, hint);
  if (!statSync(path).isDirectory()) return fail(check, `${path} is not a folder`, 'change path in the account file');
  return fine(check, `folder ${path} exists`);
}

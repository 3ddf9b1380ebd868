import type { Connection, ProbeResult } from '../../../api/routes/mail/accounts.ts';
import { EngineError } from '../../../base/error.ts';
import type { Disconnected } from '../../../account/oauth/disconnect.ts';
import { waitsForSignIn } from '../../../account/connection-state.ts';
import { type CloudProvider, isCloudProvider } from '../../../account/scopes.ts';
import { type ApiClient, path } from '../../client.ts';
import type { CommandContext } from '../../context.ts';
import { withApi } from '../../with-api.ts';
import { formatTable, oneLine } from '../../terminal/table.ts';
import { EXIT } from '../../terminal/terminal.ts';

/** States in which a person has to sign in. */
const WAITING: ReadonlySet<Connection['state']> = new Set(['not_connected', 'grant_lost', 'scope_missing']);

/** `accounts list`. Exit 3 if a person has to sign in, 1 if an OAuth client is missing. */
export async function listAccounts(context: CommandContext): Promise<number> {
  const { items } = await withApi(context, { isDriving: false }, readConnections);
  if (context.isJson) context.print({ items });
  else if (items.length === 0) context.say('no accounts');
  else context.terminal.out(formatTable(['ID', 'PROVIDER', 'ADDRESS', 'STATE'], items.map(row)));
  if (!context.isJson) for (const { problem } of items) if (problem !== undefined) printProblem(context, problem);
  if (items.some(({ state }) => WAITING.has(state))) return EXIT.person;
  return items.some(({ state }) => state === 'client_missing') ? EXIT.warning : EXIT.fine;
}

/** Reads the connection state of each account. */
export function readConnections(client: ApiClient): Promise<{ readonly items: readonly Connection[] }> {
  return client.request('GET', '/api/connections');
}

function row({ accountId, provider, email, state }: Connection): string[] {
  return [accountId, provider, email, state.replaceAll('_', ' ')];
}

/**
 * `accounts disconnect <id>`: deletes the tokens and revokes the access at the provider, if the provider supports that. Exit 1
 * if revoking failed.
 */
export async function disconnectAccount(
  context: CommandContext,
  { local = false }: { readonly local?: boolean },
  [id = '']: readonly string[],
): Promise<number> {
  const done = await withApi(context, { isDriving: false }, (client) =>
    client.request<Disconnected>('DELETE', `${path`/api/connections/${id}`}?local=${local}`),
  );
  if (context.isJson) context.print(done);
  else context.say(`deleted the tokens of ${id}; ${grantMessage(done)}`);
  return done.grant === 'failed' ? EXIT.warning : EXIT.fine;
}

function grantMessage({ grant, reason = '' }: Disconnected): string {
  if (grant === 'revoked') return 'the provider revoked the access';
  return `the access is still granted at the provider: ${oneLine(reason)}\n  see docs/accounts to revoke it there`;
}

/** `accounts test [ids]`: without ids, all accounts. Exit 3 if a person has to sign in, 1 if a test fails for another reason. */
export async function testAccounts(context: CommandContext, _options: object, ids: readonly string[]): Promise<number> {
  const results = await withApi(context, { isDriving: false }, async (client) => {
    const { items } = await readConnections(client);
    const wanted = ids.length === 0 ? items.map(({ accountId }) => accountId) : ids;
    const test = async (accountId: string) => {
      const result = await client.request<ProbeResult>('GET', path`/api/accounts/${accountId}/test`);
      // The link would lead back to a server that ends with this command.
      const { authorizeUrl: _link, ...rest } = { authorizeUrl: undefined, ...result };
      return { accountId, ...(client.isLive ? result : rest) };
    };
    return Promise.all(wanted.map(test));
  });
  if (context.isJson) context.print({ items: results });
  else for (const result of results) report(context, result);
  const failed = results.filter((result) => !result.ok);
  if (failed.some(({ problem }) => waitsForSignIn(problem.code))) return EXIT.person;
  return failed.length > 0 ? EXIT.warning : EXIT.fine;
}

function report(context: CommandContext, result: { readonly accountId: string } & ProbeResult): void {
  context.terminal.out(`${result.accountId}  ${result.ok ? 'ok' : result.error}\n`);
  if (!result.ok) printProblem(context, result.problem);
}

function printProblem(
  context: CommandContext,
  { message, hint }: { readonly message: string; readonly hint?: string },
): void {
  context.say(`${oneLine(message)}${hint === undefined ? '' : `\n  ${oneLine(hint)}`}`);
}

/** The account with this id. `NOT_FOUND`; `USAGE` if the provider has no sign-in. */
export async function expectCloud(
  client: ApiClient,
  id: string,
): Promise<Connection & { readonly provider: CloudProvider }> {
  const { items } = await readConnections(client);
  const account = items.find(({ accountId }) => accountId === id);
  if (account === undefined)
    throw new EngineError('NOT_FOUND', `there is no account "${id}"`, { hint: 'callsheet accounts list' });
  const { provider } = account;
  if (isCloudProvider(provider)) return { ...account, provider };
  throw new EngineError('USAGE', `account ${id} needs no sign-in: its provider is ${provider}`, {
    hint: `test the account with callsheet accounts test ${id}`,
  });
}

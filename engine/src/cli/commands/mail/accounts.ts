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

/** `accounts list`. Exit 3 where somebody has to sign in, 1 where a client is not there. */
export async function listAccounts(context: CommandContext): Promise<number> {
  const { items } = await withApi(context, { isDriving: false }, readConnections);
  if (context.isJson) context.print({ items });
  else if (items.length === 0) context.say('no accounts');
  else context.terminal.out(formatTable(['ID', 'PROVIDER', 'ADDRESS', 'STATE'], items.map(row)));
  if (!context.isJson) for (const { problem } of items) if (problem !== undefined) tell(context, problem);
  if (items.some(({ state }) => WAITING.has(state))) return EXIT.person;
  return items.some(({ state }) => state === 'client_missing') ? EXIT.warning : EXIT.fine;
}

/** How each account stands. */
export function readConnections(client: ApiClient): Promise<{ readonly items: readonly Connection[] }> {
  return client.request('GET', '/api/connections');
}

function row({ accountId, provider, email, state }: Connection): string[] {
  return [accountId, provider, email, state.replaceAll('_', ' ')];
}

/**
 * `accounts disconnect <id>`: its tokens are gone from here, and what was allowed is taken back at the provider where it lets
 * programs do that. Exit 1 where that failed.
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
  else context.say(`the tokens of ${id} are forgotten; ${tellGrant(done)}`);
  return done.grant === 'failed' ? EXIT.warning : EXIT.fine;
}

function tellGrant({ grant, reason = '' }: Disconnected): string {
  if (grant === 'revoked') return 'the provider has taken back what was allowed';
  return `what was allowed still stands at the provider: ${oneLine(reason)}\n  docs/accounts says how to take it back there`;
}

/** `accounts test [ids]`: all of them without ids. Exit 3 where somebody has to sign in, 1 where one fails for another reason. */
export async function testAccounts(context: CommandContext, _options: object, ids: readonly string[]): Promise<number> {
  const results = await withApi(context, { isDriving: false }, async (client) => {
    const { items } = await readConnections(client);
    const wanted = ids.length === 0 ? items.map(({ accountId }) => accountId) : ids;
    const test = async (accountId: string) => {
      const result = await client.request<ProbeResult>('GET', path`/api/accounts/${accountId}/test`);
      // A link that leads back to a server which ends with this command leads nowhere.
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
  if (!result.ok) tell(context, result.problem);
}

function tell(context: CommandContext, { message, hint }: { readonly message: string; readonly hint?: string }): void {
  context.say(`${oneLine(message)}${hint === undefined ? '' : `\n  ${oneLine(hint)}`}`);
}

/** The account of that name; `NOT_FOUND`, or `USAGE` where nobody signs in to it. */
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
  throw new EngineError('USAGE', `nobody signs in to ${id}: its provider is ${provider}`, {
    hint: `callsheet accounts test ${id} asks it`,
  });
}

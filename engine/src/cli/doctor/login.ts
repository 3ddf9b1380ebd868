import { readLoginClient } from '../../api/auth/login-client.ts';
import { readAccess } from '../../api/http/read-access.ts';
import { inspectLogin } from '../../app/inspect.ts';
import { errorBody } from '../../base/error.ts';
import { isLoopbackAddress } from '../../base/network-host.ts';
import type { Settings, Snapshot } from '../../config/config.ts';
import type { CommandContext } from '../context.ts';
import { type Check, fail, fine, warn } from './check.ts';

const CHECK = 'login';

/** Checks who can sign in, and by which address: what `start` would refuse, and what would surprise. Asks Google for its keys. */
export async function checkLogin(context: CommandContext, { settings }: Pick<Snapshot, 'settings'>): Promise<Check[]> {
  try {
    const client = readLoginClient(context);
    const hasToken = (context.env('CALLSHEET_TOKEN') ?? '') !== '';
    readAccess(settings.server, { hasLogin: client !== undefined, hasToken });
    const people = client === undefined ? withoutGoogle(settings) : await withGoogle(client, settings);
    return [people, ...checkAddress(settings.server)];
  } catch (error) {
    const { message, hint = 'docs/deploy/reverse-proxy.md' } = errorBody(error);
    return [fail(CHECK, message, hint)];
  }
}

function withoutGoogle({ login }: Settings): Check {
  if (login.users.length === 0) return fine(CHECK, 'by the link that callsheet start prints');
  const what = 'the settings name people, but there is no sign-in with Google';
  return warn(CHECK, what, 'set GOOGLE_LOGIN_CLIENT_ID and GOOGLE_LOGIN_CLIENT_SECRET, or remove login.users');
}

async function withGoogle(
  client: NonNullable<ReturnType<typeof readLoginClient>>,
  { login: { users }, server }: Settings,
): Promise<Check> {
  if (users.length === 0) return warn(CHECK, 'nobody may sign in', 'name people in login.users of the settings');
  const origin = server.publicUrl?.replace(/\/$/, '') ?? `http://127.0.0.1:${server.port}`;
  const redirectUri = `${origin}/api/auth/google/callback`;
  try {
    await inspectLogin(client, redirectUri);
  } catch (error) {
    const { message, hint = 'check the network of the server' } = errorBody(error);
    return warn(CHECK, message, hint);
  }
  const count = (wanted: string) => users.filter(({ role }) => role === wanted).length;
  const roles = ['admin', 'approver', 'viewer'].map((role) => `${count(role)} ${role}`).join(', ');
  return fine(CHECK, `with Google: ${roles}; the OAuth client must list ${redirectUri}`);
}

function checkAddress({ host, publicUrl }: Settings['server']): Check[] {
  if (publicUrl === undefined) return [];
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') return [fine('address', `${publicUrl}, behind a reverse proxy, listening on ${host}`)];
  if (isLoopbackAddress(hostname)) return [fine('address', publicUrl)];
  const hint = 'put a reverse proxy with https before it (docs/deploy/reverse-proxy.md)';
  return [warn('address', `${publicUrl} is plain HTTP: everyone on the way reads mails and takes sessions`, hint)];
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../../available.ts';
import { CLIENT, type GoogleEmulator, startGoogle } from '../../../account/oauth/google-emulator.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

const ENV = {
  VX_MAILAGENT_KEY: 'c0ffee00'.repeat(8),
  GOOGLE_CLIENT_ID: CLIENT.id,
  GOOGLE_CLIENT_SECRET: CLIENT.secret,
};

let google: GoogleEmulator;
let place: Place;

beforeEach(async () => {
  google = await startGoogle();
  place = makePlace({
    ...FILES,
    'accounts/support.yaml': `id: support
provider: gmail
email: jane@example.org
oauth: { clientId: '\${env:GOOGLE_CLIENT_ID}', clientSecret: '\${env:GOOGLE_CLIENT_SECRET}' }
endpoints: ${google.endpoints}
`,
  });
});
afterEach(async () => {
  await google.close();
  place.remove();
});

/** `accounts connect support --json`, its lines one by one. */
function connect(args: readonly string[] = [], env: Readonly<Record<string, string>> = ENV) {
  const main = join(root, 'engine/callsheet.cjs');
  const child: ChildProcess = spawn(
    process.execPath,
    ['--', main, 'accounts', 'connect', 'support', '--json', ...args],
    { cwd: place.dir, env: { PATH: process.env['PATH'], HOME: place.dir, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = (await lines.next()) as { value: string | undefined };
    return JSON.parse(value ?? '{}') as Readonly<Record<string, string>>;
  };
  return { child, next, ended: once(child, 'close').then(([code]) => code as number) };
}

/** Lets us in as `email`; gives where the browser ended. */
async function letIn(authorizeUrl: string | undefined, email = 'jane@example.org'): Promise<URL> {
  const back = await google.consent(authorizeUrl ?? '', email);
  await fetch(back, { headers: { accept: 'text/html' } });
  return back;
}

test('accounts connect prints a link, waits for the person, and is done', async () => {
  const { next, ended } = connect();
  await letIn((await next())['authorizeUrl']);
  expect(await next()).toEqual({ state: 'done', accountId: 'support' });
  expect(await ended).toBe(0);
  const listed = await place.run(['accounts', 'list'], ENV);
  expect(listed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^support +gmail +jane@example\.org +connected$/m),
  });
  expect(await place.run(['accounts', 'test'], ENV)).toMatchObject({ code: 0, stdout: 'inbox  ok\nsupport  ok\n' });
});

test('with a server at work the browser comes back to that', async () => {
  const server = await place.start([], ENV);
  const { next, ended } = connect();
  const back = await letIn((await next())['authorizeUrl']);
  expect(back.origin).toBe(server.url);
  expect(await ended).toBe(0);
  await server.stop();
});

test('accounts connect ends with 3 where nobody signs in in time', async () => {
  const { next, ended } = connect(['--timeout', '1']);
  await next();
  expect(await next()).toMatchObject({ state: 'open' });
  expect(await ended).toBe(3);
});

test('accounts connect ends with 130 on Ctrl-C, and leaves the data folder to others', async () => {
  const { child, next, ended } = connect();
  await next();
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(await place.run(['accounts', 'list'], ENV)).toMatchObject({ code: 3 });
});

test('accounts connect says how long its link is good: without a server at work no longer than it waits', async () => {
  expect(await place.run(['accounts', 'connect', 'support', '--timeout', '1'], ENV)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(google.url),
    stderr: expect.stringMatching(/valid while this command waits \(1 s\):\n[^]*no sign-in in time/),
  });
});

test('who comes by SSH is told how the browser at home gets back to the port of this sign-in', async () => {
  const env = { ...ENV, SSH_CONNECTION: '192.0.2.7 50000 192.0.2.1 22' };
  const { stdout, stderr } = await place.run(['accounts', 'connect', 'support', '--timeout', '1'], env);
  const port = /redirect_uri=http%3A%2F%2F127\.0\.0\.1%3A(\d+)%2F/.exec(stdout)?.[1] ?? 'none';
  expect(stderr).toContain(`ssh -L ${port}:127.0.0.1:${port} 192.0.2.1\n`);
});

test('accounts connect ends with 3 where somebody else signs in', async () => {
  const { next, ended } = connect();
  await letIn((await next())['authorizeUrl'], 'john@example.org');
  expect(await next()).toMatchObject({ state: 'failed', message: expect.stringContaining('john@example.org') });
  expect(await ended).toBe(3);
});

test('without a key accounts connect sends nobody away, unless plain text is allowed', async () => {
  const { VX_MAILAGENT_KEY: _key, ...env } = ENV;
  expect(await place.run(['accounts', 'connect', 'support'], env)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('callsheet key make'),
  });
  const { next, ended } = connect(['--plaintext'], env);
  await letIn((await next())['authorizeUrl']);
  expect(await ended).toBe(0);
});

test('accounts list says who has to sign in, and ends with 3', async () => {
  const listed = await place.run(['accounts', 'list'], ENV);
  expect(listed).toMatchObject({ code: 3, stderr: expect.stringContaining('callsheet accounts connect support') });
  expect(listed.stdout).toMatch(/^inbox +folder +me@example\.org +ready$/m);
  expect(listed.stdout).toMatch(/^support +gmail +jane@example\.org +not connected$/m);
});

test('accounts test ends with 3 where a person has to sign in, and with 1 where a folder is not there', async () => {
  expect(await place.run(['accounts', 'test', 'support'], ENV)).toMatchObject({
    code: 3,
    stdout: 'support  missing_refresh_token\n',
  });
  place.write({ 'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./nowhere\n' });
  expect(await place.run(['accounts', 'test', 'inbox'], ENV)).toMatchObject({ code: 1 });
});

test('accounts disconnect forgets the tokens, also of an account whose file is gone', async () => {
  const { next, ended } = connect();
  await letIn((await next())['authorizeUrl']);
  expect(await ended).toBe(0);
  rmSync(join(place.dir, 'config/accounts/support.yaml'));
  expect(await place.run(['accounts', 'disconnect', 'support'], ENV)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('revoked the access'),
  });
  expect(await place.run(['accounts', 'disconnect', 'support'], ENV)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nobody is signed in to "support"'),
  });
});

test('accounts disconnect forgets the tokens though Google is not there, and ends with 1', async () => {
  const { next, ended } = connect();
  await letIn((await next())['authorizeUrl']);
  expect(await ended).toBe(0);
  await google.close();
  expect(await place.run(['accounts', 'disconnect', 'support'], ENV)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/deleted the tokens of .* still granted .*cannot be reached/),
  });
  expect(await place.run(['accounts', 'list'], ENV)).toMatchObject({
    stdout: expect.stringContaining('not connected'),
  });
});

test('accounts connect has nothing to do with a folder', async () => {
  expect(await place.run(['accounts', 'connect', 'inbox'], ENV)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('account inbox needs no sign-in'),
  });
});

test('validate names the variable of a client that is not set, and takes references there', async () => {
  const { GOOGLE_CLIENT_ID: _id, ...env } = ENV;
  const { stdout } = await place.run(['validate'], env);
  expect(stdout).toContain('GOOGLE_CLIENT_ID is not set, so nobody can sign in to this account');
  expect(stdout).not.toContain('GOOGLE_CLIENT_SECRET');
  expect(stdout).not.toContain('CONFIG_REFERENCE_LITERAL');
});

test('doctor tells a client that is not there from an account that waits for a person, and from one that is connected', async () => {
  const look = async (env: Readonly<Record<string, string>>) => {
    const { stdout } = await place.run(['doctor', '--json'], env);
    const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; message: string }[] };
    return checks.find(({ check }) => check === 'account support');
  };
  expect(await look(ENV)).toMatchObject({ status: 'warn', message: 'nobody has signed in' });
  const { next, ended } = connect();
  await letIn((await next())['authorizeUrl']);
  expect(await ended).toBe(0);
  expect(await look(ENV)).toMatchObject({ status: 'ok', message: expect.stringContaining('jane@example.org') });
  const { GOOGLE_CLIENT_SECRET: _secret, ...env } = ENV;
  expect(await look(env)).toMatchObject({ status: 'fail', message: expect.stringContaining('GOOGLE_CLIENT_SECRET') });
});

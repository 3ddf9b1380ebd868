import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { Settings } from '../../../engine/src/config/config.ts';
import type { CommandContext } from '../../../engine/src/cli/context.ts';
import { checkLogin } from '../../../engine/src/cli/doctor/login.ts';
import { type FakeProvider, startFakeProvider } from '../../api/auth/fake-provider.ts';

let google: FakeProvider;
beforeAll(async () => {
  google = await startFakeProvider();
});
afterAll(() => google.close());

const SERVER: Settings['server'] = { host: '127.0.0.1', port: 3001, proxies: ['127.0.0.1'] };
const JANE = { email: 'jane@example.org', role: 'admin' } as const;

function check(
  { server, users = [] }: { server?: Partial<Settings['server']>; users?: Settings['login']['users'] },
  env: Readonly<Record<string, string>> = {},
) {
  const settings = { server: { ...SERVER, ...server }, login: { users } } as unknown as Settings;
  const context = { env: (name: string) => env[name], redactor: createRedactor() } as CommandContext;
  return checkLogin(context, { settings });
}
const client = () => ({
  GOOGLE_LOGIN_CLIENT_ID: 'id',
  GOOGLE_LOGIN_CLIENT_SECRET: 'secret-of-the-client',
  GOOGLE_LOGIN_TEST_ISSUER: google.url,
});

describe('doctor on the sign-in', () => {
  test('says that the link signs in where nothing is configured', async () => {
    expect(await check({})).toEqual([expect.objectContaining({ check: 'login', status: 'ok' })]);
  });

  test('counts who may sign in with Google, and names the redirect address', async () => {
    const [login] = await check({ users: [JANE], server: { publicUrl: 'https://desk.example.org/' } }, client());
    expect(login).toMatchObject({ status: 'ok' });
    expect(login?.message).toContain('1 admin, 0 approver, 0 viewer');
    expect(login?.message).toContain('https://desk.example.org/api/auth/google/callback');
  });

  test.each<[string, Parameters<typeof check>[0], () => Record<string, string>, string, RegExp]>([
    ['half an OAuth client', {}, () => ({ GOOGLE_LOGIN_CLIENT_ID: 'id' }), 'fail', /CLIENT_SECRET is not set/],
    ['nobody who may sign in', {}, client, 'warn', /nobody may sign in/],
    ['people without a sign-in', { users: [JANE] }, () => ({}), 'warn', /no sign-in with Google/],
    [
      'a Google that does not answer',
      { users: [JANE] },
      () => ({ ...client(), GOOGLE_LOGIN_TEST_ISSUER: 'http://127.0.0.1:1' }),
      'warn',
      /does not answer/,
    ],
    [
      'an address for others without a sign-in',
      { server: { host: '0.0.0.0', publicUrl: 'https://desk.example.org' } },
      () => ({}),
      'fail',
      /CALLSHEET_TOKEN/,
    ],
    [
      'an issuer that is not of a test',
      {},
      () => ({ ...client(), GOOGLE_LOGIN_TEST_ISSUER: 'https://evil.example' }),
      'fail',
      /only tests/,
    ],
  ])('reports %s', async (_name, settings, env, status, message) => {
    expect((await check(settings, env()))[0]).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  test('warns of a public address by plain HTTP', async () => {
    const [, address] = await check({ server: { publicUrl: 'http://desk.lan:3001' } });
    expect(address).toMatchObject({ check: 'address', status: 'warn' });
  });
});

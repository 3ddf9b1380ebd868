import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../../../api/harness.ts';
import { makePlace, type Place, type Started } from '../../harness.ts';

const TOKEN = 'a-token-for-tests-0123456789';
const LOGIN = { GOOGLE_LOGIN_CLIENT_ID: 'id', GOOGLE_LOGIN_CLIENT_SECRET: 'secret-of-the-client' };
/** An address of this machine that others can reach, if it has one. */
const outer = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

let place: Place;
const running: Started[] = [];
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  for (const started of running.splice(0)) await started.stop('SIGKILL');
  place.remove();
});

async function start(settings: string, env: Readonly<Record<string, string>>): Promise<Started> {
  place.write({ 'settings.yaml': settings });
  const started = await place.start([], env);
  running.push(started);
  return started;
}

describe('an address that other machines reach', () => {
  const SETTINGS = 'server: { host: 0.0.0.0, publicUrl: http://desk.lan }\n';

  test('is refused without a sign-in that outlives the process, and the message says what to do', async () => {
    place.write({ 'settings.yaml': SETTINGS });
    const { code, stderr } = await place.run(['start', '--no-open', '--port', '0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('requires a sign-in with Google or CALLSHEET_TOKEN')]);
  });

  test('is refused without a public address: the settings are not valid', async () => {
    place.write({ 'settings.yaml': 'server: { host: 0.0.0.0 }\n' });
    const { code, stdout } = await place.run(['validate']);
    expect([code, stdout]).toEqual([2, expect.stringContaining('"publicUrl" must say by which address')]);
  });

  test.skipIf(outer === undefined)(
    'answers there to its public name only, and the command line reaches it (left out where this machine has no such address)',
    async () => {
      const started = await start(SETTINGS, { CALLSHEET_TOKEN: TOKEN });
      const port = Number(new URL(started.url).port);
      const ask = (host: string) =>
        fetch(`http://${outer}:${port}/api/health`, { signal: AbortSignal.timeout(30_000) }).then(
          (answer) => answer.status,
          () => host,
        );
      // fetch sends the address as Host, which is not the public name.
      expect(await ask('none')).toBe(403);
      const byName = { headers: { host: 'desk.lan', authorization: `Bearer ${TOKEN}` } };
      expect((await send(port, TOKEN, 'GET', '/api/runs', byName)).status).toBe(200);
      expect((await place.run(['runs', 'list', '--json'])).code).toBe(0);
    },
  );

  test('that is not of this machine is refused', async () => {
    place.write({ 'settings.yaml': 'server: { host: 192.0.2.1, publicUrl: http://desk.lan }\n' });
    const { code, stderr } = await place.run(['start', '--no-open', '--port', '0'], { CALLSHEET_TOKEN: TOKEN });
    expect([code, stderr]).toEqual([2, expect.stringContaining('192.0.2.1 is no address of this machine')]);
  });
});

describe('with the sign-in with Google', () => {
  test('start prints the public address, and no token for people', async () => {
    const started = await start('server: { publicUrl: https://desk.example.org }\n', LOGIN);
    await started.stop();
    const line = JSON.parse(started.stdout()) as object;
    expect(line).toEqual({ url: started.url, token: started.token, publicUrl: 'https://desk.example.org' });
  });

  test('half an OAuth client is refused', async () => {
    const { code, stderr } = await place.run(['start', '--no-open', '--port', '0'], {
      GOOGLE_LOGIN_CLIENT_ID: 'id',
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('GOOGLE_LOGIN_CLIENT_SECRET is not set')]);
  });
});

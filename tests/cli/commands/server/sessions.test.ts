import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePlace, type Place, type Started } from '../../harness.ts';

let place: Place;
const running: Started[] = [];
beforeEach(() => {
  place = makePlace();
});
afterEach(async () => {
  for (const started of running.splice(0)) await started.stop('SIGKILL');
  place.remove();
});

async function start(): Promise<Started> {
  const started = await place.start();
  running.push(started);
  return started;
}

/** Signs in as a browser does; the function says which status its requests get from a server. */
async function signIn({ url, token }: Started) {
  const answer = await fetch(`${url}/?token=${token}`, { redirect: 'manual' });
  const headers = {
    'cookie': (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    'x-callsheet-key': (answer.headers.get('location') ?? '').slice('/#key='.length),
  };
  return async (server: Started) => (await fetch(`${server.url}/api/runs`, { headers })).status;
}

const SAID = 'All browsers are signed out. To sign in again, open the URL that callsheet start printed.\n';

test('sessions end signs out the browsers of a running server', async () => {
  const started = await start();
  const statusAt = await signIn(started);
  expect(await statusAt(started)).toBe(200);
  expect(await place.run(['sessions', 'end'])).toEqual({ code: 0, stdout: '', stderr: SAID });
  expect(await statusAt(started)).toBe(401);
  expect(await (await signIn(started))(started)).toBe(200);
});

test('sessions end signs out the browsers of a server that is not running', async () => {
  const first = await start();
  const statusAt = await signIn(first);
  await running.pop()?.stop();
  const second = await start();
  expect(await statusAt(second)).toBe(200);
  await running.pop()?.stop();
  expect((await place.run(['sessions', 'end', '--json'])).stdout).toBe('{\n  "ended": true\n}\n');
  expect(await statusAt(await start())).toBe(401);
});

test('sessions end needs no data folder', async () => {
  expect((await place.run(['sessions', 'end'])).code).toBe(0);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { checkRecognizers } from '../../../engine/src/cli/doctor/privacy.ts';
import type { Snapshot } from '../../../engine/src/config/config.ts';

const snapshot = (url: string) =>
  ({
    settings: { privacy: { recognizer: { url, languages: ['en'] } } },
    directors: new Map([['desk', { id: 'desk', privacy: {} }]]),
    agents: new Map(),
  }) as unknown as Snapshot;

test('doctor says whether the recogniser service answers', async () => {
  const server = createServer((_, response) => response.end('[]'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/analyze`;
  expect(await checkRecognizers(snapshot(url))).toMatchObject([{ check: 'privacy', status: 'ok' }]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await checkRecognizers(snapshot(url))).toMatchObject([
    { check: 'privacy', status: 'fail', message: expect.stringContaining('cannot be reached') },
  ]);
});

test('doctor asks no service where no director has privacy', async () => {
  expect(await checkRecognizers({ ...snapshot('http://127.0.0.1:9/'), directors: new Map() })).toEqual([]);
});

test('doctor asks the service of an agent with privacy', async () => {
  const none = { ...snapshot('http://127.0.0.1:9/'), directors: new Map() };
  const agents = new Map([['helper', { id: 'helper', privacy: {} }]]) as unknown as Snapshot['agents'];
  expect(await checkRecognizers({ ...none, agents })).toMatchObject([{ check: 'privacy', status: 'fail' }]);
});

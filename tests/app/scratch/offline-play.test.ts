import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenPlay, openPlay } from '../../../engine/src/app/scratch/open-play.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { refuseDelivery } from '../../../engine/src/app/services/offline.ts';
import { emptyCassette } from '../../../engine/src/replay/cassette.ts';
import { NOT_DONE } from '../../../engine/src/replay/play/taped-tools.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { makePlace, type Place } from '../../cli/harness.ts';
import { sharedRecogniser, sharedThreads } from '../../run/shared-threads.ts';

/** Everything that a config can name, on this machine: it counts what reaches it. */
let peer: Server;
const reached: string[] = [];
let connections = 0;
let place: Place;
let play: OpenPlay;

function filesAt(origin: string, port: number): Record<string, string> {
  const http = (id: string, effects: string) =>
    `id: ${id}\nkind: http\ndescription: Asks.\neffects: ${effects}\nallowHosts: [127.0.0.1]\nparameters: { type: object, properties: {} }\nrequest: { method: GET, url: '${origin}/${id}' }\n`;
  return {
    'settings.yaml': `notify: { webhook: '${origin}/hook' }\ncalendar: { path: ./calendar }\n`,
    'apis/main.yaml': 'id: main\nprovider: scripted\nscript: [{ when: { any: true }, say: done }]\n',
    'directors/boss.yaml': 'id: boss\nname: Boss\napiConfigId: main\ntools: [mail, look, change, probe, srv]\n',
    'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
    'accounts/far.yaml': `id: far\nprovider: imap\nemail: far@example.org\nimap: { host: 127.0.0.1, port: ${port}, secure: false }\nsmtp: { host: 127.0.0.1, port: ${port}, secure: false }\nauth: { user: far, pass: '\${env:KEY}' }\n`,
    'tools/look.yaml': http('look', 'read'),
    'tools/change.yaml': http('change', 'write'),
    'tools/probe.yaml':
      'id: probe\nkind: command\ndescription: Runs.\neffects: read\nsandbox: false\nparameters: { type: object, properties: {} }\nargv: [touch, touched]\n',
    'tools/srv.yaml': `id: srv\nkind: mcp\nurl: '${origin}/mcp'\nallow: [ask]\nallowHosts: [127.0.0.1]\n`,
  };
}

beforeAll(async () => {
  peer = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.setHeader('content-type', 'application/json').end('{"seen":true}');
  });
  peer.on('connection', () => connections++);
  await new Promise<void>((done) => peer.listen(0, '127.0.0.1', () => done()));
  const { port } = peer.address() as AddressInfo;
  place = makePlace(filesAt(`http://127.0.0.1:${port}`, port));
  play = await openPlay(
    {
      configDir: join(place.dir, 'config'),
      env: () => 'value',
      log: silentLogger,
      threads: sharedThreads,
      recogniser: sharedRecogniser,
    },
    { cassette: emptyCassette('2026-01-05T09:00:00.000Z') },
    { hasLiveReads: true },
  );
}, 60_000);

afterAll(async () => {
  await play.close();
  place.remove();
  await new Promise((done) => peer.close(done));
});

const toolNamed = (name: string): WorldTool => {
  const tool = play.app.deps.tools.of(play.app.config.current()).get(name);
  if (tool === undefined || !('repeat' in tool)) throw new Error(`${name} is no tool that runs after the commit`);
  return tool;
};
const call = (name: string, args: Record<string, unknown> = {}) => {
  const origin = { director: { id: 'boss', name: 'Boss' } };
  const caller = { runId: 'run_1', workspaceId: 'ws_1', threadId: 'th_1', origin };
  const done = toolNamed(name).run(args, { caller, key: name });
  // Time stands still in a play until somebody lets it go on; the answer to a write arrives at once.
  if (play.clock.arriving > 0) play.clock.nextArrival();
  return done;
};

test('with live reads only a read by a declared HTTP tool runs for real', async () => {
  expect(play.app.config.problems().filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(await call('look')).toMatchObject({ body: { seen: true } });
  expect(reached).toEqual(['/look']);
  expect(await call('change')).toEqual(NOT_DONE);
  for (const name of ['probe', 'mail_search', 'calendar_read'])
    await expect(call(name)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(reached).toEqual(['/look']);
  expect(existsSync(join(place.dir, 'touched'))).toBe(false);
});

test('a play writes nothing to the disk', async () => {
  await play.app.deps.store.apply([{ op: 'put', table: 'meta', row: { name: 'note', body: '"secret"' } }]);
  expect(await play.app.deps.store.get('meta', { name: 'note' })).toMatchObject({ body: '"secret"' });
  expect(readdirSync(play.app.dataDir)).toEqual([]);
});

test('whoever asks, a play opens no mailbox, no agenda and no server, and sends no notification', async () => {
  const before = connections;
  const { app } = play;
  for (const account of app.config.current().accounts.values()) {
    await expect(app.mailService.open(account)).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
    expect(() => app.openSource(account)).toThrow('is fetched in a replay');
  }
  await expect(app.agenda.calendar({ directorId: 'boss' })).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
  await expect(app.agenda.todos({ directorId: 'boss' })).rejects.toMatchObject({ code: 'ACCOUNT_FAILED' });
  expect(await app.mcpServers.pin(['srv'])).toEqual({});
  const note = { id: 'ntf_1', kind: 'message', title: 'Hi', text: '', at: '', read: false } as never;
  await expect(refuseDelivery('webhook', note, { signal: AbortSignal.timeout(1) })).rejects.toMatchObject({
    code: 'NOTIFY_FAILED',
  });
  expect(connections - before).toBe(0);
});

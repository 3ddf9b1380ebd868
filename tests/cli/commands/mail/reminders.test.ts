import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

const SCRIPT = `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: reminder_create, arguments: { text: Call Anna, at: '2031-11-25T14:00+01:00', startRun: true } }
  - when: { any: true }
    say: done
`;
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [reminder]\npermissions: { allow: [reminder_create] }\n';

let place: Place;
beforeAll(() => {
  place = makePlace({ ...FILES, 'apis/main.yaml': SCRIPT, 'directors/boss.yaml': BOSS });
});
afterAll(() => place.remove());

test('reminders are listed and cancelled', async () => {
  mkdirSync(place.dataDir);
  expect(await place.run(['reminders', 'list'])).toMatchObject({ code: 0, stdout: '', stderr: 'no reminders\n' });
  await place.run(['run', 'boss', '--message', 'hi']);
  const { stdout } = await place.run(['reminders', 'list']);
  const row = /^ID +DUE +RUN OF +TEXT\n([0-9a-f]{8}) +2031-11-25 13:00Z +boss +Call Anna\n$/.exec(stdout);
  expect(row, stdout).not.toBeNull();
  expect(await place.run(['reminders', 'cancel', row?.[1] ?? ''])).toMatchObject({
    code: 0,
    stderr: 'cancelled: Call Anna\n',
  });
  expect((await place.run(['reminders', 'list'])).stderr).toBe('no reminders\n');
  const cancelled = await place.run(['reminders', 'list', '--cancelled', '--json']);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ items: [{ text: 'Call Anna', status: 'cancelled' }] });
});

test('no text of a reminder or a notification is on disk where there is a key', async () => {
  const sealed = makePlace({
    ...FILES,
    'apis/main.yaml': `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: reminder_create, arguments: { text: Zanzibar reminder, in: P9D } }
  - when: { turn: 2 }
    call: { tool: notify, arguments: { title: Zanzibar notification } }
  - when: { any: true }
    say: done
`,
    'directors/boss.yaml':
      'id: boss\nname: Boss\napiConfigId: main\ntools: [reminder, notification]\npermissions: { allow: ["*"] }\n',
  });
  try {
    const env = { VX_MAILAGENT_KEY: makeKey() };
    await sealed.run(['run', 'boss', '--message', 'hi'], env);
    expect((await sealed.run(['reminders', 'list'], env)).stdout).toContain('Zanzibar reminder');
    const files = readdirSync(sealed.dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(0);
    const leaks = files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes('Zanzibar'));
    expect(leaks.map(({ name }) => name)).toEqual([]);
  } finally {
    sealed.remove();
  }
});

test('a reminder of a killed process is due once, after each further kill too', async () => {
  const quick = makePlace({
    ...FILES,
    'apis/main.yaml': SCRIPT.replace(/at: '[^']*', startRun: true/, 'in: PT1S'),
    'directors/boss.yaml': BOSS,
  });
  const list = async (server: Awaited<ReturnType<Place['start']>>, path: string) => {
    const { items } = (await (await server.ask('GET', path)).json()) as { items: { kind?: string }[] };
    return items;
  };
  try {
    await quick.run(['run', 'boss', '--message', 'hi']);
    for (let life = 0; life < 3; life++) {
      const server = await quick.start();
      const told = () => list(server, '/api/notifications');
      await expect.poll(async () => (await told()).length).toBe(1);
      expect((await list(server, '/api/reminders?status=fired')).length).toBe(1);
      await server.stop('SIGKILL');
    }
  } finally {
    quick.remove();
  }
});

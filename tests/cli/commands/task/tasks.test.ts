import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

const BOSS =
  "id: boss\nname: Boss\napiConfigId: main\nschedule: { cron: '0 8 1 1 *', timeZone: UTC, message: Happy new year }\n";

let place: Place;
beforeAll(() => void (place = makePlace({ ...FILES, 'directors/boss.yaml': BOSS })));
afterAll(() => place.remove());

test('tasks are added, listed with the schedules, shown, cancelled and tried again', async () => {
  const added = await place.run([
    ...['tasks', 'add', 'Tidy up', '--to', 'boss', '--instructions', 'All of it.', '--file', 'a.md', '--file', 'b.md'],
    ...['--due', '2031-11-25T14:00+01:00', '--priority', 'high'],
  ]);
  expect(added).toMatchObject({ code: 0, stdout: '' });
  expect(added.stderr).toMatch(
    /^task task_\w+ for director boss: starts at 2031-11-25 13:00Z, with the next callsheet start\n$/,
  );
  const { stdout } = await place.run(['tasks', 'list']);
  const list =
    /^ID +STATUS +PRIORITY +DUE +ASSIGNED TO +TITLE\n(\w{8}) +pending +high +2031-11-25 13:00Z +boss +Tidy up\n\nNEXT +DIRECTOR +SCHEDULE +MESSAGE\n20\d\d-01-01 08:00Z +boss +0 8 1 1 \* \(UTC\) +Happy new year\n$/;
  const id = list.exec(stdout)?.[1] ?? '';
  expect(id, stdout).not.toBe('');
  expect((await place.run(['tasks', 'show', id])).stdout).toMatch(
    /^task: +task_\w+\ntitle: +Tidy up\nassigned to: director boss\nstatus: +pending\npriority: +high\ndue: +2031-11-25 13:00Z\nfiles: +a\.md, b\.md\n\nAll of it\.\n$/,
  );
  expect(await place.run(['tasks', 'cancel', id])).toMatchObject({ code: 0, stderr: 'cancelled: Tidy up\n' });
  expect(await place.run(['tasks', 'cancel', id])).toMatchObject({ code: 2 });
  expect((await place.run(['tasks', 'list', '--status', 'pending', '--to', 'helper'])).stderr).toBe('no tasks\n');
  expect((await place.run(['tasks', 'retry', id])).stderr).toBe('again: Tidy up, with the next callsheet start\n');
  const listed = JSON.parse((await place.run(['tasks', 'list', '--json'])).stdout);
  expect(listed).toMatchObject({ items: [{ status: 'pending' }], schedules: [{ directorId: 'boss' }] });
});

test('no text of a task or a schedule is on disk where there is a key', async () => {
  const sealed = makePlace({ ...FILES, 'directors/boss.yaml': BOSS });
  try {
    const env = { VX_MAILAGENT_KEY: makeKey() };
    await sealed.run(['tasks', 'add', 'Zanzibar trip', '--to', 'boss', '--file', 'Zanzibar.md'], env);
    expect((await sealed.run(['tasks', 'list'], env)).stdout).toContain('Zanzibar trip');
    const files = readdirSync(sealed.dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes('Zanzibar'))).toEqual([]);
  } finally {
    sealed.remove();
  }
});

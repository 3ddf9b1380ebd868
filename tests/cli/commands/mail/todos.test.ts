import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqlite } from '../../../../engine/src/store/sqlite/sqlite-store.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

const SCRIPT = `id: main
provider: scripted
script:
  - when: { turn: 1 }
    call: { tool: todo_add, arguments: { task: { title: Send the proofs, due: '2026-11-25' } } }
  - when: { any: true }
    say: done
`;
const BOSS = 'id: boss\nname: Boss\napiConfigId: main\ntools: [todo]\npermissions: { allow: [todo_add] }\n';

let place: Place;
beforeAll(() => {
  place = makePlace({ ...FILES, 'apis/main.yaml': SCRIPT, 'directors/boss.yaml': BOSS });
});
afterAll(() => place.remove());

test('to-dos are listed, ticked off, opened again and deleted', async () => {
  mkdirSync(place.dataDir);
  expect(await place.run(['todos', 'list'])).toMatchObject({ code: 0, stdout: '', stderr: 'no to-dos\n' });
  await place.run(['run', 'boss', '--message', 'hi']);
  const table = await place.run(['todos', 'list']);
  const [, id = ''] =
    /^ID +STATUS +DUE +TITLE\n([0-9a-f]{8}) +open +2026-11-25 +Send the proofs\n$/.exec(table.stdout) ?? [];
  expect(await place.run(['todos', 'done', id])).toMatchObject({ code: 0, stderr: 'done: Send the proofs\n' });
  const done = await place.run(['todos', 'list', '--done', '--json']);
  expect(JSON.parse(done.stdout)).toMatchObject({
    items: [{ id: expect.stringMatching(`^todo_${id}`), status: 'done' }],
  });
  expect((await place.run(['todos', 'open', id, '--json'])).stdout).toContain('"status": "open"');
  expect(await place.run(['todos', 'delete', id])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`deleted todo_${id}`),
  });
  expect((await place.run(['todos', 'list', '--all'])).stdout).toBe('');
});

test('a list that is longer than is shown says so', async () => {
  const store = openSqlite({ dir: place.dataDir });
  const rows = Array.from({ length: 201 }, (_, i) => ({
    id: `todo_${i}`,
    status: 'open',
    at: i,
    body: '{"title":"x"}',
  }));
  await store.apply(rows.map((row) => ({ op: 'insert', table: 'todo', row })));
  await store.close();
  const { code, stdout, stderr } = await place.run(['todos', 'list']);
  expect([code, stdout.split('\n').length]).toEqual([0, 202]);
  expect(stderr).toBe('only the newest 200 are listed; the viewer shows all\n');
});

test('a to-do that there is not is wrong usage', async () => {
  for (const [id, message] of [
    ['nope', 'no to-do has an id that begins with "nope"'],
    [`todo_${'0'.repeat(26)}`, `there is no to-do "todo_${'0'.repeat(26)}" in the local list`],
    ['', 'the id of the to-do is empty'],
  ] as const) {
    const { code, stderr } = await place.run(['todos', 'done', id]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});

test('a to-do that cannot be read is left out and named', async () => {
  const store = openSqlite({ dir: place.dataDir });
  const row = { id: 'todo_00000000000000000000broken', status: 'open', at: Date.now(), body: '{"cut' };
  await store.apply([{ op: 'insert', table: 'todo', row }]);
  await store.close();
  const { code, stderr, stdout } = await place.run(['todos', 'list']);
  expect([code, stdout.includes('todo_00000000000000000000broken')]).toEqual([0, false]);
  expect(stderr).toContain('left out, it cannot be read: todo todo_00000000000000000000broken');
  expect((await place.run(['todos', 'delete', 'todo_00000000000000000000broken'])).code).toBe(0);
});

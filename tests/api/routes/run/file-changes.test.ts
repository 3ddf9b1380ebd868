import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { call } from '../../../run/harness.ts';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
afterEach(() => desk.close());

test('changes of files are listed page by page, shown with their diff, and undone', async () => {
  desk = await openDesk({
    play: ({ turn }) =>
      turn <= 3
        ? { tool_calls: [call(`c${turn}`, 'notebook_write_file', { path: '/a.md', content: `round ${turn}\n` })] }
        : { content: 'done' },
    files: {
      'settings.yaml': 'roots: { lab: ./lab }\n',
      'directors/boss.yaml':
        'id: boss\nname: Boss\napiConfigId: main\ntools: [notebook]\npermissions: { allow: ["notebook_*"] }\nscope: { notebooks: [lab], operations: [read, write] }\n',
    },
  });
  const file = join(desk.stage.root, 'lab', 'a.md');
  mkdirSync(join(desk.stage.root, 'lab'));
  writeFileSync(file, 'at first\n');
  const run = await desk.stage.begin();
  await desk.stage.ended(run);

  const first = await desk.get(`/api/files/changes?limit=2&run=${run}`);
  expect(first.json.items).toMatchObject([
    { runId: run, notebook: 'lab', path: '/a.md', operation: 'write', author: { by: 'director', directorId: 'boss' } },
    { state: 'written', before: { size: 8 }, after: { size: 8 } },
  ]);
  const rest = await desk.get(`/api/files/changes?limit=2&cursor=${first.json.nextCursor}`);
  expect([rest.json.items.length, rest.json.nextCursor]).toEqual([1, null]);
  expect((await desk.get('/api/files/changes?run=run_none')).json.items).toEqual([]);

  const [newest, older] = first.json.items.map(({ id }) => id);
  expect((await desk.get(`/api/files/changes/${newest}`)).json).toMatchObject({
    id: newest,
    diff: '--- /a.md\n+++ /a.md\n@@ -1,1 +1,1 @@\n-round 2\n+round 3\n',
  });
  expect((await desk.get(`/api/files/changes/${older}`)).json).not.toHaveProperty('diff');
  const refused = await desk.post(`/api/files/changes/${older}/undo`);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'FILE_CHANGED']);

  const undone = await desk.post(`/api/files/changes/${newest}/undo`);
  expect(undone.json).toMatchObject({ undoes: newest, author: { by: 'user' } });
  expect(readFileSync(file, 'utf8')).toBe('round 2\n');
  expect((await desk.get(`/api/files/changes/${newest}`)).json).toMatchObject({ undoneBy: undone.json.id });
  await desk.post(`/api/files/changes/${undone.json.id}/undo`);
  expect(readFileSync(file, 'utf8')).toBe('round 3\n');
  expect((await desk.post('/api/files/changes/none/undo')).status).toBe(404);
});

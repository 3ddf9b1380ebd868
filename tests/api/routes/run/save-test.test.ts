import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, letter, openDesk } from '../../harness.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

test('a run becomes a test file and a case, once', async () => {
  desk.drop('a.eml', letter('a'));
  await desk.fetch();
  const [run] = (await desk.get('/api/runs')).json.items;
  const id = run?.id ?? '';
  const { status, json } = await desk.post(`/api/runs/${id}/test`);
  const file = join(desk.stage.root, `config/tests/${id}.yaml`);
  const folder = join(desk.stage.root, `cases/${id}`);
  expect([status, json]).toEqual([201, { name: id, file, folder }]);
  expect(readFileSync(file, 'utf8')).toContain(`case: cases/${id}`);
  expect(['mail.eml', 'cassette.json', 'expected.yaml'].map((name) => existsSync(join(folder, name)))).toEqual([
    ...[true, true, true],
  ]);
  const again = await desk.post(`/api/runs/${id}/test`);
  expect([again.status, again.json.error.message]).toEqual([
    400,
    expect.stringContaining('there is a test of this run already'),
  ]);
});

test('an unknown run writes nothing', async () => {
  expect((await desk.post('/api/runs/run_none/test')).json.error.code).toBe('NOT_FOUND');
  expect(existsSync(join(desk.stage.root, 'config/tests/run_none.yaml'))).toBe(false);
});

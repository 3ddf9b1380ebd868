import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../harness.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const list = async () => (await desk.get('/api/learn/proposals')).json.items;
const store = (name: string, text: string) => {
  const folder = join(desk.services.dataDir, 'learn');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
};

test('without a proposal the list is empty', async () => {
  expect(await list()).toEqual([]);
});

test('proposals are listed with their patches, the newest first, and other files are not', async () => {
  store('run_1.patch', '--- a/x\n+++ b/x\n');
  store('run_2.patch', 'x'.repeat(500_001));
  store('notes.txt', 'mine');
  expect(await list()).toEqual([
    { id: 'run_2', at: expect.any(String) },
    { id: 'run_1', at: expect.any(String), patch: '--- a/x\n+++ b/x\n' },
  ]);
});

test('a rejected proposal is gone, and no other file can be deleted', async () => {
  store('run_1.patch', 'x');
  expect((await desk.ask('DELETE', '/api/learn/proposals/run_1')).status).toBe(204);
  expect(await list()).toEqual([]);
  store('../other.patch', 'x');
  for (const id of ['run_1', '..%2Fother']) {
    const { status, json } = await desk.ask('DELETE', `/api/learn/proposals/${id}`);
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
  }
});

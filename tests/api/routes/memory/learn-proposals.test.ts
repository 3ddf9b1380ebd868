import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readLearnFiles } from '../../../../engine/src/run/learn/learn-files.ts';
import { writePatch } from '../../../../engine/src/run/learn/patch.ts';
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

/** Stores a proposal that changes the prompt of the director, as the command does. */
async function propose(id: string, before: string, after: string): Promise<void> {
  const { files } = await readLearnFiles(desk.stage.app.config.dir);
  const target = files.get('config/directors/boss.yaml');
  if (target === undefined) throw new Error('there is no boss');
  expect(target.text).toContain(before);
  store(`${id}.patch`, writePatch(id, [{ target, after: target.text.replace(before, after) }]));
}
const director = () => readFileSync(join(desk.stage.app.config.dir, 'directors/boss.yaml'), 'utf8');
const accept = async (id: string, at: unknown) => {
  const { status, json } = await desk.post(`/api/learn/proposals/${id}/accept`, { at });
  return [status, json.error?.code];
};

test('an accepted proposal changes its files, takes effect and is gone', async () => {
  await propose('run_1', 'name: Boss', 'name: Boss\ndescription: Answers warmly.');
  const [proposal] = await list();
  expect(await accept('run_1', proposal?.['at'])).toEqual([200, undefined]);
  expect(director()).toContain('description: Answers warmly.');
  expect(desk.services.config.current().directors.get('boss')).toMatchObject({ description: 'Answers warmly.' });
  expect(await list()).toEqual([]);
});

test('a proposal that changed since it was shown is not accepted', async () => {
  await propose('run_1', 'name: Boss', 'name: Boss\ndescription: Answers warmly.');
  expect(await accept('run_1', '2026-01-01T00:00:00.000Z')).toEqual([409, 'CONFLICT']);
  expect(await accept('run_2', '2026-01-01T00:00:00.000Z')).toEqual([404, 'NOT_FOUND']);
  expect(director()).not.toContain('warmly');
});

test('a proposal that changes more than texts, or files that have changed since, writes nothing and stays', async () => {
  await propose('run_1', 'name: Boss', 'name: Chief');
  const before = director();
  const [proposal] = await list();
  expect(await accept('run_1', proposal?.['at'])).toEqual([422, 'CONFIG_INVALID']);
  expect(director()).toBe(before);
  await propose('run_1', 'name: Boss', 'name: Boss\ndescription: Answers warmly.');
  writeFileSync(join(desk.stage.app.config.dir, 'directors/boss.yaml'), `${before}# mine\n`);
  expect((await accept('run_1', (await list())[0]?.['at']))[1]).toBe('FILE_CHANGED');
  expect(director()).toBe(`${before}# mine\n`);
  expect(await list()).toHaveLength(1);
});

test('an accepted proposal waits for an edit that is under way, and is refused where it changed the file', async () => {
  await propose('run_1', 'name: Boss', 'name: Boss\ndescription: Answers warmly.');
  const { config } = desk.stage.app;
  const before = director();
  const [proposal] = await list();
  const editFiles = vi.spyOn(config, 'editFiles');
  let accepted: ReturnType<typeof accept> | undefined;
  await config.editFiles(async () => {
    accepted = accept('run_1', proposal?.['at']);
    await expect.poll(() => editFiles.mock.calls.length).toBe(2);
    writeFileSync(join(config.dir, 'directors/boss.yaml'), `${before}# mine\n`);
  });
  expect((await accepted)?.[1]).toBe('FILE_CHANGED');
  expect(director()).toBe(`${before}# mine\n`);
});

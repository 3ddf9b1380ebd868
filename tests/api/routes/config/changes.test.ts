import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangedSides, ComparisonView } from '../../../../engine/src/replay/changes.ts';
import { recordOf } from '../../../../engine/src/run/run.ts';
import { itemOf } from '../../../../engine/src/workspace/items.ts';
import { call } from '../../../run/harness.ts';
import { type Desk, letter, openDesk } from '../../harness.ts';

const BOSS = `id: boss
name: Boss
apiConfigId: main
tools: [workspace]
permissions: { allow: [workspace_*] }
`;
const NOTE = { label: 'Note', mimeType: 'text/plain', data: 'Dear Ada, noted.' };

let desk: Desk;
let asked = 0;
beforeAll(async () => {
  desk = await openDesk({
    files: { 'directors/boss.yaml': BOSS, 'directors/other.yaml': BOSS.replace('id: boss', 'id: other') },
    play: ({ turn }) => {
      asked++;
      if (turn === 1) return { tool_calls: [call('c1', 'workspace_add_item', NOTE)] };
      return { content: 'done' };
    },
  });
  desk.drop('a.eml', letter('a'));
  await desk.fetch();
});
afterAll(() => desk.close());

const view = async () => (await desk.get('/api/changes')).json as unknown as ComparisonView;
const edit = (kind: string, id: string, value: object) => ({ kind, id, value });
const director = (more: object) =>
  edit('director', 'boss', { name: 'Boss', apiConfigId: 'main', tools: ['workspace'], ...more });

/** Starts a comparison, and returns it once it is over. */
async function compare(body: object): Promise<ComparisonView> {
  const started = await desk.post('/api/changes', body);
  expect([started.status, started.json.error]).toEqual([201, undefined]);
  await expect.poll(async () => (await view()).job?.status, { timeout: 60_000 }).not.toBe('running');
  return view();
}

describe('/api/changes', () => {
  test('has no comparison at first', async () => {
    expect(await view()).toEqual({ job: null });
    expect((await desk.get('/api/changes/entries/run_1')).json.error.code).toBe('NOT_FOUND');
  });

  test.each([
    ['neither a ref nor edits', {}, 'BAD_REQUEST'],
    ['a ref and edits', { ref: 'main', edits: [director({})] }, 'BAD_REQUEST'],
    ['no edit', { edits: [] }, 'BAD_REQUEST'],
    ['an edit of an unknown kind', { edits: [edit('secret', 'a', {})] }, 'BAD_REQUEST'],
    ['an edit that could not be saved', { edits: [director({ apiConfigId: 'none' })] }, 'CONFIG_INVALID'],
    ['an edit of a document that is not there', { edits: [edit('director', 'none', {})] }, 'NOT_FOUND'],
    ['a new document whose id is there already', { edits: [{ ...director({}), isNew: true }] }, 'CONFLICT'],
    [
      'a new document that is not valid',
      { edits: [{ ...edit('director', 'none', {}), isNew: true }] },
      'CONFIG_INVALID',
    ],
    ['two edits of one document', { edits: [director({}), director({ name: 'Chief' })] }, 'BAD_REQUEST'],
    ['more runs than it may compare', { edits: [director({})], limit: 201 }, 'BAD_REQUEST'],
    ['a config folder without a repository', { ref: 'main' }, 'USAGE'],
  ])('refuses %s', async (_name, body, code) => {
    expect((await desk.post('/api/changes', body)).json.error.code).toBe(code);
    expect(await view()).toEqual({ job: null });
  });

  test('compares unsaved edits: asks no model, writes nothing, and has both sides of what changed', async () => {
    const before = asked;
    const text = readFileSync(join(desk.stage.root, 'config/directors/boss.yaml'), 'utf8');
    const { job, report } = await compare({
      edits: [
        director({ permissions: { allow: ['workspace_*', 'memory_*'] }, tools: ['workspace', 'memory'] }),
        edit('filter', 'all', { field: 'Subject', regex: '^a', directorId: ['other'] }),
      ],
    });
    expect(job).toMatchObject({ status: 'done', against: '2 unsaved edits', limit: 50 });
    expect(report?.tiers).toMatchObject([
      { tier: 'routing', total: 1, changed: 1 },
      { tier: 'recorded', total: 1 },
    ]);
    expect(report?.warnings).toContain('memory_add of director boss runs without asking now; it was not offered');
    const mail = report?.changed.find(({ directorId }) => directorId === undefined);
    const { json } = await desk.get(`/api/changes/entries/${mail?.name}`);
    expect(json).toMatchObject({ differences: [{ kind: 'routing', before: ['boss'], after: ['other'] }] });
    expect(readFileSync(join(desk.stage.root, 'config/directors/boss.yaml'), 'utf8')).toBe(text);
    expect(asked).toBe(before);
  });

  test('compares a new document together with edits that are valid only with it', async () => {
    const files = () => readdirSync(join(desk.stage.root, 'config'), { recursive: true }).length;
    const before = files();
    const { job, report } = await compare({
      edits: [
        edit('filter', 'all', { field: 'Subject', regex: '^a', directorId: ['fresh'] }),
        { ...edit('director', 'fresh', { name: 'Fresh', apiConfigId: 'main', agents: ['aid'] }), isNew: true },
        { ...edit('agent', 'aid', { name: 'Aid', description: 'Helps.' }), isNew: true },
      ],
    });
    expect([job?.status, job?.against, report?.problems]).toEqual(['done', '3 unsaved edits', []]);
    const mail = report?.changed.find(({ directorId }) => directorId === undefined);
    expect(mail?.differences).toMatchObject([{ kind: 'routing', text: 'went to boss, now to fresh' }]);
    expect(files()).toBe(before);
  });

  test('compares what the run made, not what a person has made of it since', async () => {
    const [item] = (await desk.stage.app.deps.store.list('item')).map(itemOf);
    const [row] = await desk.stage.app.deps.store.list('run');
    const place = `/api/workspaces/${row && recordOf(row).run.workspaceId}/items/${item?.id}`;
    const { status } = await desk.ask('PUT', place, { body: { data: 'Dear Ms Ray, noted.', expectedRevision: 1 } });
    expect(status).toBe(200);
    const edits = [director({ permissions: { allow: ['workspace_*'] } })];
    expect((await compare({ edits })).report?.changed).toEqual([]);
    expect((await desk.ask('DELETE', place)).status).toBe(204);
    expect((await compare({ edits })).report?.changed).toEqual([]);
  });

  test('shows the calls, results and approvals of a run before and after', async () => {
    const { report } = await compare({ edits: [director({ permissions: { ask: ['workspace_add_item'] } })] });
    const run = report?.changed.find(({ directorId }) => directorId === 'boss');
    expect(run?.differences).toContainEqual({ kind: 'permissions', text: 'workspace_add_item now asks a person' });
    const sides = (await desk.get(`/api/changes/entries/${run?.name}`)).json as unknown as ChangedSides;
    const calls = (side: ChangedSides['before']) => side?.calls.map(({ tool, asked: isAsked }) => [tool, isAsked]);
    expect(calls(sides.before)).toEqual([['workspace_add_item', false]]);
    expect(calls(sides.after)).toEqual([['workspace_add_item', true]]);
    expect(sides.before?.items).toMatchObject([{ label: 'Note', data: 'Dear Ada, noted.' }]);
  });

  test('compares a branch, one comparison at a time, and can be cancelled', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        ...{ cwd: desk.stage.root, stdio: 'ignore' },
      });
    git('init', '-q', '-b', 'main');
    git('add', 'config');
    git('commit', '-qm', 'a config');
    expect((await desk.get('/api/changes/refs')).json).toEqual({ refs: ['main'] });
    expect((await desk.post('/api/changes', { ref: 'main' })).status).toBe(201);
    const second = await desk.post('/api/changes', { ref: 'main' });
    expect([second.status, second.json.error.code]).toEqual([503, 'BUSY']);
    expect((await desk.post('/api/changes/cancel', {})).status).toBe(204);
    await expect.poll(async () => (await view()).job?.status, { timeout: 60_000 }).toBe('cancelled');
    const { job, report } = await compare({ ref: 'main', limit: 1 });
    expect([job?.status, report?.summary]).toEqual(['done', ['Nothing changed: 1 mails, 1 recorded runs.']]);
  });
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLocalStore } from '../../../engine/src/app/local-store.ts';
import { openRowReader } from '../../../engine/src/app/read/row-reader.ts';
import { ROW_ROUTES } from '../../../engine/src/api/routes/row-routes.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { changeRow } from '../../../engine/src/file/notebook/change-rows.ts';
import type { Change } from '../../../engine/src/store/store.ts';
import { TABLE_NAMES } from '../../../engine/src/store/tables.ts';
import { type Desk, openDesk } from '../../api/harness.ts';
import { call, type Play } from '../../run/harness.ts';
import { waitingMode } from '../../run/objective/waiting-machine.ts';

/** A director that adds a reminder, a to-do and an item, and asks before it acts on the world. */
const FILES = {
  'directors/boss.yaml':
    'id: boss\nname: Boss\napiConfigId: main\ntools: [reminder_create, todo_add, notify, workspace_add_item]\npermissions: { allow: [reminder_create, todo_add, workspace_add_item], ask: [notify] }\n',
};
const play: Play = ({ turn, messages }) =>
  turn === 1 && messages.some(({ content }) => content?.includes('act') === true)
    ? {
        tool_calls: [
          call('a', 'reminder_create', { at: '2036-01-01T10:00', text: 'Call Ann' }),
          call('b', 'todo_add', { task: { title: 'Water the plants' } }),
          call('w', 'workspace_add_item', { label: 'Reply', mimeType: 'text/plain', encoding: 'utf8', data: 'Yes.' }),
          call('c', 'notify', { title: 'Done', text: 'All of it' }),
        ],
      }
    : { content: 'done' };

/** Routes whose answers were compared with those of a server. */
const compared = new Set<string>();

describe('the rows of a data folder without a server', () => {
  let root: string;
  beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'callsheet-read-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const contextOf = (env: Readonly<Record<string, string>> = {}) => ({
    ...{ configDir: join(root, 'no-config'), dataDir: join(root, 'data') },
    ...{ env: (name: string) => env[name], log: silentLogger, redactor: createRedactor() },
  });
  const makeStore = async (env?: Readonly<Record<string, string>>) => (await openLocalStore(contextOf(env))).close();
  const read = async (path: string, env?: Readonly<Record<string, string>>) => {
    const reader = await openRowReader(contextOf(env));
    return reader.get(path).finally(() => reader.close());
  };

  test('give the answers of the server, with the names of people and damaged rows', async () => {
    const desk = await openDesk({ files: FILES, play });
    for (const message of ['one', 'act', 'three']) await desk.post('/api/runs', { directorId: 'boss', message });
    await desk.rest();
    const { store } = desk.stage.app.deps;
    const [damaged] = await store.list('run', { limit: 1, bodies: false });
    await store.apply([{ op: 'update', table: 'run', key: { id: damaged?.id ?? '' }, set: { body: '{broken' } }]);
    const paths = [
      ...['limit=2', 'status=completed&directorId=boss', 'q=one', 'directorId=nobody', 'idPrefix=run'].map(
        (query) => `/api/runs?${query}`,
      ),
      ...['/api/runs', '/api/approvals?status=pending', '/api/approvals?limit=200', '/api/audit?limit=2'],
      ...['/api/audit?directorId=nobody', '/api/todos?status=open', '/api/todos?status=done', '/api/reminders'],
      '/api/reminders?status=fired&idPrefix=rem',
    ];
    for (const { id } of await store.list('run', { order: [['id', 'asc']], bodies: false }))
      paths.push(`/api/runs/${id}`, `/api/workspaces/${id}/items?runId=${id}`, `/api/diagnostics/unified?runId=${id}`);
    paths.push('/api/diagnostics/unified?limit=2', '/api/runs/run_0', '/api/workspaces/run_0/items');
    const counts = await answersAreEqual(desk, paths);
    expect(counts.slice(-21, -12)).toEqual([3, 1, 1, 2, 0, 1, 0, 1, 0]);
    // The damaged run, the one that waits, the third, and what there is not.
    expect(counts.slice(-12)).toEqual([
      'STORE_DAMAGED',
      'NOT_FOUND',
      0,
      'one',
      1,
      1,
      'one',
      0,
      1,
      2,
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
  });

  test('give its answer about objectives', async () => {
    const desk = await openDesk({ app: { modes: [waitingMode] } });
    const { json } = await desk.post('/api/runs', { directorId: 'boss', message: 'Watch it' });
    await desk.stage.until(json.id, ({ status }) => status === 'waiting');
    const paths = ['/api/objectives', '/api/objectives?directorId=nobody', `/api/objectives?idPrefix=${json.id}`];
    expect(await answersAreEqual(desk, paths)).toEqual([1, 0, 1]);
  });

  test('give its answers about tasks, and about a chat in which somebody speaks', async () => {
    const desk = await openDesk({ play });
    const task = { title: 'Read it', assignedTo: 'boss' };
    const { id: done } = (await desk.post('/api/tasks', task)).json;
    await desk.post('/api/tasks', { ...task, dueAt: '2036-01-01T10:00:00Z' });
    // As the loop that starts tasks does.
    const { id: run } = (await desk.post('/api/runs', { directorId: 'boss', message: 'one' })).json;
    await desk.rest();
    const set = { status: 'running', run };
    await desk.stage.app.deps.store.apply([{ op: 'update', table: 'task', key: { id: done }, set }]);
    const participants = [{ displayName: 'Helper', apiConfigId: 'main' }];
    const { id: chat } = (await desk.post('/api/chats', { title: 'Plan', participants })).json;
    await desk.post('/api/chats', { title: 'Another' });
    await desk.post(`/api/chats/${chat}/messages`, { text: 'What do you say, @helper?' });
    expect((await desk.get(`/api/chats/${chat}`)).text).toContain('"round":{');
    const paths = [
      ...['/api/tasks', '/api/tasks?status=pending', '/api/tasks?assignedTo=nobody', '/api/tasks?idPrefix=task'],
      ...[`/api/tasks/${done}`, '/api/tasks/task_0', '/api/chats', '/api/chats?archived=true', '/api/chats?limit=1'],
      ...[`/api/chats/${chat}`, '/api/chats/c_0', `/api/chats/${chat}/messages`, '/api/chats/c_0/messages'],
    ];
    const counts = await answersAreEqual(desk, paths);
    expect(counts.slice(0, 6)).toEqual([2, 1, 0, 2, 'one', 'NOT_FOUND']);
    expect(counts.slice(6)).toEqual([2, 0, 1, 'one', 'NOT_FOUND', 1, 'NOT_FOUND']);
  });

  test('give its answers about changes of files', async () => {
    const desk = await openDesk();
    const change = (id: string, runId: string): Change => {
      const facts = { notebook: 'lab', path: '/a.md', operation: 'create', author: { by: 'user' } } as const;
      const at = '2026-11-29T10:00:00.000Z';
      const row = changeRow({ ...facts, id, runId, before: null, after: null, state: 'written', at }, `effect ${id}`);
      return { op: 'insert', table: 'fileChange', row };
    };
    await desk.stage.app.deps.store.apply([change('fchg_1', 'run_1'), change('fchg_2', 'run_2')]);
    const paths = ['/api/files/changes', '/api/files/changes?run=run_1', '/api/files/changes?idPrefix=fchg_3'];
    expect(await answersAreEqual(desk, paths)).toEqual([2, 1, 0]);
  });

  test('give the answer of each route that is named', () => {
    expect(compared).toEqual(new Set(Object.keys(ROW_ROUTES)));
  });

  /** Compares the answers of a server with those on a copy of its rows, and closes it; returns how many items each has, or its error. */
  async function answersAreEqual(desk: Desk, paths: readonly string[]): Promise<(number | string)[]> {
    const { store } = desk.stage.app.deps;
    const served: { readonly items?: readonly unknown[]; readonly error?: { readonly code: string } }[] = [];
    for (const path of paths) served.push((await desk.get(path)).json);
    const copy = await openLocalStore(contextOf());
    for (const table of TABLE_NAMES)
      await copy.store.apply((await store.list(table)).map((row) => ({ op: 'put', table, row }) as Change));
    await copy.close();
    await desk.close();
    for (const [n, path] of paths.entries()) {
      const answer = await read(path).catch((error: unknown) => ({ error }));
      expect(JSON.parse(JSON.stringify(answer)), path).toEqual(served[n]);
      compared.add((path.split('?')[0] ?? '').replace(/\b(?:run|task|c)_\w+/, ':id'));
    }
    return served.map(({ items, error }) => items?.length ?? error?.code ?? 'one');
  }

  test('are not read while another process has the folder, and can be read after it', async () => {
    const other = await openLocalStore(contextOf());
    await expect(read('/api/runs')).rejects.toMatchObject({ code: 'DATA_LOCKED' });
    await other.close();
    expect(await read('/api/runs')).toEqual({ items: [], nextCursor: null });
  });

  test('are none where there is no folder, and make none', async () => {
    const reader = await openRowReader(contextOf());
    expect([reader.hasFolder, await reader.get('/api/runs')]).toEqual([false, { items: [], nextCursor: null }]);
    await reader.close();
    expect(existsSync(join(root, 'data'))).toBe(false);
    await makeStore();
    const made = await openRowReader(contextOf());
    expect(made.hasFolder).toBe(true);
    await made.close();
  });

  test('leave the folder unlocked after a wrong query', async () => {
    await makeStore();
    for (let n = 0; n < 2; n++)
      await expect(read('/api/runs?status=busy')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('need the key of an encrypted store', async () => {
    const env = { VX_MAILAGENT_KEY: 'ab'.repeat(32) };
    await makeStore(env);
    expect(await read('/api/runs', env)).toMatchObject({ items: [] });
    await expect(read('/api/runs')).rejects.toMatchObject({ code: 'STORE_KEY_MISSING' });
  });

  test('leave no search index of memories in plain text where they are the first to use a new key', async () => {
    await makeStore();
    const files = ['memory-index.db', 'memory-index.db-wal'].map((name) => join(root, 'data', name));
    for (const file of files) writeFileSync(file, 'what a person told an agent');
    await read('/api/runs');
    expect(files.map((file) => existsSync(file))).toEqual([true, true]);
    await read('/api/runs', { VX_MAILAGENT_KEY: 'ab'.repeat(32) });
    expect(files.map((file) => existsSync(file))).toEqual([false, false]);
  });
});

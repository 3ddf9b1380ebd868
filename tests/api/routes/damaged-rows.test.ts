import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../../engine/src/cli/program.ts';
import { fakeTerminal } from '../../cli/terminal/fake-terminal.ts';
import type { Logger } from '../../../engine/src/base/log.ts';
import { TABLES, type TableName } from '../../../engine/src/store/tables.ts';
import { call, type Play } from '../../run/harness.ts';
import { type Desk, openDesk, TOKEN } from '../harness.ts';

let desk: Desk;
const lines: string[] = [];
afterEach(async () => {
  lines.length = 0;
  await desk.close();
});

const note = (message: string, fields: object = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
const log: Logger = { debug: note, info: note, warn: note, error: note };

/** Ways to damage a body, by how the store keeps bodies. */
const STORES = [
  ['plain', () => 'sk-test-key', `'{"cut'`],
  ['encrypted', (name: string) => (name === 'VX_MAILAGENT_KEY' ? 'ab'.repeat(32) : 'sk-test-key'), 'zeroblob(80)'],
] as const;

const FILES = {
  'directors/shy.yaml':
    'id: shy\nname: Shy\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n',
};

/** Adds two items, then ends. */
const play: Play = ({ turn }) =>
  turn === 1
    ? {
        tool_calls: [
          call('a', 'workspace_add_item', { label: 'one', data: 'x' }),
          call('b', 'workspace_add_item', { label: 'two', data: 'y' }),
        ],
      }
    : { content: 'done' };

async function open(env: (name: string) => string | undefined): Promise<void> {
  desk = await openDesk({ play, files: FILES, app: { env, log } });
}

/** Damages one row of a table as the disk would: behind the back of the engine. */
function damage(table: TableName, body: string, where = '1 = 1'): void {
  const db = new DatabaseSync(join(desk.stage.root, 'data', 'callsheet.db'));
  const keys = TABLES[table].key.join(', ');
  const { changes } = db
    .prepare(
      `UPDATE ${table} SET body = ${body} WHERE (${keys}) IN (SELECT ${keys} FROM ${table} WHERE ${where} ORDER BY ${keys} LIMIT 1)`,
    )
    .run();
  db.close();
  if (changes !== 1) throw new Error(`no row of ${table} was damaged`);
}

function doctorEnv(env: (name: string) => string | undefined): Record<string, string> {
  const key = env('VX_MAILAGENT_KEY') ?? '';
  return /^[0-9a-f]{64}$/.test(key) ? { KEY: 'sk-test-key', VX_MAILAGENT_KEY: key } : { KEY: 'sk-test-key' };
}

async function waitingRun(): Promise<string> {
  const id = await desk.stage.begin('shy');
  await desk.stage.until(id, ({ waitingFor }) => waitingFor === 'approval');
  return id;
}

const mail = (n: number) =>
  `From: Ada <ada@example.org>\nTo: me@example.org\nSubject: mail ${n}\nMessage-ID: <${n}@example.org>\n\nHello ${n}.\n`;

describe.each(STORES)('a %s store', (_name, env, body) => {
  test('lists all but the damaged row, and names it', async () => {
    await open(env);
    const { store } = desk.stage.app.deps;
    for (const n of [1, 2, 3]) desk.drop(`${n}.eml`, mail(n));
    await desk.fetch();
    for (const n of [1, 2, 3])
      await store.apply([
        { op: 'insert', table: 'todo', row: { id: `t${n}`, status: 'open', at: n, body: `{"title":"to-do ${n}"}` } },
      ]);
    await waitingRun();
    const second = await waitingRun();
    // The mail with the lowest id is damaged: its run is not the one that is looked at.
    const [newest, middle] = await store.list('mail', { order: [['id', 'desc']] });
    const [first] = (await desk.get(`/api/runs?emailId=${newest?.id}`)).json.items;
    const run = await desk.stage.run(String(first?.id));
    const lists: readonly (readonly [TableName, string, string?])[] = [
      ['mail', '/api/emails'],
      ['mail', '/api/emails?q=mail'],
      ['item', `/api/workspaces/${run.workspaceId}/items`, `workspace = '${run.workspaceId}'`],
      ['item', '/api/emails?expand=runs', `workspace = '${run.workspaceId}'`],
      ['todo', '/api/todos'],
      ['thread', '/api/conversations'],
      ['approval', '/api/approvals?status=pending'],
      ['entry', '/api/diagnostics'],
      ['event', `/api/provider-events?threadId=${run.dirThreadId}`, `thread = '${run.dirThreadId}'`],
      ['message', `/api/conversations/${run.dirThreadId}`, `thread = '${run.dirThreadId}'`],
      ['spend', '/api/spend'],
      ['thread', '/api/diagnostics/unified'],
      ['event', `/api/diagnostics/unified?runId=${run.id}`, `thread = '${run.dirThreadId}'`],
      ['run', '/api/diagnostics/unified', `mail = '${middle?.id}'`],
      ['run', '/api/diagnostics', `mail = '${middle?.id}'`],
      ['run', '/api/emails?expand=runs', `mail = '${middle?.id}'`],
    ];
    const healthy = new Map<string, number>();
    const size = ({ json }: Awaited<ReturnType<typeof desk.get>>) => (json.items ?? json.messages)?.length ?? 0;
    for (const [, path] of lists) healthy.set(path, size(await desk.get(path)));
    const done = new Set<string>();
    for (const [table, path, where] of lists) {
      const key = `${table} ${where ?? ''}`;
      if (!done.has(key)) damage(table, body, where);
      done.add(key);
      const answer = await desk.get(path);
      expect([path, answer.status, answer.json.error]).toEqual([path, 200, undefined]);
      expect(answer.json, path).toMatchObject({
        damaged: expect.arrayContaining([expect.objectContaining({ table })]),
      });
      expect(size(answer), path).toBeGreaterThan(0);
      expect(size(answer), path).toBeLessThanOrEqual(healthy.get(path) ?? 0);
    }
    expect((await desk.get('/api/emails')).json.items.map(({ subject }) => subject)).toEqual(['mail 3', 'mail 2']);
    expect((await desk.get('/api/todos')).json.items.map(({ id }) => id)).toEqual(['t3', 't2']);
    expect((await desk.get('/api/runs')).json.items.map(({ id }) => id)).toContain(second);
    expect((await desk.get('/api/health', { isSignedIn: false })).status).toBe(200);
  });

  test.each(['run', 'machine', 'thread', 'message', 'ledger', 'approval', 'event', 'entry'] as const)(
    'cancels and deletes a run with a damaged row of %s, and others go on',
    async (table) => {
      await open(env);
      const [broken, fine] = [await waitingRun(), await waitingRun()];
      const { dirThreadId } = await desk.stage.run(broken);
      const columns: Readonly<Record<string, string>> = TABLES[table].columns;
      const column = ['run', 'root', 'machine', 'thread', 'scope'].find((name) => name in columns) ?? 'id';
      const value = column === 'thread' ? dirThreadId : broken;
      damage(table, body, `${column} = '${value}'`);
      await desk.restart(TOKEN);
      const cancel = () => desk.post(`/api/runs/${broken}/cancel`, {});
      const answer = await cancel();
      const status = async () =>
        (await store2().list('run', { where: [['id', '=', broken]], bodies: false }))[0]?.status;
      const store2 = () => desk.stage.app.deps.store;
      expect([200, 500], answer.text).toContain(answer.status);
      expect(['cancelled', 'failed']).toContain(await status());
      expect(await store2().count('timer', [['root', '=', broken]])).toBe(0);
      expect((await cancel()).json.error.code).toMatch(/RUN_NOT_ACTIVE|STORE_/);
      const deleted = await desk.ask('DELETE', `/api/runs/${broken}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect(await status()).toBeUndefined();
      const [approval] = (await desk.get(`/api/approvals?status=pending&runId=${fine}`)).json.items;
      await desk.post(`/api/approvals/${approval?.id}`, { decision: 'allow' });
      for (;;) {
        const [next] = (await desk.get(`/api/approvals?status=pending&runId=${fine}`)).json.items;
        if (next === undefined) break;
        await desk.post(`/api/approvals/${next.id}`, { decision: 'allow' });
      }
      expect(await desk.stage.ended(fine)).toMatchObject({ status: 'completed' });
    },
  );

  test('starts with a damaged row in every table, names the document, and takes its file', async () => {
    await open(env);
    desk.drop('1.eml', mail(1));
    await desk.fetch();
    await waitingRun();
    const { store } = desk.stage.app.deps;
    await store.apply([{ op: 'put', table: 'secret', row: { name: 'ONE', body: '{"value":"one-secret"}' } }]);
    await store.apply([{ op: 'put', table: 'meta', row: { name: 'pulse', body: '{"at":1}' } }]);
    await store.apply([{ op: 'put', table: 'account', row: { id: 'inbox', body: '{"place":1}' } }]);
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    await store.apply([
      { op: 'put', table: 'rate', row: { name: 'api main', minute, body: '{"requests":1,"tokens":1}' } },
    ]);
    await desk.stage.app.config.close();
    const tables = Object.keys(TABLES) as TableName[];
    const damaged: string[] = [];
    for (const table of tables) {
      const hasBody = 'body' in TABLES[table].columns;
      if (!hasBody || (await store.count(table)) === 0) continue;
      damage(table, body, table === 'meta' ? `name = 'pulse'` : undefined);
      damaged.push(table);
    }
    expect(damaged).toEqual(
      expect.arrayContaining(['document', 'revision', 'mail', 'run', 'secret', 'rate', 'account']),
    );
    const terminal = fakeTerminal({ argv: ['doctor', '--json'], cwd: desk.stage.root, env: doctorEnv(env) });
    expect(await runCommand(terminal)).toBeGreaterThan(0);
    expect(JSON.parse(terminal.stdout())).toMatchObject({ checks: expect.any(Array) });
    expect(terminal.stdout()).toContain('unreadable');
    await desk.restart(TOKEN);
    expect(desk.stage.app.config.current().directors.size).toBe(2);
    expect(lines.some((line) => /last good version of a document/.test(line) && /"document":"/.test(line))).toBe(true);
    expect(lines.some((line) => /a secret cannot be read/.test(line) && line.includes('ONE'))).toBe(true);
    const id = await desk.stage.begin();
    expect(await desk.stage.ended(id)).toMatchObject({ status: 'completed' });
    desk.drop('2.eml', mail(2));
    await desk.fetch();
    expect((await desk.get('/api/emails')).json.items.map(({ subject }) => subject)).toContain('mail 2');
  });

  test('deletes a mail, a to-do, an item and a conversation that cannot be read', async () => {
    await open(env);
    const { store } = desk.stage.app.deps;
    desk.drop('1.eml', mail(1));
    await desk.fetch();
    await store.apply([
      { op: 'insert', table: 'todo', row: { id: 't1', status: 'open', at: 1, body: '{"title":"x"}' } },
    ]);
    const [mailRow] = await store.list('mail');
    const [item] = await store.list('item');
    const [thread] = await store.list('thread');
    for (const table of ['mail', 'todo', 'item', 'thread'] as const) damage(table, body);
    const gone = async (path: string) => (await desk.ask('DELETE', path)).status;
    expect(await gone(`/api/workspaces/${item?.workspace}/items/${item?.id}?hard=true`)).toBe(204);
    expect(await gone('/api/todos/t1')).toBe(204);
    expect(await gone(`/api/conversations/${thread?.id}`)).toBe(204);
    expect(await gone(`/api/emails/${mailRow?.id}`)).toBe(204);
  });
});

test('health says 503 while lists cannot be served', async () => {
  await open(() => 'sk-test-key');
  const { store } = desk.stage.app.deps;
  const list = vi.spyOn(store, 'list').mockRejectedValue(new Error('disk I/O error'));
  expect(await desk.get('/api/health', { isSignedIn: false })).toMatchObject({
    status: 503,
    json: { status: 'failing', code: 'INTERNAL' },
  });
  list.mockRestore();
});

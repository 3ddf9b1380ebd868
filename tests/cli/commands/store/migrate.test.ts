import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { openPg } from '../../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../../../engine/src/store/sqlite/sqlite-store.ts';
import { postgres } from '../../../available.ts';
import { type PostgresServer, startPostgres } from '../../../postgres.ts';
import { filledFolder, lost } from '../../../store/move/endpoints.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

let root: string;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'callsheet-migrate-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function migrate(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const terminal = fakeTerminal({ argv: ['migrate', ...args], cwd: root, env });
  const code = await runCommand(terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe('callsheet migrate', () => {
  test.each([
    ['no place to go to', ['--from', 'x'], {}, 2, '--to postgres://'],
    ['no place to come from', ['--to', 'new'], {}, 2, '--from postgres://'],
    ['two folders', ['--from', 'x', '--to', 'y'], {}, 2, 'one of each'],
    ['a folder that holds no store', ['--from', 'none'], { DATABASE_URL: 'postgres://h/d' }, 2, 'no store in'],
    [
      'a database that cannot be reached',
      ['--to', 'new'],
      { DATABASE_URL: 'postgres://u:pw12@127.0.0.1:1/d' },
      1,
      'run',
    ],
    ['two places to open again', ['--reopen', '--to', 'x'], {}, 2, '--from'],
  ])('refuses %s', async (_name, args, env, expected, words) => {
    const { code, stdout, stderr } = await migrate(args, env);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('pw12');
    expect([existsSync(join(root, 'new')), existsSync(join(root, 'none'))]).toEqual([false, false]);
  });
});

describe.skipIf(postgres === undefined)('callsheet migrate with a database (needs PostgreSQL)', () => {
  let server: PostgresServer;
  let url: string;
  let dir: string;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());
  beforeEach(async () => {
    url = await server.createDatabase();
    dir = await filledFolder(root);
  });

  test('tells how much there is, how it comes along, and what was found equal', async () => {
    const tried = await migrate(['--data', dir, '--to', url, '--dry-run']);
    expect(tried.code).toBe(0);
    expect(tried.stdout).toMatch(/^message +30$/m);
    openSqlite({ dir }).close();
    const { code, stdout, stderr } = await migrate(['--data', dir, '--to', url]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^message +30 +[0-9a-f]{16}$/m);
    expect(stderr).toContain('copying message: 30 rows');
    expect(stderr).toContain('comparing message: 30 rows');
    expect(stderr).toMatch(/\d+ rows moved from .* to postgres:/);
    const database = openPg(url);
    const store = await openPostgres({ database });
    expect(await lost(store)).toEqual([]);
    await store.close();
    await database.close();
  });

  test('goes by DATABASE_URL, there and back, and can be asked again', async () => {
    const env = { DATABASE_URL: url.replace('postgres@', 'postgres:hush-hush@') };
    const there = await migrate(['--data', dir, '--json'], env);
    const { tables, rows, ...facts } = JSON.parse(there.stdout) as { tables: { table: string }[]; rows: number };
    expect(facts).toEqual({
      from: dir,
      to: url.replace('postgres@', 'postgres:***@'),
      isDone: false,
      isResumed: false,
    });
    expect(tables).toContainEqual({
      table: 'message',
      rows: 30,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(rows).toBeGreaterThan(700);
    expect(JSON.parse((await migrate(['--data', dir, '--json'], env)).stdout)).toMatchObject({ isDone: true });
    const back = join(root, 'back');
    expect(await migrate(['--to', back, '--quiet'], env)).toMatchObject({ code: 0, stderr: '' });
    const store = openSqlite({ dir: back });
    expect(await lost(store)).toEqual([]);
    await store.close();
    expect(there.stderr).not.toContain('hush-hush');
  });

  test('opens a place again that was left', async () => {
    await migrate(['--data', dir, '--to', url]);
    const open = () => openSqlite({ dir }).close();
    expect(open).toThrow(expect.objectContaining({ code: 'STORE_MOVED' }));
    const { code, stderr } = await migrate(['--reopen', '--data', dir]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('is unlocked')]);
    await open();
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeKey } from '../../../engine/src/store/cipher.ts';
import { plainCodec } from '../../../engine/src/store/codec.ts';
import { lockData } from '../../../engine/src/store/sqlite/data-lock.ts';
import { MIGRATIONS } from '../../../engine/src/store/migrations.ts';
import { selectSql, sqliteDialect } from '../../../engine/src/store/sql.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Query, Store } from '../../../engine/src/store/store.ts';
import { TABLES } from '../../../engine/src/store/tables.ts';
import { storeContract } from '../../contracts/store.ts';

const KEY = makeKey();

/** The newest folder, and all that the running test has made: the contract makes one of its own beside that of each test. */
let dir: string;
const made: string[] = [];
const fresh = () => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-store-'));
  made.push(dir);
  return dir;
};
const clean = () => made.splice(0).forEach((one) => rmSync(one, { recursive: true, force: true }));

storeContract('SQLite', {
  open: async () => openSqlite({ dir: fresh() }),
  reopen: async () => openSqlite({ dir }),
  clean: async () => clean(),
});

storeContract('encrypted SQLite', {
  open: async () => openSqlite({ dir: fresh(), key: KEY }),
  reopen: async () => openSqlite({ dir, key: KEY }),
  clean: async () => clean(),
});

/** Each commit is left to the thread. */
const threadRule = { lists: 1, commits: 0 };

storeContract('SQLite with a thread that writes', {
  open: async () => openSqlite({ dir: fresh(), threadRule }),
  reopen: async () => openSqlite({ dir, threadRule }),
  clean: async () => clean(),
});

storeContract('encrypted SQLite with a thread that writes', {
  open: async () => openSqlite({ dir: fresh(), key: KEY, threadRule }),
  reopen: async () => openSqlite({ dir, key: KEY, threadRule }),
  clean: async () => clean(),
});

beforeEach(() => void fresh());
afterEach(clean);

test('the migrated tables have the columns and keys that the catalogue says', async () => {
  await openSqlite({ dir }).close();
  const db = new DatabaseSync(join(dir, 'callsheet.db'));
  for (const [table, { columns, key }] of Object.entries(TABLES)) {
    const info = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string; pk: number }[];
    expect(info.map(({ name }) => name).sort(), table).toEqual(Object.keys(columns).sort());
    const stored = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    expect(
      stored.map(({ name }) => name),
      table,
    ).toEqual(key);
  }
  db.close();
});

test('a query with a limit is prepared once, whatever its values are', async () => {
  await openSqlite({ dir }).close();
  const db = new DatabaseSync(join(dir, 'callsheet.db'));
  const query: Query<'mail'> = { where: [['identity', '=', 'x']], limit: 4711 };
  const { text, values } = selectSql('mail', query, plainCodec, sqliteDialect);
  // SQLite prepares a statement again at each value that it looks at, and compiles an integer into the program.
  const program = db.prepare(`EXPLAIN ${text}`).all(...values.map((value) => (value === 4711 ? 4711n : value)));
  expect(program.map(({ p1 }) => p1)).not.toContain(4711);
  expect(program.length).toBeGreaterThan(5);
  db.close();
});

test.each<[string, (store: Store) => Promise<unknown>]>([
  ['a get', (store) => store.get('meta', { name: 'x' })],
  ['a list', (store) => store.list('meta')],
  ['a count', (store) => store.count('meta')],
])('%s that the database refuses is refused by the store', async (_name, read) => {
  const store = openSqlite({ dir });
  await store.close();
  await expect(read(store)).rejects.toMatchObject({ code: 'STORE_FAILED' });
});

test('a store of a newer version is refused with its version', async () => {
  await openSqlite({ dir }).close();
  const db = new DatabaseSync(join(dir, 'callsheet.db'));
  db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
  db.close();
  expect(() => openSqlite({ dir })).toThrow(expect.objectContaining({ code: 'STORE_TOO_NEW' }));
});

test('a second process on the same data folder is refused until the first has released its lock', () => {
  const source = `
    import { lockData } from ${JSON.stringify(new URL('../../../engine/src/store/sqlite/data-lock.ts', import.meta.url).href)};
    try { lockData(${JSON.stringify(dir)}); console.log('in'); } catch (error) { console.log(error.code); }`;
  const other = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' }).stdout.trim();
  const lock = lockData(dir);
  expect(other()).toBe('DATA_LOCKED');
  lock.release();
  expect(other()).toBe('in');
});

test('every list that a page or a recovery reads uses an index', async () => {
  await openSqlite({ dir }).close();
  const db = new DatabaseSync(join(dir, 'callsheet.db'));
  const plans = [
    `SELECT * FROM run WHERE status = ? ORDER BY id LIMIT 5`,
    `SELECT * FROM run WHERE id < 'x' ORDER BY id DESC LIMIT 50`,
    `SELECT * FROM run WHERE mail = ? ORDER BY id LIMIT 1`,
    `SELECT * FROM mail WHERE id < 'x' ORDER BY id DESC LIMIT 50`,
    `SELECT * FROM mail WHERE identity = 'x'`,
    `SELECT * FROM machine WHERE root = ? AND status = ?`,
    `SELECT * FROM timer WHERE due <= 5 ORDER BY due LIMIT 200`,
    `SELECT * FROM approval WHERE status = ? AND id < 'x' ORDER BY id DESC LIMIT 50`,
    `SELECT * FROM item WHERE workspace = 'w' AND deleted = 0 ORDER BY id`,
    `SELECT * FROM entry WHERE scope = 'r' AND seq > 0 ORDER BY seq`,
    `SELECT * FROM thread WHERE run = 'r'`,
  ];
  for (const plan of plans) {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${plan}`).all() as { detail: string }[];
    expect(steps.map(({ detail }) => detail).join('; '), plan).toMatch(/^SEARCH/);
    expect(steps.map(({ detail }) => detail).join('; '), plan).not.toMatch(/TEMP B-TREE/);
  }
  db.close();
});

const PAGES = Array.from({ length: 3000 }, (_, n) => ({ hash: String(n), body: 'x'.repeat(10_000) }));

test('the file shrinks after rows are deleted', async () => {
  const store = openSqlite({ dir });
  const size = () => statSync(join(dir, 'callsheet.db')).size;
  const checkpoint = () => {
    const db = new DatabaseSync(join(dir, 'callsheet.db'));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  };
  await store.apply(PAGES.map((row) => ({ op: 'insert', table: 'toolset', row })));
  checkpoint();
  const full = size();
  await store.apply(PAGES.slice(100).map(({ hash }) => ({ op: 'delete', table: 'toolset', where: { hash } })));
  await store.shrink?.();
  checkpoint();
  expect(size()).toBeLessThan(full / 5);
  expect(await store.count('toolset')).toBe(100);
  await store.close();
});

test('a file of an earlier version with much free space is rewritten once, and shrinks from then on', async () => {
  const file = join(dir, 'callsheet.db');
  let store = openSqlite({ dir });
  await store.apply(PAGES.map((row) => ({ op: 'insert', table: 'toolset', row })));
  await store.apply(PAGES.slice(100).map(({ hash }) => ({ op: 'delete', table: 'toolset', where: { hash } })));
  await store.close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA auto_vacuum = NONE; VACUUM');
  for (let n = 0; n < 3; n++)
    db.exec(`CREATE TABLE filler (body BLOB); INSERT INTO filler VALUES (zeroblob(20000000)); DROP TABLE filler`);
  db.close();
  const before = statSync(file).size;
  store = openSqlite({ dir });
  expect(await store.count('toolset')).toBe(100);
  await store.close();
  expect(statSync(file).size).toBeLessThan(before / 5);
  const mode = new DatabaseSync(file);
  expect(mode.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
  mode.close();
});

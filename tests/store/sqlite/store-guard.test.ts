import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EngineError } from '../../../engine/src/base/error.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import { type GuardOptions, inspectMark } from '../../../engine/src/store/sqlite/store-guard.ts';
import type { Store } from '../../../engine/src/store/store.ts';

const KEY = 'ab'.repeat(32);
let dir: string;
let opened: Store[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-guard-'));
  writeFileSync(join(dir, 'lock.db'), '');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close().catch(() => {});
  rmSync(dir, { recursive: true, force: true });
});

function open(guard: GuardOptions = {}, key?: string): Store {
  const store = openSqlite({ dir, guard, ...(key !== undefined && { key }) });
  opened.push(store);
  return store;
}
const put = (store: Store, name: string) => store.apply([{ op: 'put', table: 'meta', row: { name, body: '{}' } }]);
const at = (name: string) => join(dir, name);
const markOf = () => (JSON.parse(readFileSync(at('store.json'), 'utf8')) as { mark: number }).mark;
/** A store with a commit, closed in order. */
async function used(key?: string): Promise<void> {
  const store = open({}, key);
  await put(store, 'one');
  await store.close();
}

describe.each([
  ['plain', undefined],
  ['encrypted', KEY],
])('a %s database', (_name, key) => {
  test.each([
    ['was deleted', () => ['', '-wal', '-shm'].forEach((end) => rmSync(at(`callsheet.db${end}`), { force: true }))],
    ['was truncated', () => truncateSync(at('callsheet.db'), 0)],
  ])('that %s is not taken for a new one', async (_how, lose) => {
    await used(key);
    lose();
    expect(() => open({}, key)).toThrow(expect.objectContaining({ code: 'STORE_LOST' }));
    expect(() => inspectMark(dir)).toThrow(expect.objectContaining({ code: 'STORE_LOST' }));
    const store = open({ acceptsNewStore: true }, key);
    expect(await store.count('meta', [['name', '=', 'one']])).toBe(0);
    await store.close();
    await open({}, key).close();
  });

  test('that lost its WAL is not opened', async () => {
    await used(key);
    const store = open({}, key);
    await put(store, 'two');
    await expect.poll(markOf).toBeGreaterThan(2);
    const copy = mkdtempSync(join(tmpdir(), 'callsheet-guard-copy-'));
    cpSync(dir, copy, { recursive: true });
    await store.close();
    rmSync(join(copy, 'callsheet.db-wal'));
    rmSync(join(copy, 'callsheet.db-shm'), { force: true });
    expect(() => openSqlite({ dir: copy, guard: {}, ...(key !== undefined && { key }) })).toThrow(
      expect.objectContaining({ code: 'STORE_LOST', message: expect.stringContaining('newest commits') }),
    );
    rmSync(copy, { recursive: true });
  });

  test('that was replaced by an older copy is not opened, and is when that is accepted', async () => {
    await used(key);
    copyFileSync(at('callsheet.db'), at('backup'));
    await used(key);
    copyFileSync(at('backup'), at('callsheet.db'));
    expect(() => open({}, key)).toThrow(expect.objectContaining({ code: 'STORE_LOST' }));
    expect(readFileSync(at('callsheet.db'))).toEqual(readFileSync(at('backup')));
    await open({ acceptsNewStore: true }, key).close();
    await used(key);
  });

  test('is opened with the whole folder restored, copied, or without a mark, and after a kill', async () => {
    await used(key);
    const copy = mkdtempSync(join(tmpdir(), 'callsheet-guard-copy-'));
    cpSync(dir, copy, { recursive: true });
    await used(key);
    rmSync(dir, { recursive: true });
    renameSync(copy, dir);
    await used(key);
    rmSync(at('store.json'));
    await used(key);
    writeFileSync(at('store.json'), '');
    await used(key);
    // A process that dies has written no last mark: the file is older than the database.
    const before = readFileSync(at('store.json'));
    await used(key);
    writeFileSync(at('store.json'), before);
    await used(key);
    expect(() => inspectMark(dir)).not.toThrow();
  });
});

test('the first start after an upgrade writes a mark and takes the database as it is', async () => {
  const old = openSqlite({ dir });
  await put(old, 'one');
  await old.close();
  expect(existsSync(at('store.json'))).toBe(false);
  const store = open();
  expect(await store.count('meta', [['name', '=', 'one']])).toBe(1);
  expect(markOf()).toBe(1);
});

test('the mark of the folder is never newer than the database', async () => {
  const store = open();
  for (let n = 0; n < 30; n++) {
    await put(store, `row ${n}`);
    expect(() => inspectMark(dir)).not.toThrow();
  }
});

describe('an open database', () => {
  test.each([
    ['is removed', () => rmSync(at('callsheet.db'))],
    ['loses its WAL', () => rmSync(at('callsheet.db-wal'))],
    ['loses its lock', () => rmSync(at('lock.db'))],
    ['is removed with its folder', () => rmSync(dir, { recursive: true, maxRetries: 9 })],
  ])('that %s stores nothing more, and says so once', async (_how, lose) => {
    const lost: EngineError[] = [];
    const store = open({ onLost: (error) => lost.push(error) });
    await put(store, 'one');
    lose();
    await expect.poll(() => lost.length, { interval: 20 }).toBe(1);
    await expect(put(store, 'two')).rejects.toMatchObject({ code: 'STORE_LOST' });
    expect(lost).toHaveLength(1);
  });

  test('that is removed while nothing is stored is noticed too, and the folder is not taken for a new one', async () => {
    const lost: EngineError[] = [];
    open({ onLost: (error) => lost.push(error) });
    rmSync(dir, { recursive: true, maxRetries: 9 });
    await expect.poll(() => lost.length).toBe(1);
    expect(() => openSqlite({ dir, guard: {} })).toThrow(expect.objectContaining({ code: 'STORE_LOST' }));
  });

  test('that is removed stores nothing more at once', async () => {
    const store = open();
    await put(store, 'one');
    rmSync(at('callsheet.db'));
    await expect(put(store, 'two')).rejects.toMatchObject({ code: 'STORE_LOST' });
  });

  test('that is replaced by a copy stores nothing more', async () => {
    const lost: EngineError[] = [];
    const store = open({ onLost: (error) => lost.push(error) });
    copyFileSync(at('callsheet.db'), at('copy'));
    await put(store, 'one');
    renameSync(at('copy'), at('callsheet.db'));
    await expect(put(store, 'two')).rejects.toMatchObject({ code: 'STORE_LOST' });
  });

  test('whose folder cannot be looked at for a moment is not lost, and the process goes on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const lost: EngineError[] = [];
    const store = open({ onLost: (error) => lost.push(error) });
    // As a network drive that is away: no file, and no word that there is none.
    renameSync(dir, `${dir}-away`);
    symlinkSync(dir, dir);
    vi.advanceTimersByTime(200);
    rmSync(dir);
    renameSync(`${dir}-away`, dir);
    vi.advanceTimersByTime(200);
    await put(store, 'one');
    expect(lost).toEqual([]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as immediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { CommitThread, type ThreadRule } from '../../../engine/src/store/sqlite/commit-thread.ts';
import { packChanges } from '../../../engine/src/store/sqlite/packed-commit.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { isFull } from '../../available.ts';

const ALWAYS: ThreadRule = { lists: 1, commits: 0 };

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'callsheet-thread-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const add = (seq: number): Change[] => [
  { op: 'insert', table: 'message', row: { thread: 't', seq, at: seq, body: '"x"' } },
];

async function stored(store: Store): Promise<number[]> {
  const rows = await store.list('message', { where: [['thread', '=', 't']], order: [['seq', 'asc']] });
  return rows.map(({ seq }) => seq);
}

function threadOf(file: string, inode = statSync(file).ino): CommitThread {
  return new CommitThread({ file, inode, synchronous: 'FULL', isSealed: false, log: silentLogger });
}

test('the thread starts once most of the newest commits are large, and small ones stay with the process', () => {
  const thread = threadOf('none', 1);
  expect([1, 2, 3].map((lists) => thread.takes(lists))).toEqual([false, false, false]);
  const large = Array.from({ length: 15 }, () => thread.takes(4));
  expect(large).not.toContain(true);
  expect(thread.takes(4)).toBe(true);
  expect(thread.takes(3)).toBe(false);
  expect(thread.takes(64)).toBe(true);
});

test('a store under load keeps the order of its lists, whoever writes them', async () => {
  const store = openSqlite({ dir, threadRule: { lists: 2, commits: 3 } });
  await store.apply([{ op: 'insert', table: 'counter', row: { name: 'c', rev: 0, body: '0' } }]);
  let rev = 0;
  const step = () => {
    const change = {
      op: 'update',
      table: 'counter',
      key: { name: 'c' },
      set: { rev: rev + 1 },
      expect: { rev },
    } as const;
    rev++;
    return store.apply([change]);
  };
  for (const size of [1, 5, 3, 8, 1, 2, 40, 1, 1, 70]) await Promise.all(Array.from({ length: size }, step));
  const row = await store.get('counter', { name: 'c' });
  expect(row?.rev).toBe(rev);
  await store.close();
});

test('a store that is closed has written what its thread was given, and leaves one file', async () => {
  const store = openSqlite({ dir, threadRule: ALWAYS });
  const all = Promise.all(Array.from({ length: 200 }, (_, seq) => store.apply(add(seq))));
  await store.close();
  await all;
  expect(existsSync(join(dir, 'callsheet.db-wal'))).toBe(false);
  const again = openSqlite({ dir });
  expect(await stored(again)).toHaveLength(200);
  await again.close();
});

test('what is stored while a store closes is written by the process, and no thread is missed', async () => {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const store = openSqlite({ dir, threadRule: ALWAYS, log });
  await store.apply(add(1));
  const closing = store.close();
  await store.apply(add(2));
  await closing;
  expect(warnings).toEqual([]);
  const again = openSqlite({ dir });
  expect(await stored(again)).toEqual([1, 2]);
  await again.close();
});

test('what comes while a store closes is written, or refused where it comes too late', async () => {
  const tooLate = { code: 'STORE_FAILED', message: 'cannot write to the store: it is closed' };
  const expected: number[] = [];
  for (let turns = 0; turns < 60; turns += 3) {
    const store = openSqlite({ dir, threadRule: ALWAYS });
    await store.apply(add(turns));
    expected.push(turns);
    const closing = store.close();
    for (let n = 0; n < turns; n++) await immediate();
    const isStored = await store.apply(add(turns + 1)).then(
      () => true,
      (error: unknown) => void expect(error).toMatchObject(tooLate),
    );
    if (isStored === true) expected.push(turns + 1);
    await closing;
    await expect(store.apply(add(1000))).rejects.toMatchObject(tooLate);
  }
  const again = openSqlite({ dir });
  expect(await stored(again)).toEqual(expected);
  await again.close();
});

test.each([
  { when: 'before', what: 'the process makes it' },
  { when: 'after', what: 'it is not made twice' },
])('where the thread ends $when a commit is made, $what', async ({ when }) => {
  const entry = new URL(`./ending-worker.ts?${when}`, import.meta.url);
  const store = openSqlite({ dir, threadRule: { ...ALWAYS, entry } });
  await store.apply(add(1));
  await store.apply(add(2));
  expect(await stored(store)).toEqual([1, 2]);
  await store.close();
});

test('where the thread fails and still holds the database, the process makes its commit', async () => {
  const entry = new URL('./ending-worker.ts?failing', import.meta.url);
  const store = openSqlite({ dir, threadRule: { ...ALWAYS, entry } });
  await store.apply(add(1));
  await store.apply(add(2));
  expect(await stored(store)).toEqual([1, 2]);
  await store.close();
});

test('where the thread ends within a commit that is larger than its cache, the process makes it', async () => {
  const entry = new URL('./ending-worker.ts?within', import.meta.url);
  const store = openSqlite({ dir, threadRule: { ...ALWAYS, lists: 2, entry } });
  await store.apply(add(1));
  // The log is in the file as a whole, so the next commit begins it anew.
  const other = new DatabaseSync(join(dir, 'callsheet.db'));
  const { log, checkpointed } = other.prepare('PRAGMA wal_checkpoint').get() ?? {};
  expect(checkpointed).toBe(log);
  other.close();
  const row = { thread: 't', seq: 2, at: 2, body: JSON.stringify('x'.repeat(20_000_000)) };
  await Promise.all([store.apply([{ op: 'insert', table: 'message', row }]), store.apply(add(3))]);
  expect(await stored(store)).toEqual([1, 2, 3]);
  await store.close();
});

test('of a buffer only the part that is stored goes to the thread', () => {
  const whole = new Uint8Array(1000).fill(7);
  const { changes } = packChanges([{ text: 'a', values: ['x', whole, whole.subarray(10, 20), Buffer.from('pooled')] }]);
  const sent = structuredClone(changes)[0]?.[1].filter((value) => value instanceof Uint8Array) ?? [];
  expect(sent.map((value) => value.buffer.byteLength)).toEqual([1000, 10, 6]);
  expect(sent.map((value) => Buffer.from(value).toString('hex').slice(0, 12))).toEqual([
    '070707070707',
    '070707070707',
    Buffer.from('pooled').toString('hex'),
  ]);
});

test('the thread does not write to a file that has taken the place of the database', async () => {
  await openSqlite({ dir }).close();
  const file = join(dir, 'callsheet.db');
  const { ino } = statSync(file);
  cpSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
  const before = statSync(file).mtimeMs;
  const thread = threadOf(file, ino);
  await expect(thread.commit([{ text: 'DELETE FROM meta', values: [] }])).rejects.toMatchObject({ code: 'STORE_LOST' });
  await thread.close();
  expect(statSync(file).mtimeMs).toBe(before);
});

test('the thread does not make a database that is missing', async () => {
  const file = join(dir, 'callsheet.db');
  const thread = threadOf(file, 1);
  await expect(thread.commit([])).rejects.toMatchObject({ code: 'STORE_FAILED' });
  await thread.close();
  expect(existsSync(file)).toBe(false);
});

test('what a thread has said to be stored survives a kill', { timeout: 120_000 }, async () => {
  const source = join(import.meta.dirname, 'writing-process.ts');
  for (let round = 0; round < (isFull ? 20 : 3); round++) {
    const child = spawn(process.execPath, [source, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const said: number[] = [];
    const closed = once(child, 'close');
    for await (const line of createInterface(child.stdout)) {
      said.push(Number(line));
      if (said.length === 100 + round) child.kill('SIGKILL');
    }
    await closed;
    const store = openSqlite({ dir });
    const rows = new Set(await stored(store));
    expect(said.filter((n) => !rows.has(n))).toEqual([]);
    await store.apply([{ op: 'delete', table: 'message', where: { thread: 't' } }]);
    await store.close();
  }
});

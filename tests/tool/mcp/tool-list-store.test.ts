import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { deleteToolLists, keepList, readLatestList, readList } from '../../../engine/src/tool/mcp/tool-list-store.ts';

let dir: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-lists-'));
  store = openSqlite({ dir, key: 'ab'.repeat(32), log: silentLogger });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const list = (hash: string, name: string) => ({
  hash,
  tools: [{ name, description: 'Finds the secret plans.', parameters: { type: 'object' } }],
});

test('the newest list of a server is found, and each by its hash', async () => {
  await store.apply([keepList('a', list('1', 'one'), 100), keepList('a', list('2', 'two'), 200)]);
  await store.apply([keepList('b', list('3', 'three'), 300)]);
  expect(await readLatestList(store, 'a')).toEqual(list('2', 'two'));
  // The server went back to its first list.
  await store.apply([keepList('a', list('1', 'one'), 400)]);
  expect(await readLatestList(store, 'a')).toEqual(list('1', 'one'));
  expect(await readList(store, '2')).toEqual(list('2', 'two'));
  expect(await readList(store, '9')).toBeUndefined();
  expect(await readLatestList(store, 'nobody')).toBeUndefined();
});

test('lists that no server has sent for long are deleted', async () => {
  await store.apply([keepList('a', list('1', 'one'), 100), keepList('a', list('2', 'two'), 200)]);
  await deleteToolLists(store, 150);
  expect(await store.count('toolList')).toBe(1);
  expect(await readList(store, '2')).toBeDefined();
});

test('an encrypted store holds no plain text of a list', async () => {
  await store.apply([keepList('a', list('1', 'one'), 100)]);
  await store.close();
  const bytes = Buffer.concat(readdirSync(dir).map((name) => readFileSync(join(dir, name))));
  expect(bytes.includes('secret plans')).toBe(false);
  store = openSqlite({ dir, key: 'ab'.repeat(32), log: silentLogger });
  expect(await readLatestList(store, 'a')).toEqual(list('1', 'one'));
});

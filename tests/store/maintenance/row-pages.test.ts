import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyOf, readPage } from '../../../engine/src/store/maintenance/row-pages.ts';
import { runSqliteScript, sqliteScriptDialect as dialect } from '../../../engine/src/store/sqlite/sqlite-script.ts';
import type { TableName } from '../../../engine/src/store/tables.ts';
import { createDatabase, type EmptyDatabase } from './database.ts';

let database: EmptyDatabase;
beforeEach(() => void (database = createDatabase()));
afterEach(() => database.remove());

const pageOf = (table: TableName, after: readonly (string | number)[], limit?: number) =>
  runSqliteScript(database.db, readPage(dialect, table, after, limit));

/** Keys of each page, read one after the other until one is empty. */
function pagesOf(table: TableName, limit: number): (string | number)[][][] {
  const pages: (string | number)[][][] = [];
  for (let after: (string | number)[] = []; ;) {
    const keys = pageOf(table, after, limit).map((row) => keyOf(table, row));
    if (keys.length === 0) return pages;
    pages.push(keys);
    after = keys.at(-1)!;
  }
}

test('pages of a table give every row once, in the order of the whole key', () => {
  const insert = database.db.prepare('INSERT INTO message (thread, seq, at, body) VALUES (?, ?, 0, ?)');
  const keys = [
    ['b', 2],
    ['a', 10],
    ['c', 1],
    ['a', 9],
    ['b', 11],
    ['ab', 1],
    ['B', 5],
  ] as const;
  for (const [thread, seq] of keys) insert.run(thread, seq, '{}');
  expect(pagesOf('message', 3)).toEqual([
    [
      ['B', 5],
      ['a', 9],
      ['a', 10],
    ],
    [
      ['ab', 1],
      ['b', 2],
      ['b', 11],
    ],
    [['c', 1]],
  ]);
});

test('a page without a limit gives all rows after a key, with all columns', () => {
  const insert = database.db.prepare('INSERT INTO good (name, hash) VALUES (?, ?)');
  for (const name of ['c', 'a', 'b']) insert.run(name, `hash of ${name}`);
  expect(pageOf('good', ['a'])).toEqual([
    { name: 'b', hash: 'hash of b' },
    { name: 'c', hash: 'hash of c' },
  ]);
});

test('an empty table has no page', () => {
  expect(pagesOf('run', 100)).toEqual([]);
});

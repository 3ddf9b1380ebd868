import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainCodec } from '../../../engine/src/store/codec.ts';
import { MIGRATIONS } from '../../../engine/src/store/migrations.ts';
import { batch, FIXED_ORDER_TABLES } from '../../../engine/src/store/postgres/batch.ts';
import { escapeText, unescapeText } from '../../../engine/src/store/postgres/pg-codec.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { isFull } from '../../available.ts';
import { type PgliteServer, startPglite } from '../../postgres.ts';

const message = (thread: string, seq: number, body = '{}'): Change => ({
  op: 'put',
  table: 'message',
  row: { thread, seq, at: 0, body },
});
const lease = (run: string, rev: number): Change => ({
  op: 'update',
  table: 'lease',
  key: { run },
  set: { rev },
  expect: { rev: rev - 1 },
});

describe('a batch', () => {
  const texts = (...lists: Change[][]) =>
    batch(lists, plainCodec).map(({ text }) => text.split(' ').slice(0, 3).join(' '));

  test('combines rows of equal shape from all lists into one statement', () => {
    expect(texts([message('a', 1), message('a', 2)], [message('b', 1)])).toEqual(['INSERT INTO message']);
  });

  test('states how many rows an update must affect', () => {
    expect(batch([[lease('a', 1), lease('b', 4)]], plainCodec)[0]).toMatchObject({
      mustTouch: 2,
      values: [
        ['a', 'b'],
        [1, 4],
        [0, 3],
      ],
    });
  });

  test('starts a new statement for a row that changes a second time', () => {
    expect(texts([lease('a', 1), lease('b', 1)], [lease('a', 2)])).toHaveLength(2);
  });

  test('does not reorder a change that may affect any row', () => {
    const all: Change = { op: 'delete', table: 'message', where: { thread: 'a' } };
    expect(texts([message('a', 1), all, message('b', 1)])).toEqual([
      'INSERT INTO message',
      'DELETE FROM message',
      'INSERT INTO message',
    ]);
  });

  test('gives a unique value to a mail only after another mail has released it', () => {
    const row = {
      account: 'a',
      identity: 'i',
      messageKey: '',
      threadKey: '',
      state: '',
      routed: 0,
      body: '{}',
      rev: 0,
    };
    const mail = (id: string, identity: string): Change => ({
      op: 'insert',
      table: 'mail',
      row: { ...row, id, identity },
    });
    expect(texts([mail('1', 'x'), { op: 'delete', table: 'mail', where: { id: '0' } }, mail('2', 'y')])).toEqual([
      'INSERT INTO mail',
      'DELETE FROM mail',
      'INSERT INTO mail',
    ]);
  });

  test('locks leases first, counters last, and rows in the order of their keys', () => {
    const counter: Change = { op: 'put', table: 'counter', row: { name: 'c', rev: 1, body: '{}' } };
    const statements = batch([[counter, message('b', 1), message('a', 2), lease('r', 1)]], plainCodec);
    expect(statements.map(({ table }) => table)).toEqual(['lease', 'message', 'counter']);
    expect(statements[1]?.values[0]).toEqual(['a', 'b']);
  });
});

test.each(['', 'plain', 'a\0b', '\\', '\\0000', '\ud800', 'x\udc00\ud800y', '🎉', '\\ud83c'])(
  'escapes %j so that it can be stored, and back',
  (text) => {
    expect(escapeText(text).isWellFormed()).toBe(true);
    expect(escapeText(text)).not.toContain('\0');
    expect(unescapeText(escapeText(text))).toBe(text);
  },
);

describe('lists that come together', () => {
  let lite: PgliteServer;
  let dir: string;
  let [merged, plain]: Store[] = [];
  beforeAll(async () => {
    lite = await startPglite();
    merged = await openPostgres({ database: lite.database });
    dir = mkdtempSync(join(tmpdir(), 'callsheet-batch-'));
    plain = openSqlite({ dir, synchronous: 'NORMAL' });
  });
  afterAll(async () => {
    await merged!.close();
    await plain!.close();
    await lite.stop();
    rmSync(dir, { recursive: true });
  });

  const id = fc.constantFrom('a', 'b', 'c', 'd');
  const rev = fc.integer({ min: 0, max: 2 });
  const root = fc.constantFrom('r', 's');
  const row = fc.record({ id, rev, root }).map((some) => ({ ...some, kind: '', version: '', status: '', body: '{}' }));
  const change = fc.oneof(
    row.map((made): Change => ({ op: 'insert', table: 'machine', row: made })),
    row.map((made): Change => ({ op: 'put', table: 'machine', row: made })),
    fc
      .tuple(id, rev)
      .map(([key, to]): Change => ({ op: 'update', table: 'machine', key: { id: key }, set: { rev: to } })),
    fc.tuple(id, rev, rev, root).map(([key, to, expected, under]): Change => ({
      op: 'update',
      table: 'machine',
      key: { id: key },
      set: { rev: to, root: under },
      expect: { rev: expected },
    })),
    id.map((key): Change => ({ op: 'delete', table: 'machine', where: { id: key } })),
    fc
      .tuple(root, rev)
      .map(([under, at]): Change => ({ op: 'delete', table: 'machine', where: { root: under, rev: at } })),
    fc.tuple(id, rev).map(([thread, seq]) => message(thread, seq, `{"n":${seq}}`)),
    id.map((thread): Change => ({ op: 'delete', table: 'message', where: { thread } })),
  );

  // In full it makes thirty times as many lists, which takes some fifty seconds on a quiet machine.
  const timeout = isFull ? 300_000 : 60_000;
  test('have the same effect and the same failures as their changes one by one', { timeout }, async () => {
    const lists = fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(lists, async (given) => {
        const one: string[] = [];
        for (const list of given)
          await plain!.apply(list).then(
            () => one.push('done'),
            (error: { code: string }) => one.push(error.code),
          );
        const all = await Promise.allSettled(given.map((list) => merged!.apply(list)));
        expect(all.map((end) => (end.status === 'fulfilled' ? 'done' : (end.reason as { code: string }).code))).toEqual(
          one,
        );
        for (const table of ['machine', 'message'] as const) {
          const order =
            table === 'machine' ? [['id', 'asc'] as const] : [['thread', 'asc'] as const, ['seq', 'asc'] as const];
          expect(await merged!.list(table, { order } as never)).toEqual(
            (await plain!.list(table, { order } as never)).map((found) => ({ ...found })),
          );
        }
      }),
      { numRuns: isFull ? 1000 : 30 },
    );
  });
});

test('rows of every table with a unique column besides the key keep their order', () => {
  const unique = MIGRATIONS.flat().flatMap(
    (statement) => /^CREATE UNIQUE INDEX \S+ ON (\w+)/.exec(statement)?.[1] ?? [],
  );
  expect(unique.length).toBeGreaterThan(0);
  expect([...FIXED_ORDER_TABLES].toSorted()).toEqual([...new Set(unique)].toSorted());
});

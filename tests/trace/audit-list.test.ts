import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMemorySqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Query, Reader, Row, Store, TableName } from '../../engine/src/store/store.ts';
import { deleteEntries } from '../../engine/src/trace/audit.ts';
import { listAuditRows } from '../../engine/src/trace/audit-list.ts';
import { deleteRun } from '../../engine/src/run/lifecycle/delete.ts';

/** Characters of the entries that one read may return: a few milliseconds. */
const READ_CHARACTERS = 1_200_000;
const LARGE = 90_000;

let store: Store;
beforeEach(() => (store = openMemorySqlite()));
afterEach(() => store.close());

const audit = {
  ...{ sessionId: 's', directorId: 'd', startedBy: 'system', effects: 'none', target: null },
  ...{ wasAllowed: true, why: 'allowed', executionTimeMs: 1 },
};

async function addEntry(scope: string, seq: number, at: number, result: string): Promise<void> {
  const body = JSON.stringify({ phase: 'tool', detail: { tool: 'look' }, result, audit });
  await store.apply([{ op: 'insert', table: 'entry', row: { scope, seq, at, body } }]);
}

/** The store, and the characters of the entries that each read returned. */
function counting(): { readonly reader: Reader; readonly reads: number[] } {
  const reads: number[] = [];
  const list = async <T extends TableName>(table: T, query?: Query<T>): Promise<Row<T>[]> => {
    const rows = await store.list(table, query);
    if (table === 'entry') reads.push(JSON.stringify(rows).length);
    return rows;
  };
  return { reads, reader: { get: store.get.bind(store), list } };
}

test.each([
  ['of all runs', undefined],
  ['of one run', ['run_a']],
])('lines %s are read in small steps where entries have long results', async (_name, runIds) => {
  for (let seq = 1; seq <= 60; seq++) await addEntry('run_a', seq, seq, seq > 40 ? 'short' : 'x'.repeat(LARGE));
  const { reader, reads } = counting();
  const rows = await listAuditRows(reader, { runIds }, { order: 'desc', after: undefined, limit: 60 });
  expect(rows.map((row) => row.line()?.id)).toEqual(Array.from({ length: 60 }, (_, n) => `run_a.${60 - n}`));
  expect(Math.max(...reads)).toBeLessThan(READ_CHARACTERS);
});

test.each([
  ['oldest first', 'asc', ['run_c.1', 'run_d.1']],
  ['newest first', 'desc', ['run_b.1', 'run_a.1']],
] as const)('lines of a session go on, %s, where the run of the cursor was deleted', async (_name, order, rest) => {
  const runs = ['run_a', 'run_b', 'run_bb', 'run_c', 'run_d'];
  for (const [n, run] of runs.entries()) await addEntry(run, 1, n, 'short');
  const place = JSON.stringify({ entry: { at: 2, scope: 'run_bb', seq: 1 } });
  const runIds = runs.filter((run) => run !== 'run_bb');
  const rows = await listAuditRows(store, { runIds }, { order, after: place, limit: 10 });
  expect(rows.map((row) => row.line()?.id)).toEqual(rest);
});

test('an entry that is deleted while its run is deleted leaves no audit line; that of another run stays', async () => {
  await store.apply([
    { op: 'insert', table: 'run', row: { id: 'run_a', status: 'completed', director: 'd', mail: '', body: '{}' } },
  ]);
  await addEntry('run_a', 1, 1, 'short');
  await addEntry('run_b', 1, 2, 'short');
  let isFirst = true;
  const found = await deleteEntries(store, async () => {
    const rows = await store.list('entry');
    if (isFirst) await store.apply(await deleteRun(store, 'run_a'));
    isFirst = false;
    return rows;
  });
  expect(found.map(({ scope }) => scope)).toEqual(['run_b']);
  expect(await store.list('entry')).toEqual([]);
  expect((await store.list('audit')).map(({ run }) => run)).toEqual(['run_b']);
});

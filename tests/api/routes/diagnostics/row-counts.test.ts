import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createRowCounter } from '../../../../engine/src/api/routes/diagnostics/row-counts.ts';
import { SimulatedClock } from '../../../../engine/src/base/clock.ts';
import { openSqlite } from '../../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../../../engine/src/store/store.ts';
import { longestTurn } from '../../../longest-turn.ts';

const dir = mkdtempSync(join(tmpdir(), 'row-counts-'));
let store: Store;
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const RUNS = 2500;

function rowsOf(n: number): Change[] {
  const id = `run_${String(n).padStart(5, '0')}`;
  const item = { workspace: id, revision: 1, body: '{}' };
  return [
    { op: 'insert', table: 'run', row: { id, status: 'completed', director: 'd', mail: '', body: '{}' } },
    { op: 'insert', table: 'item', row: { ...item, id: 'a', deleted: 0 } },
    { op: 'insert', table: 'item', row: { ...item, id: 'b', deleted: 1 } },
  ];
}

test('rows are counted in steps, and callers within some seconds share the count', async () => {
  store = openSqlite({ dir });
  await store.apply(Array.from({ length: RUNS }, (_, n) => rowsOf(n)).flat());
  const clock = new SimulatedClock(0);
  const countRows = createRowCounter(store, clock);
  const { turns } = await longestTurn(async () => {
    expect(await countRows()).toEqual({ emails: 0, runs: RUNS, items: RUNS, threads: 0 });
  });
  expect(turns).toBeGreaterThanOrEqual(3);
  await store.apply(rowsOf(RUNS));
  expect(await countRows()).toMatchObject({ runs: RUNS });
  clock.advance(5000);
  expect(await countRows()).toMatchObject({ runs: RUNS + 1, items: RUNS + 1 });
});

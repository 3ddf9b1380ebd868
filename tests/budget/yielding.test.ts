import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LocalMeters } from '../../engine/src/budget/local-meters.ts';
import { SourceState } from '../../engine/src/intake/source-state.ts';
import { listSpend, spendChange } from '../../engine/src/budget/spend.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../engine/src/store/store.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const COUNT = 3000;
const ONE = { turns: 1, inputTokens: 10, outputTokens: 2, cost: 0.5 };
const NUMBERS = Array.from({ length: COUNT }, (_, n) => String(n).padStart(4, '0'));

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'turns-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

const spent = (now: number): Change[] => NUMBERS.map((n) => spendChange(now, `run_${n}`, 'boss', { main: ONE }));

/** How often others had their turn in the loop while the work went on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

describe('others have their turn', () => {
  test('while the first budget of a day reads what thousands of runs have used, all of which counts', async () => {
    await store.apply([...spent(NOW), ...spent(NOW - DAY_MS)]);
    const meters = new LocalMeters(store);
    await meters.load(NOW);
    const wanted = { root: 'r', machineId: 'm', request: 'q', owners: [], rates: [], isRepeat: false };
    const ask = (maxTokens: number) =>
      meters.reserve({ ...wanted, use: { tokens: 1, cost: 0 }, day: { maxTokens } }, NOW);
    expect(await turnsDuring(() => ask(12 * COUNT))).toBeGreaterThan(4);
    expect(await ask(12 * COUNT)).toMatchObject({ kind: 'later' });
    expect(await ask(12 * COUNT + 1)).toMatchObject({ kind: 'granted' });
  });

  test('while the spending of thousands of runs is told by day, newest first', async () => {
    await store.apply([...spent(NOW), ...spent(NOW - DAY_MS), ...spent(NOW - 2 * DAY_MS)]);
    let lines: unknown;
    const read = async () => (lines = await listSpend(store, '2026-11-21'));
    expect(await turnsDuring(read)).toBeGreaterThan(8);
    const line = { directorId: 'boss', apiId: 'main', runs: COUNT, turns: COUNT, cost: COUNT / 2 };
    expect(lines).toMatchObject([
      { day: '2026-11-22', ...line },
      { day: '2026-11-21', ...line },
    ]);
  });

  test('while thousands of names at a source are compared with those that are kept', async () => {
    const sourceState = new SourceState(store, 'box');
    await store.apply(NUMBERS.map((n) => sourceState.noteChange(n, { size: 1, mtimeMs: 1 }, `mail ${n}`)));
    const gone: string[] = [];
    const compare = async (names: ReadonlySet<string>) => {
      for await (const { identity } of sourceState.namesNotIn(names)) gone.push(identity);
    };
    expect(await turnsDuring(() => compare(new Set(NUMBERS.slice(1))))).toBeGreaterThan(4);
    expect(gone).toEqual(['mail 0000']);
  });

  test('while the names at a source are many and little is kept', async () => {
    const names = new Set(Array.from({ length: 30_000 }, (_, n) => `name ${n}`));
    const compare = async () => {
      for await (const one of new SourceState(store, 'box').namesNotIn(names)) expect(one).toBeUndefined();
    };
    expect(await turnsDuring(compare)).toBeGreaterThan(2);
  });
});

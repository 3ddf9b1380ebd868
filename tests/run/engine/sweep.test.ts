import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweep } from '../../../engine/src/run/engine/sweep.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';

test('a sweep asks for every run, also where more timers are due in one millisecond than are read at a time', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-sweep-'));
  const inner = openSqlite({ dir, synchronous: 'NORMAL' });
  try {
    const dues = [5, ...Array.from({ length: 1_300 }, () => 1_000), 2_000];
    const roots = dues.map((_, n) => `run_${n}`);
    await inner.apply(
      dues.map((due, n): Change => {
        const row = { machine: `m${n}`, name: 'wake', root: roots[n]!, due, body: '{}' };
        return { op: 'insert', table: 'timer', row };
      }),
    );
    const asked = new Set<string>();
    const store = withApply(inner, async (changes) => {
      for (const change of changes) if (change.op === 'wake') asked.add(change.run);
    });
    await sweep(store, new AbortController().signal);
    expect([...asked].sort()).toEqual(roots.sort());
  } finally {
    await inner.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

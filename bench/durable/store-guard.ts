import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';

// Microseconds of one commit with and without the guard against the loss of the database, in turns.
const COMMITS = 1000;
const ROUNDS = 5;
const totals = { with: 0, without: 0 };
for (let round = 0; round < ROUNDS; round++)
  for (const name of ['with', 'without'] as const) {
    const dir = mkdtempSync(join(tmpdir(), 'callsheet-bench-'));
    writeFileSync(join(dir, 'lock.db'), '');
    const store = openSqlite({ dir, ...(name === 'with' && { guard: {} }) });
    const began = process.cpuUsage();
    for (let n = 0; n < COMMITS; n++)
      await store.apply([{ op: 'put', table: 'meta', row: { name: 'row', body: `{"n":${n}}` } }]);
    const { user, system } = process.cpuUsage(began);
    totals[name] += (user + system) / COMMITS;
    await store.close();
    rmSync(dir, { recursive: true });
  }
for (const [name, sum] of Object.entries(totals))
  console.log(`${name} guard: ${(sum / ROUNDS).toFixed(0)} µs CPU a commit`);

/**
 * Measures the first page of runs with many stored runs: writes rows as the engine writes them, then requests pages
 * over HTTP. `node bench/pages.ts [--json] [count]`, 100,000 runs by default.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRun } from '../engine/src/run/lifecycle/create.ts';
import type { Change } from '../engine/src/store/store.ts';
import { home, median, openToFill, serve, type Served } from './serve.ts';

const COUNT = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 100_000);

/** Stores runs as if they had just been queued, but marked as completed so that the engine does not start them. */
async function fill(root: string): Promise<void> {
  const app = await openToFill(root);
  const config = app.config.current();
  const directorId = [...config.directors.keys()][0] ?? '';
  let changes: Change[] = [];
  for (let n = 0; n < COUNT; n++) {
    const trigger = { kind: 'message', message: `Task number ${n}, with a text of common length to look at.` } as const;
    const created = await createRun(app.deps, { config, directorId, trigger, startedBy: 'bench' });
    for (const change of created.changes) {
      if (change.op === 'insert' && change.table === 'run')
        changes.push({ ...change, row: { ...change.row, status: 'completed' } });
      else changes.push(change);
    }
    if (changes.length > 900) {
      await app.deps.store.apply(changes);
      changes = [];
    }
  }
  await app.deps.store.apply(changes);
  await app.close();
}

async function timed(server: Served, path: string): Promise<number> {
  const began = performance.now();
  const { items } = JSON.parse(await server.get(path)) as { items: unknown[] };
  if (items.length === 0) throw new Error(`${path} is empty`);
  return performance.now() - began;
}

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  await mkdir(join(root, 'data'));
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  await fill(root);
  const server = await serve(root);
  const cold = await timed(server, '/api/runs?limit=50');
  const warm: number[] = [];
  for (let n = 0; n < 20; n++) warm.push(await timed(server, '/api/runs?limit=50'));
  await server.stop();
  const result = { runs: COUNT, coldMs: round(cold), medianMs: round(median(warm)) };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(`first page of ${COUNT} runs: ${result.medianMs} ms (median of 20), ${result.coldMs} ms cold`);
} finally {
  await rm(root, { recursive: true, force: true });
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

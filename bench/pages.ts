/**
 * First page of runs and of mails with many stored: rows are written as the engine writes them, then pages are asked for
 * over HTTP. `node bench/pages.ts [--json] [count]`, 100,000 by default.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cp } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { silentLogger } from '../engine/src/base/log.ts';
import { openApp } from '../engine/src/cli/app.ts';
import { createRun } from '../engine/src/run/create.ts';
import type { Change } from '../engine/src/store/store.ts';

const COUNT = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
const home = new URL('..', import.meta.url).pathname;

/** Runs as they are when they have just been queued, marked as completed so that nothing begins. */
async function fill(root: string): Promise<void> {
  const app = await openApp({
    configDir: join(root, 'config'),
    dataDir: join(root, 'data'),
    env: () => undefined,
    log: silentLogger,
    watch: false,
  });
  const config = app.config.current();
  const directorId = [...config.directors.keys()][0] ?? '';
  let changes: Change[] = [];
  for (let n = 0; n < COUNT; n++) {
    const trigger = { kind: 'message', message: `Task number ${n}, with a text of common length to look at.` } as const;
    const created = await createRun(app.parts, { config, directorId, trigger, startedBy: 'bench' });
    for (const change of created.changes) {
      if (change.op === 'insert' && change.table === 'run')
        changes.push({ ...change, row: { ...change.row, status: 'completed' } });
      else changes.push(change);
    }
    if (changes.length > 900) {
      await app.parts.store.apply(changes);
      changes = [];
    }
  }
  await app.parts.store.apply(changes);
  await app.close();
}

async function serve(root: string): Promise<{ get: (path: string) => Promise<number>; stop: () => Promise<void> }> {
  const args = [
    '--',
    join(home, 'engine/src/main.ts'),
    'start',
    '--config',
    join(root, 'config'),
    '--data',
    join(root, 'data'),
  ];
  const child = spawn(process.execPath, [...args, '--port', '0', '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().split('\n')[0] ?? '')),
  );
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  return {
    async get(path) {
      const began = performance.now();
      const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
      const { items } = (await answer.json()) as { items: unknown[] };
      if (!answer.ok || items.length === 0) throw new Error(`${path}: ${answer.status}, ${items.length} items`);
      return performance.now() - began;
    },
    async stop() {
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await over;
    },
  };
}

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  await mkdir(join(root, 'data'));
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  await fill(root);
  const server = await serve(root);
  const cold = await server.get('/api/runs?limit=50');
  const warm: number[] = [];
  for (let n = 0; n < 20; n++) warm.push(await server.get('/api/runs?limit=50'));
  await server.stop();
  const result = { runs: COUNT, coldMs: round(cold), medianMs: round(warm.toSorted((a, b) => a - b)[10] ?? NaN) };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(`first page of ${COUNT} runs: ${result.medianMs} ms (median of 20), ${result.coldMs} ms cold`);
} finally {
  await rm(root, { recursive: true, force: true });
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedactor } from '../../engine/src/base/redact.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { type App, openApp } from '../../engine/src/app/app.ts';
import { openSharedStore } from '../../engine/src/app/shared-store.ts';
import type { ProcessRole } from '../../engine/src/app/join-cluster.ts';
import type { ModelAnswer, ModelRequest } from '../../engine/src/model/model.ts';
import { OPEN_STATUSES } from '../../engine/src/run/run.ts';
import { type PostgresServer, startPostgres } from '../../tests/postgres.ts';
import { postgres } from '../../tests/available.ts';
import { send } from '../durable/stage.ts';

/** Settings of a durable server, with enough memory for these benches. */
const SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB', 'synchronous_commit=on'];

/** Starts a real server with fsync. Without PostgreSQL, prints a note and returns undefined. */
export async function openServer(name: string): Promise<PostgresServer | undefined> {
  if (postgres !== undefined) return startPostgres({ fsync: true, settings: SETTINGS });
  console.error(`${name}: skipped, PostgreSQL is not installed`);
  return undefined;
}

/** Opens the app of one process on the shared store, with models that answer in this process. Starts nothing. */
export async function openSharedStage(
  { url, root, role }: { url: string; root: string; role: ProcessRole },
  ask: (request: ModelRequest) => Promise<ModelAnswer>,
): Promise<App> {
  const env = (name: string) => (name === 'KEY' ? 'sk-bench' : undefined);
  const redactor = createRedactor();
  const storeHandle = await openSharedStore({ url, env, log: silentLogger, redactor, version: 'bench' });
  const app = await openApp({
    configDir: join(root, 'config'),
    dataDir: join(root, 'data'),
    env,
    log: silentLogger,
    redactor,
    models: { open: () => ({ ask, available: () => Promise.resolve({ ok: true }) }), close: () => Promise.resolve() },
    tools: [send],
    watch: false,
    storeHandle,
    role,
  });
  const [problem] = app.config.problems();
  if (problem !== undefined) throw new Error(`${problem.file}: ${problem.message}`);
  return app;
}

/** Resolves when all runs have ended. */
export async function allEnded({ deps: { store } }: App): Promise<void> {
  while ((await store.count('run', [['status', 'in', [...OPEN_STATUSES]]])) > 0) await pause(20);
}

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time of the server with all its processes so far, in milliseconds (Linux). */
export function serverCpuMs({ data }: PostgresServer): number {
  const postmaster = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]!;
  const pids = execFileSync('pgrep', ['-P', postmaster], { encoding: 'utf8' }).split('\n').filter(Boolean);
  const ticks = [postmaster, ...pids].map((pid) => ticksOf(pid, pid === postmaster));
  return (ticks.reduce((sum, n) => sum + n, 0) * 1000) / TICKS;
}

/** User and system time of a process in clock ticks; with `hasChildren`, includes its ended children. */
function ticksOf(pid: string, hasChildren: boolean): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    return user + system + (hasChildren ? childUser + childSystem : 0);
  } catch {
    // The process has ended meanwhile; its parent's time includes it.
    return 0;
  }
}

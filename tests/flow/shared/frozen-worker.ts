/**
 * A process that works one run, stops itself at some place of it by SIGSTOP, and is let go on by the test. It begins when it
 * is told by SIGUSR2, and says what it does: `ready`, `stops`, `woke`, `idle`.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { openApp } from '../../../engine/src/app/app.ts';
import type { StoreHandle } from '../../../engine/src/app/local-store.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import type { Queue } from '../../../engine/src/cluster/queue/queue.ts';
import { given } from '../doomed.ts';
import type { FrozenCase } from './frozen-cases.ts';
import { frozenModels, frozenTools } from './frozen-run.ts';

/** Out before anything else happens. */
const say = (line: string) => writeSync(1, `${line}\n`);
let todo: FrozenCase | undefined;
/** Commits that are still to pass before it stops; undefined while what has to happen before has not. */
let left: number | undefined;

function stop(): void {
  todo = undefined;
  say('stops');
  process.kill(process.pid, 'SIGSTOP');
  say('woke');
}

function happened(what: FrozenCase['after']): void {
  if (todo?.after !== what) return;
  if (todo.at === 'once') stop();
  else left = todo.nth ?? 1;
}

/** What it has once had it believes to have for ever. */
function blinded(storeHandle: StoreHandle): StoreHandle {
  const { shared } = storeHandle;
  if (shared === undefined) return storeHandle;
  const { queue } = shared;
  const work: Queue['work'] = (look, concurrency) =>
    queue.work(
      ({ runId, jobId, isRetry, dueAt }) =>
        look({
          ...{ runId, jobId, isRetry, dueAt, signal: new AbortController().signal },
          ...{ isHeld: () => true, onHeldAgain: () => {} },
        }),
      concurrency,
    );
  const blind: Queue = {
    work,
    enqueue: (link, wakes) => queue.enqueue(link, wakes),
    stats: () => queue.stats(),
    stop: () => queue.stop(),
  };
  return { ...storeHandle, shared: { ...shared, queue: blind, isAlive: () => true } };
}

const env = () => undefined;
const [log, redactor] = [silentLogger, createRedactor()];
const storeHandle = await openSharedStore({ url: given('DATABASE_URL'), env, log, redactor, version: '0' });
const root = given('ROOT');
const app = await openApp({
  ...{ env, log, redactor, role: 'worker' },
  configDir: join(root, 'none'),
  dataDir: join(root, 'none'),
  storeHandle: process.env['BLIND'] === '1' ? blinded(storeHandle) : storeHandle,
  models: frozenModels((which) => {
    todo = which;
    happened('asked');
  }),
  tools: frozenTools(join(root, 'world'), () => happened('acted')),
  probe(point) {
    if (point === todo?.at && left !== undefined && --left === 0) stop();
  },
});
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
process.once('SIGUSR2', () => {
  void app.start().then(async () => {
    const isIdle = () => app.engine.load().working + app.engine.load().effects === 0;
    while (todo === undefined && isIdle()) await new Promise((resolve) => setTimeout(resolve, 20));
    while (!isIdle()) await new Promise((resolve) => setTimeout(resolve, 20));
    say('idle');
  });
});
say('ready');

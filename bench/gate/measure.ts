import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openModelServer } from './model-server.ts';
import type { Order } from './task.ts';

/** Paired measurements of one call. */
export const PAIRS = 5;
/** Runs at the same time: so many that steps share commits on a fast disk as on a slow one. */
const WIDTH = 100;
/** Runs of each loop before the first pair, so that both are compiled. */
const WARM_UP: Order = { runs: 200, width: WIDTH };
/** The reference makes more runs, so that both take about the same processor time. */
const CALLSHEET: Order = { runs: 100, width: WIDTH };
const REFERENCE: Order = { runs: 200, width: WIDTH };

/**
 * Processor time of a step of the engine, divided by that of a step of the reference loop: one value a pair. Both processes
 * live through all pairs and work by turns, so a machine that gets slower slows both. Waiting is not counted.
 */
export async function measurePairs(): Promise<number[]> {
  const dir = await mkdtemp(join(tmpdir(), 'callsheet-gate-'));
  const model = await openModelServer();
  const loops = [start('callsheet', model.baseURL, dir), start('reference', model.baseURL)] as const;
  try {
    const [callsheet, reference] = loops;
    await Promise.all(loops.map((loop) => answerOf(loop)));
    for (const loop of loops) await work(loop, WARM_UP);
    const ratios: number[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const engine = await work(callsheet, CALLSHEET);
      ratios.push(engine / CALLSHEET.runs / ((await work(reference, REFERENCE)) / REFERENCE.runs));
    }
    return ratios;
  } finally {
    await Promise.all(loops.map((loop) => end(loop)));
    model.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function start(name: string, ...args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function work(loop: ChildProcess, order: Order): Promise<number> {
  loop.send(order);
  const { cpuMs } = (await answerOf(loop)) as { cpuMs: number };
  return cpuMs;
}

/** The next message of a loop. Rejects if its process ends before. */
async function answerOf(loop: ChildProcess): Promise<unknown> {
  const given = new AbortController();
  const message = once(loop, 'message', given).then(([value]: unknown[]) => value);
  const ended = once(loop, 'exit', given).then(() => {
    throw new Error(`${loop.spawnargs[1]} ended`);
  });
  try {
    return await Promise.race([message, ended]);
  } finally {
    given.abort();
    await Promise.allSettled([message, ended]);
  }
}

async function end(loop: ChildProcess): Promise<void> {
  if (loop.exitCode !== null || loop.signalCode !== null) return;
  const exit = once(loop, 'exit');
  loop.kill('SIGKILL');
  await exit;
}

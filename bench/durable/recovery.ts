/**
 * Measures recovery after a kill. A child process starts 10,000 runs and is killed (SIGKILL) while all of them wait for
 * the model. Then this process opens the same data folder. The bench measures the time until every run has sent its
 * request again, and, with a model that then answers at once, the time until all runs have ended. `node
 * bench/durable/recovery.ts [--json] [--runs=10000] [--turns=1]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ModelAnswer } from '../../engine/src/model/model.ts';
import { measureLag, numberArgument, print, round } from './figures.ts';
import { addItems, addRun, makeRoot, onStatus, openStage, removeRoot } from './stage.ts';

const runs = numberArgument('runs', 10_000);
const turns = numberArgument('turns', 1);
const PAGE = 200;

/** The process that will be killed: prints a line when all its runs wait for the model, which never answers. */
async function hold(root: string): Promise<void> {
  let asked = 0;
  const app = await openStage(root, () => {
    if (++asked === runs) process.stdout.write('ready\n');
    return new Promise<ModelAnswer>(() => {});
  });
  await app.engine.start();
  for (let n = 0; n < runs; n += PAGE) {
    await Promise.all(Array.from({ length: Math.min(PAGE, runs - n) }, () => addRun(app)));
    app.engine.queued();
  }
}

async function killOne(root: string): Promise<void> {
  const args = [fileURLToPath(import.meta.url), `--runs=${runs}`, `--hold=${root}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    gone.then(([code]) => Promise.reject(new Error(`the child ended with ${code}`))),
  ]);
  child.kill('SIGKILL');
  await gone;
}

async function recover(root: string): Promise<void> {
  const play = addItems(turns);
  const askedAll = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let asked = 0;
  const lag = measureLag();
  const began = performance.now();
  const app = await openStage(root, async ({ turn }) => {
    if (++asked === runs) askedAll.resolve();
    await open.promise;
    return play(turn);
  });
  const opened = performance.now();
  const ended = Promise.withResolvers<void>();
  let completed = 0;
  onStatus(app, (id, status) => {
    if (status === 'failed') ended.reject(new Error(`run ${id} failed`));
    if (status === 'completed' && ++completed === runs) ended.resolve();
  });
  const count = await app.engine.start();
  if (count !== runs) throw new Error(`${count} runs were recovered, not ${runs}`);
  await askedAll.promise;
  const takenUp = performance.now();
  const { maxMs, p99Ms } = lag.read();
  open.resolve();
  await ended.promise;
  const finished = performance.now();
  await app.close();
  print('recovery', {
    runs,
    openMs: Math.round(opened - began),
    takenUpMs: Math.round(takenUp - began),
    finishedMs: Math.round(finished - began),
    turns: turns + 1,
    lagP99Ms: p99Ms,
    lagMaxMs: maxMs,
    rssMb: round(process.resourceUsage().maxRSS / 1024),
  });
}

const held = process.argv.find((arg) => arg.startsWith('--hold='))?.slice('--hold='.length);
if (held !== undefined) await hold(held);
else {
  const root = await makeRoot();
  try {
    await killOne(root);
    await recover(root);
  } finally {
    await removeRoot(root);
  }
}

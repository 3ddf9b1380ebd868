/**
 * Measures turns per second with a model that answers after 50 ms, for the embedded default and for 1, 2 and 4 workers
 * on PostgreSQL (fsync on). The workers, the server and this process share the processors of this machine. `node
 * bench/shared/workers.ts [--json] [--runs=1000] [--turns=6] [--latency=50]`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { numberArgument, print, round } from '../durable/figures.ts';
import { addItems, addRun, makeRoot, openStage, removeRoot, runMany } from '../durable/stage.ts';
import { allEnded, openServer, openSharedStage, serverCpuMs } from './stage.ts';

const [runs, turns, latencyMs] = [
  numberArgument('runs', 1000),
  numberArgument('turns', 6),
  numberArgument('latency', 50),
] as const;
const asked = runs * (turns + 1);
const play = addItems(turns);
const ask = async ({ turn }: { turn: number }) => {
  await pause(latencyMs);
  return play(turn);
};

async function embedded(): Promise<void> {
  const root = await makeRoot();
  try {
    const app = await openStage(root, ask);
    await app.engine.start();
    await runMany(app, 200, 200);
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    await runMany(app, runs, runs);
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    await app.close();
    print('embedded', {
      runs,
      latencyMs,
      turnsPerSecond: Math.round(asked / seconds),
      cpuMsPerTurn: round((user + system) / 1000 / asked, 3),
    });
  } finally {
    await removeRoot(root);
  }
}

function startWorker(url: string, root: string): { child: ChildProcess; ready: Promise<unknown> } {
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), `--work=${url}`, `--root=${root}`, ...flags()],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return { child, ready: once(child.stdout!, 'data') };
}

const flags = () => process.argv.slice(2).filter((arg) => /^--(turns|latency)=/.test(arg));

async function shared(workers: number): Promise<void> {
  const server = await openServer('workers');
  if (server === undefined) return;
  const root = await makeRoot();
  const url = await server.createDatabase();
  const desk = await openSharedStage({ url, root, role: 'start' }, ask);
  const started = Array.from({ length: workers }, () => startWorker(url, root));
  try {
    await Promise.all(started.map(({ ready }) => ready));
    const add = async (count: number) => {
      for (let n = 0; n < count; n += 50)
        await Promise.all(Array.from({ length: Math.min(50, count - n) }, () => addRun(desk)));
    };
    await add(200);
    await allEnded(desk);
    const before = serverCpuMs(server);
    const began = performance.now();
    await add(runs);
    await allEnded(desk);
    const seconds = (performance.now() - began) / 1000;
    print(`postgres, ${workers} worker${workers > 1 ? 's' : ''}`, {
      runs,
      latencyMs,
      turnsPerSecond: Math.round(asked / seconds),
      serverCpuMsPerTurn: round((serverCpuMs(server) - before) / asked, 3),
      processors: availableParallelism(),
    });
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
    await desk.close();
    await server.remove();
    await removeRoot(root);
  }
}

const argument = (name: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '';

if (argument('work') === '') {
  await embedded();
  for (const workers of [1, 2, 4]) await shared(workers);
} else {
  const app = await openSharedStage({ url: argument('work'), root: argument('root'), role: 'worker' }, ask);
  await app.start();
  process.stdout.write('ready\n');
}

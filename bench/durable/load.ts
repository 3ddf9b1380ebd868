/**
 * Measures runs and steps per second with every step on disk (SQLite, synchronous=FULL), with 200 concurrent runs of
 * six tool turns, and a model in this process that answers at once and after 5 ms; also the delay of the event loop.
 * `node bench/durable/load.ts [--json] [--runs=2000] [--width=200] [--turns=6]`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { measureLag, numberArgument, print, round, syncMs } from './figures.ts';
import { addItems, makeRoot, openStage, removeRoot, runMany } from './stage.ts';

const [runs, width, turns] = [
  numberArgument('runs', 2000),
  numberArgument('width', 200),
  numberArgument('turns', 6),
] as const;

async function measure(latencyMs: number): Promise<void> {
  const root = await makeRoot();
  try {
    const play = addItems(turns);
    let steps = 0;
    const app = await openStage(
      root,
      async ({ turn }) => {
        if (latencyMs > 0) await pause(latencyMs);
        return play(turn);
      },
      () => steps++,
    );
    await app.engine.start();
    await runMany(app, Math.min(runs, 2 * width), width);
    const lag = measureLag();
    await pause(50);
    lag.reset();
    steps = 0;
    const cpu = process.cpuUsage();
    const began = performance.now();
    await runMany(app, runs, width);
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const { maxMs, p99Ms } = lag.read();
    await app.close();
    print(`load, ${latencyMs} ms model`, {
      runs,
      concurrent: width,
      turns,
      runsPerSecond: round(runs / seconds),
      stepsPerSecond: Math.round(steps / seconds),
      cpuMsPerTurn: round((user + system) / 1000 / (runs * (turns + 1)), 3),
      lagP99Ms: p99Ms,
      lagMaxMs: maxMs,
      fdatasyncMs: syncMs(root),
    });
  } finally {
    await removeRoot(root);
  }
}

for (const latencyMs of [0, 5]) await measure(latencyMs);

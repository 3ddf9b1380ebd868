/**
 * Measures the cost of a turn (one step) with a model that answers at once, on the embedded store and on PostgreSQL
 * with fsync on: one run at a time, and 50 concurrent runs, which share commits. Shows the CPU time of this process and
 * of the server. `node bench/shared/step.ts [--json] [--turns=2100]`.
 */
import type { App } from '../../engine/src/app/app.ts';
import type { PostgresServer } from '../../tests/postgres.ts';
import { numberArgument, print, round, syncMs } from '../durable/figures.ts';
import { addItems, makeRoot, openStage, removeRoot, runMany } from '../durable/stage.ts';
import { openServer, openSharedStage, serverCpuMs } from './stage.ts';

const total = numberArgument('turns', 2100);
const TURNS = 6;
const play = addItems(TURNS);
const ask = ({ turn }: { turn: number }) => Promise.resolve(play(turn));

async function measure(name: string, app: App, root: string, server?: PostgresServer): Promise<void> {
  await runMany(app, 60, 20);
  for (const width of [1, 50]) {
    const runs = Math.ceil((width === 1 ? total / 3 : total * 2) / (TURNS + 1));
    const asked = runs * (TURNS + 1);
    const before = server === undefined ? 0 : serverCpuMs(server);
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    await runMany(app, runs, width);
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    print(`${name}, ${width} at a time`, {
      turns: asked,
      msPerTurn: round(ms / asked, 3),
      cpuMsPerTurn: round((user + system) / 1000 / asked, 3),
      ...(server !== undefined && { serverCpuMsPerTurn: round((serverCpuMs(server) - before) / asked, 3) }),
      fdatasyncMs: syncMs(root),
    });
  }
}

const root = await makeRoot();
try {
  const app = await openStage(root, ask);
  await app.engine.start();
  await measure('embedded', app, root);
  await app.close();
  const server = await openServer('step');
  if (server !== undefined) {
    const shared = await openSharedStage({ url: await server.createDatabase(), root, role: 'start' }, ask);
    await shared.start();
    await measure('postgres', shared, root, server);
    await shared.close();
    await server.remove();
  }
} finally {
  await removeRoot(root);
}

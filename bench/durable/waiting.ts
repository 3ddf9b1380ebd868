/**
 * Measures memory per waiting run: the process with 10,000 runs that wait for a person's approval, compared with the
 * same process before, both after garbage collection. The engine evicts parked runs from memory, so the rest is the
 * page cache of SQLite and memory that the allocator keeps. `node bench/durable/waiting.ts [--json] [--runs=10000]`.
 */
import type { App } from '../../engine/src/app/app.ts';
import { collectGarbage, numberArgument, print, round } from './figures.ts';
import { addRun, answer, makeRoot, onStatus, openStage, removeRoot } from './stage.ts';

const runs = numberArgument('runs', 10_000);
/** Concurrent runs until they wait. */
const WIDTH = 200;
/** Waiting runs before the first measurement, so that code is compiled and caches are full. */
const WARM = 1000;

async function park(app: App, count: number, waiting: Map<string, () => void>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const id = await addRun(app);
      const parked = new Promise<void>((resolve) => waiting.set(id, resolve));
      app.engine.queued();
      await parked;
      waiting.delete(id);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}

function memory(): { heap: number; rss: number; external: number } {
  collectGarbage();
  const { heapUsed, rss, external } = process.memoryUsage();
  return { heap: heapUsed, rss, external };
}

const root = await makeRoot();
try {
  const app = await openStage(root, ({ turn }) =>
    Promise.resolve(answer(turn, { name: 'bench_send', args: { text: 'The quote is fine. '.repeat(12) } })),
  );
  await app.engine.start();
  const waiting = new Map<string, () => void>();
  onStatus(app, (id, status) => {
    if (status === 'waiting') waiting.get(id)?.();
  });
  await park(app, WARM, waiting);
  const before = memory();
  const began = performance.now();
  await park(app, runs, waiting);
  const seconds = (performance.now() - began) / 1000;
  const after = memory();
  const pending = await app.deps.store.count('approval', [['status', '=', 'pending']]);
  if (pending !== runs + WARM) throw new Error(`${pending} runs wait, not ${runs + WARM}`);
  const { inMemory } = app.engine.load();
  await app.close();
  print('waiting', {
    runs,
    heapBytesPerRun: Math.round((after.heap - before.heap) / runs),
    externalBytesPerRun: Math.round((after.external - before.external) / runs),
    rssBytesPerRun: Math.round((after.rss - before.rss) / runs),
    rssMb: round(after.rss / 2 ** 20),
    runsInMemory: inMemory,
    parkedPerSecond: Math.round(runs / seconds),
  });
} finally {
  await removeRoot(root);
}

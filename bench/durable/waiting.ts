/**
 * Memory per waiting run: 10,000 runs that wait for a person to allow a call, against the same process before them, both
 * after garbage collection. Parked runs are evicted, so that what stays is SQLite's page cache and the allocator's.
 * `node bench/durable/waiting.ts [--json] [--runs=10000]`.
 */
import type { App } from '../../engine/src/app/app.ts';
import { collectGarbage, numberArgument, print, round } from './figures.ts';
import { addRun, answer, makeRoot, onStatus, openStage, removeRoot } from './stage.ts';

const runs = numberArgument('runs', 10_000);
/** Runs in flight while they come to wait. */
const WIDTH = 200;
/** Runs that wait before the first measure: code is compiled and caches are full by then. */
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

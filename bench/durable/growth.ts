/**
 * Measures bytes and CPU per turn in runs of 5, 20 and 80 tool turns, one run at a time: the worst case, because no two
 * runs share a commit. Bytes are all bytes passed to write(): database, WAL and checkpoints. The model is in this
 * process, so no bytes go to a socket. Linux only, because it needs the kernel's counter. `node bench/durable/growth.ts
 * [--json] [--turns=3000] [--width=1]`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { numberArgument, print, round } from './figures.ts';
import { addItems, makeRoot, openStage, removeRoot, runMany } from './stage.ts';

const total = numberArgument('turns', 3000);
const width = numberArgument('width', 1);
const IO = '/proc/self/io';

/** Bytes that this process has passed to write() so far. */
function written(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync(IO, 'utf8'))?.[1]);
}

async function measure(turns: number): Promise<number> {
  const root = await makeRoot();
  try {
    const play = addItems(turns);
    const app = await openStage(root, ({ turn }) => Promise.resolve(play(turn)));
    await app.engine.start();
    await runMany(app, 100, 50);
    const runs = Math.ceil(total / (turns + 1));
    const asked = runs * (turns + 1);
    const [cpu, began, before] = [process.cpuUsage(), performance.now(), written()];
    await runMany(app, runs, width);
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    const kilobytes = (written() - before) / asked / 1024;
    await app.close();
    print(`growth, ${turns} tool turns`, {
      runs,
      kbWrittenPerTurn: round(kilobytes),
      cpuMsPerTurn: round((user + system) / 1000 / asked, 3),
      msPerTurn: round(ms / asked, 3),
    });
    return kilobytes;
  } finally {
    await removeRoot(root);
  }
}

if (!existsSync(IO)) print('growth', { leftOut: `no ${IO}: only Linux counts written bytes` });
else {
  const [few = NaN, , many = NaN] = [await measure(5), await measure(20), await measure(80)];
  print('growth, 80 against 5', { bytesRatio: round(many / few, 3) });
}

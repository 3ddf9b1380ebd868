/**
 * Fails if a step has become more expensive: the processor time of a step, divided by that of a loop that only calls the
 * model, must not be above the stored ratio plus 15 % twice in a row (median of five pairs each). `node bench/gate.ts
 * [--json] [--store]`; `--store` measures three times and stores the
 * highest ratio, so that a lucky one sets no limit.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { limitOf, readStored, verdictOf } from './gate/stored.ts';
import { measurePairs, PAIRS } from './gate/measure.ts';
import { median } from './serve.ts';
import { round } from './durable/figures.ts';

const FILE = new URL('./gate/stored.json', import.meta.url);

async function measure(): Promise<number> {
  const ratios = await measurePairs();
  const ratio = round(median(ratios), 3);
  console.error(`step ÷ reference: ${ratio} (${ratios.map((one) => one.toFixed(2)).join(', ')})`);
  return ratio;
}

if (process.argv.includes('--store')) {
  const ratio = Math.max(await measure(), await measure(), await measure());
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
  const stored = { ratio, pairs: PAIRS, date: new Date().toISOString().slice(0, 10), machine };
  writeFileSync(FILE, `${JSON.stringify(stored, null, 2)}\n`);
} else {
  const stored = readStored(readFileSync(FILE, 'utf8'));
  const { ratios, isFailed } = await verdictOf(stored, measure);
  const result = { ratio: ratios.at(-1), stored: stored.ratio, limit: limitOf(stored) };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(`gate: a step costs ${result.ratio} × the reference; at most ${result.limit}`);
  if (isFailed) {
    console.error(
      'gate: a step has become more expensive. If the gain is worth it, store the new ratio: node bench/gate.ts --store',
    );
    process.exitCode = 1;
  }
}

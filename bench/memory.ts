/**
 * Measures the search of memories: hit rates over a labelled set of questions (`bench/memory/questions.ts`), by words
 * alone and with the vectors of the local model; search times among 50,000 memories with vectors of 512 components; start
 * times of the index, and the longest time that it holds the event loop. `node bench/memory.ts [--json] [COUNT]`.
 */
import { createLocalEmbedder } from '../engine/src/memory/embedding/local-embedder.ts';
import { measureHits } from './memory/hits.ts';
import { measureSpeed, type SpeedRow } from './memory/speed.ts';

const DIMENSION = 512;

function print({ name, figures }: SpeedRow): void {
  const short = Object.entries(figures).map(([key, value]) => [key, Number(value.toPrecision(3))] as const);
  const text = process.argv.includes('--json')
    ? JSON.stringify({ name, ...Object.fromEntries(short) })
    : `${name}  ${short.map(([key, value]) => `${key} ${value}`).join('  ')}`;
  process.stdout.write(`memory  ${text}\n`);
}

if (import.meta.main) {
  const count = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 50_000);
  const embedder = createLocalEmbedder();
  for (const { name, questions, at1, at5 } of await measureHits(embedder))
    print({ name: `hits: ${name}`, figures: { questions, 'recall@1': at1, 'recall@5': at5 } });
  if (embedder !== undefined) {
    const startMs = performance.now();
    for (let n = 0; n < 50; n++) await embedder.embed([`question number ${n} about an invoice`], {});
    print({ name: 'local model', figures: { msPerQuery: (performance.now() - startMs) / 50 } });
    await embedder.close();
  }
  for (const row of await measureSpeed(count, DIMENSION)) print(row);
}

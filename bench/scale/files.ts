/**
 * Searches a folder of many small files by name and by content, and prints the times and the longest turn of the event loop
 * meanwhile: `node bench/scale/files.ts [files]`, 100,000 by default.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSearchWorkers } from '../../engine/src/file/search/search-workers.ts';
import { longestTurn } from '../../tests/longest-turn.ts';

const count = Number(process.argv[2] ?? 100_000);
const root = mkdtempSync(join(tmpdir(), 'callsheet-files-'));
const workers = createSearchWorkers(1);
try {
  for (let i = 0; i < count; i++) {
    const folder = join(root, `folder${i % 200}`);
    if (i < 200) mkdirSync(folder);
    writeFileSync(
      join(folder, `note${i}.md`),
      `# Note ${i}\n\n${'A line of text that nobody looks for. '.repeat(20)}\n`,
    );
  }
  console.log(`${count} files of 770 bytes in 200 folders, Node ${process.version}`);
  await measure('by name, no hit', 'nothing', 'name');
  await measure('by name, one hit', `note${count - 1}.md`, 'name');
  await measure('by content, no hit', 'nothing', 'content');
  await measure('by name and content, one hit', `note ${count - 1}`, 'both');
} finally {
  await workers.close();
  rmSync(root, { recursive: true, force: true });
}

async function measure(name: string, query: string, by: 'name' | 'content' | 'both'): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  let hits = 0;
  let isWhole = false;
  const { longestMs } = await longestTurn(async () => {
    const job = { root, folder: root, query, by, documentsOnly: false, limit: 50, timeoutMs: 60_000 };
    ({
      hits: { length: hits },
      isWhole,
    } = await workers.search(job));
  });
  const ms = Math.round(performance.now() - began);
  delay.disable();
  const held = `longest turn ${longestMs.toFixed(1)} ms, longest delay ${(delay.max / 1e6).toFixed(1)} ms`;
  console.log(`${name}: ${ms} ms, ${hits} hits, ${isWhole ? 'whole' : 'not whole'}; ${held}`);
}

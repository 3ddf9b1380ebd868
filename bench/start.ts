/**
 * Measures the time from the start of `callsheet start`, on a copy of the shipped config, to the first answer of `/`.
 * The first start has a new data folder. `node bench/start.ts [--json]`.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { home, median, serve } from './serve.ts';

const STARTS = 7;

async function startOnce(root: string): Promise<{ listening: number; page: number; cpu: number }> {
  const began = performance.now();
  const server = await serve(root);
  const listening = performance.now() - began;
  try {
    if (!(await server.get('/')).includes('<html')) throw new Error('the answer is not an HTML page');
    return { listening, page: performance.now() - began, cpu: server.cpuMs() ?? NaN };
  } finally {
    await server.stop();
  }
}

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  const times = [];
  for (let n = 0; n < STARTS; n++) times.push(await startOnce(root));
  const result = {
    starts: STARTS,
    listeningMs: Math.round(median(times.map((t) => t.listening))),
    firstPageMs: Math.round(median(times.map((t) => t.page))),
    firstPageCpuMs: Math.round(median(times.map((t) => t.cpu))),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `start: listening after ${result.listeningMs} ms, first page after ${result.firstPageMs} ms, ${result.firstPageCpuMs} ms of them processor time (median of ${STARTS})`,
    );
} finally {
  await rm(root, { recursive: true, force: true });
}

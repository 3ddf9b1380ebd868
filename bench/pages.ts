/**
 * Measures pages of a large store over HTTP, on rows as the engine writes them: the first page of runs and of mails, the trace
 * of one run, and searches in mails: a word of every mail, and one that only the oldest has. `node bench/pages.ts [--json]
 * [count]`, 100,000 mails with a run each by default.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { home, median, serve, type Served } from './serve.ts';
import { fill } from './viewer/fill.ts';

const COUNT = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
const REPEATS = 20;

interface List {
  readonly items: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** Asks as the viewer does: goes on after a short page until it has something to show. Returns how long that took, in milliseconds. */
async function timed(server: Served, path: string): Promise<number> {
  const began = performance.now();
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await server.get(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
    const { items, nextCursor } = JSON.parse(answer) as List;
    if (items.length > 0) return performance.now() - began;
    cursor = nextCursor;
  }
  throw new Error(`${path} is empty`);
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n++) times.push(await measure());
  return round(median(times));
}

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  await mkdir(join(root, 'data'));
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  await fill(root, COUNT, COUNT);
  const server = await serve(root);
  const coldMs = round(await timed(server, '/api/runs?limit=50'));
  const [run] = (JSON.parse(await server.get('/api/runs?limit=1')) as List).items;
  const trace = async () => {
    const began = performance.now();
    await server.get(`/api/diagnostics/unified?runId=${run?.id}`);
    return performance.now() - began;
  };
  const result = {
    ...{ count: COUNT, coldMs },
    runsMs: await medianOf(() => timed(server, '/api/runs?limit=50')),
    mailsMs: await medianOf(() => timed(server, '/api/emails?limit=50')),
    traceMs: await medianOf(trace),
    commonWordMs: await medianOf(() => timed(server, '/api/emails?q=order')),
    rareWordMs: await medianOf(() => timed(server, '/api/emails?q=first')),
  };
  await server.stop();
  const { runsMs, mailsMs, traceMs, commonWordMs, rareWordMs } = result;
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `${COUNT} mails with a run each (median of ${REPEATS}): first page of runs ${runsMs} ms (${coldMs} ms cold), of mails ${mailsMs} ms, ` +
        `trace ${traceMs} ms, search for a word of every mail ${commonWordMs} ms, of the oldest alone ${rareWordMs} ms`,
    );
} finally {
  await rm(root, { recursive: true, force: true });
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

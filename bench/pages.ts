/**
 * Measures pages of a large store over HTTP, on rows as the engine writes them: the first page of runs and of mails, the trace
 * of one run, searches in mails (a word of every mail, one that only the oldest has, a number that one has, a word of none), and what
 * the search index costs. `node bench/pages.ts [--json] [--encrypted] [--runs=N] [--folder=PATH] [count]`, 100,000 mails with a run
 * each by default; with `--runs` only the newest N mails have one. With `--folder` the store is kept there, and one that is there
 * already is measured as it is.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateIndex } from '../engine/src/search/update-index.ts';
import { SEARCHED } from '../engine/src/run/searched-runs.ts';
import { makeKey } from '../engine/src/store/cipher.ts';
import { longestTurn } from '../tests/longest-turn.ts';
import { home, median, openToFill, serve, type Served } from './serve.ts';
import { fill } from './viewer/fill.ts';

const COUNT = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
const RUNS = Number(option('runs') ?? COUNT);
const FOLDER = option('folder');
const REPEATS = 20;

/** The value of `--name=value`. */
function option(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((arg) => arg.startsWith(start))?.slice(start.length);
}

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

async function medianOf(measure: () => Promise<number>, repeats = REPEATS): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < repeats; n++) times.push(await measure());
  return round(median(times));
}

/** Median time of a request, and the longest that a small other request had to wait meanwhile. */
async function besideOthers(
  server: Served,
  measure: () => Promise<number>,
): Promise<{ readonly ms: number; readonly waitMs: number }> {
  let isOver = false;
  let waitMs = 0;
  const others = (async () => {
    while (!isOver) {
      const began = performance.now();
      await server.get('/api/health');
      waitMs = Math.max(waitMs, performance.now() - began);
    }
  })();
  const times: number[] = [];
  for (let n = 0; n < REPEATS; n++) times.push(await measure());
  isOver = true;
  await others;
  return { ms: round(median(times)), waitMs: round(waitMs) };
}

/** Builds the search index as the engine does in the background. */
async function buildIndex(root: string, key: string | undefined): Promise<Record<string, number>> {
  const app = await openToFill(root, key);
  const cpu = process.cpuUsage();
  const { longestMs } = await longestTurn(async () => {
    for (const searched of SEARCHED)
      await updateIndex(app.deps.store, searched, { signal: new AbortController().signal });
  });
  const { user, system } = process.cpuUsage(cpu);
  await app.close();
  return {
    indexCpuMsPerMail: Math.round((user + system) / (COUNT + RUNS)) / 1000,
    indexLongestTurnMs: round(longestMs),
  };
}

/** A filled store: its key, and what its index has cost. */
interface Filled {
  readonly key?: string;
  readonly index: Record<string, number>;
}

/** Fills the folder, unless an earlier call has done so. */
async function filled(root: string): Promise<Filled> {
  const file = join(root, 'filled.json');
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before !== undefined) return JSON.parse(before) as Filled;
  const key = process.argv.includes('--encrypted') ? makeKey() : undefined;
  await mkdir(join(root, 'data'), { recursive: true });
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  await fill(root, COUNT, RUNS, key);
  const made = { ...(key !== undefined && { key }), index: await buildIndex(root, key) };
  await writeFile(file, JSON.stringify(made));
  return made;
}

const root = FOLDER ?? (await mkdtemp(join(tmpdir(), 'callsheet-bench-')));
try {
  const { key, index } = await filled(root);
  const server = await serve(root, key);
  const coldMs = round(await timed(server, '/api/runs?limit=50'));
  const [run] = (JSON.parse(await server.get('/api/runs?limit=1')) as List).items;
  const trace = async () => {
    const began = performance.now();
    await server.get(`/api/diagnostics/unified?runId=${run?.id}`);
    return performance.now() - began;
  };
  const search = (words: string) => () => timed(server, `/api/emails?q=${encodeURIComponent(words)}`);
  const result = {
    ...{ count: COUNT, runs: RUNS, isEncrypted: key !== undefined, coldMs, ...index },
    runsMs: await medianOf(() => timed(server, '/api/runs?limit=50')),
    mailsMs: await medianOf(() => timed(server, '/api/emails?limit=50')),
    traceMs: await medianOf(trace),
    commonWordMs: await medianOf(search('order')),
    rareWordMs: await medianOf(search('first')),
    numberMs: await medianOf(search(`order ${COUNT >> 1}`)),
    noWordMs: await medianOf(async () => {
      const began = performance.now();
      await server.get('/api/emails?q=zebra');
      return performance.now() - began;
    }),
    runOfWordMs: await medianOf(() => timed(server, `/api/runs?q=${RUNS === COUNT ? 'first' : COUNT - RUNS}`), 3),
    rareBesideOthers: await besideOthers(server, search('first')),
  };
  await server.stop();
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else {
    const { runsMs, mailsMs, traceMs, commonWordMs, rareWordMs, numberMs, noWordMs, runOfWordMs, rareBesideOthers } =
      result;
    console.log(
      `${COUNT} mails with ${RUNS} runs, ${key === undefined ? 'in plain text' : 'encrypted'} (median of ${REPEATS}): first page of runs ${runsMs} ms ` +
        `(${coldMs} ms cold), of mails ${mailsMs} ms, trace ${traceMs} ms; search for a word of every mail ${commonWordMs} ms, of the oldest ` +
        `alone ${rareWordMs} ms, for a number ${numberMs} ms, for a word of no mail ${noWordMs} ms; another request waits ${rareBesideOthers.waitMs} ms ` +
        `at most; search for the oldest run ${runOfWordMs} ms; index ${index['indexCpuMsPerMail']} ms CPU a mail, longest turn ${index['indexLongestTurnMs']} ms`,
    );
  }
} finally {
  if (FOLDER === undefined) await rm(root, { recursive: true, force: true });
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

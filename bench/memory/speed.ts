import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { modelChange, vectorChange } from '../../engine/src/memory/embedding/vector-rows.ts';
import { reachOf } from '../../engine/src/memory/memory-reach.ts';
import { rowOf } from '../../engine/src/memory/memory-rows.ts';
import { openIndexDatabase } from '../../engine/src/memory/search/index-database.ts';
import { HybridSearch } from '../../engine/src/memory/search/hybrid-search.ts';
import { MemoryIndex } from '../../engine/src/memory/search/memory-index.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Change, Store } from '../../engine/src/store/store.ts';
import { ACROSS, ENGLISH, GERMAN, OTHERS } from './questions.ts';

const LABELLED = [...ENGLISH, ...GERMAN, ...ACROSS];
const NOTES = [...LABELLED.map(([memory]) => memory), ...OTHERS];
const DIRECTORS = 5;
const ROUNDS = 4;

/** Times of a search and of the start, in milliseconds; memory in MB. */
export interface SpeedRow {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** Measures searches among `count` memories of a plain SQLite store, with vectors of `dimension` components. */
export async function measureSpeed(count: number, dimension: number): Promise<SpeedRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-bench-memory-'));
  const store = openSqlite({ dir, synchronous: 'NORMAL' });
  const model = { name: 'bench', dimension };
  const rows: SpeedRow[] = [];
  const file = join(dir, 'memory-index.db');
  const open = (path: string, hasVectors: boolean) =>
    new HybridSearch({
      ...{ store, clock: systemClock, log: silentLogger, file: path },
      vectors: {
        model: async () => (hasVectors ? model : undefined),
        embedQuery: async (query) => (hasVectors ? vectorOf(query, dimension) : undefined),
      },
    });
  try {
    await fill(store, count, model);
    for (const [name, path] of [
      ['built in a file', file],
      ['opened from the file', file],
      ['built in memory', ''],
    ] as const) {
      const search = open(path, true);
      const { value, ms, longestBlockMs, mb } = await observe(() => search.counts());
      rows.push({
        name: `start, index ${name}`,
        figures: { ...value, seconds: ms / 1000, longestBlockMs, threadMb: mb },
      });
      if (path === '') rows.push(await measureSearches('words and vectors', search));
      await search.close();
    }
    const words = open('', false);
    await words.counts();
    rows.push(await measureSearches('words', words));
    await words.close();
    rows.push(measureWork(file, dimension));
    rows.push({ name: 'index file', figures: { mb: statSync(file).size / 1e6 } });
    return rows;
  } finally {
    await store.close();
    rmSync(dir, { recursive: true });
  }
}

async function measureSearches(by: string, search: HybridSearch): Promise<SpeedRow> {
  const times: number[] = [];
  const questions = LABELLED.map(([, question]) => question);
  const scopes = reachOf({ directorId: 'd1', agentId: '', memoryAccess: [] });
  const { longestBlockMs } = await observe(async () => {
    for (let n = 0; n < ROUNDS * questions.length; n++) {
      const startMs = performance.now();
      await search.search(questions[n % questions.length] ?? '', { scopes, limit: 10 });
      times.push(performance.now() - startMs);
    }
  });
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return { name: `search by ${by}`, figures: { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(0.9999), longestBlockMs } };
}

/** Processor time of a search by words and vectors, without the way to the thread: it does not depend on other load. */
function measureWork(file: string, dimension: number): SpeedRow {
  const index = new MemoryIndex(openIndexDatabase(file));
  const reach = reachOf({ directorId: 'd1', agentId: '', memoryAccess: [] });
  const times = LABELLED.map(([, text]) => {
    const startUs = threadUs();
    const vector = vectorOf(text, dimension);
    index.search({ text, vector, reach, tags: [], excludesLocal: true, limit: 10, now: 0 });
    return (threadUs() - startUs) / 1000;
  }).sort((a, b) => a - b);
  index.close();
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return { name: 'search by words and vectors, processor time', figures: { p50Ms: at(0.5), p95Ms: at(0.95) } };
}

/** Runs some work; tells how long it took, for how long it held the event loop at most, and how much memory it kept. */
async function observe<T>(work: () => Promise<T>) {
  const before = process.memoryUsage().rss;
  // Time of the thread's own work between two ticks of a timer: other processes of the machine do not count.
  let longestUs = 0;
  let usedUs = threadUs();
  const timer = setInterval(() => {
    const nowUs = threadUs();
    longestUs = Math.max(longestUs, nowUs - usedUs);
    usedUs = nowUs;
  }, 1);
  const startMs = performance.now();
  const value = await work();
  const ms = performance.now() - startMs;
  clearInterval(timer);
  return { value, ms, longestBlockMs: longestUs / 1000, mb: (process.memoryUsage().rss - before) / 1e6 };
}

async function fill(store: Store, count: number, model: { name: string; dimension: number }): Promise<void> {
  await store.apply([modelChange(model)]);
  for (let from = 0; from < count; from += 500) {
    const changes: Change[] = [];
    for (let n = from; n < Math.min(count, from + 500); n++) {
      const id = `memory_${String(n).padStart(8, '0')}`;
      const text = noteOf(n);
      const at = '2026-11-01T00:00:00.000Z';
      const provenance = [{ writtenBy: 'director', trust: 'trusted', at } as const];
      const space = {
        scope: n % 10 === 0 ? 'global' : 'local',
        directorId: n % 10 === 0 ? '' : `d${n % DIRECTORS}`,
      } as const;
      const memory = {
        ...{ id, ...space, agentId: '', text, owner: 'user', tags: [], provenance },
        trust: 'trusted' as const,
        ...{ createdAt: at, updatedAt: at, revision: 1 },
      };
      changes.push({ op: 'insert', table: 'memory', row: rowOf(memory, id) });
      changes.push(vectorChange(id, 1, model, vectorOf(text, model.dimension)));
    }
    await store.apply(changes);
    await setImmediate();
  }
}

/** Two halves of notes, with a name and a number: many notes share their words, and many words are rare. */
function noteOf(n: number): string {
  const half = (k: number, from: number) => {
    const words = (NOTES[k % NOTES.length] ?? '').split(' ');
    return words.slice(from * Math.ceil(words.length / 2)).slice(0, Math.ceil(words.length / 2));
  };
  const name = ['ka', 'lo', 'mi', 'ster', 'ne', 'ru', 'ba', 'ti'];
  const part = (k: number) => name[Math.floor(n / 8 ** k) % 8] ?? '';
  return [...half(n, 0), ...half(n * 7 + 3, 1), part(0) + part(1) + part(2) + part(3), `no. ${n}`].join(' ');
}

/** A vector that is near those of texts with common words. */
function vectorOf(text: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of text.toLowerCase().split(/\W+/)) {
    let state = 2166136261;
    for (const letter of word) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
    for (let i = 0; i < dimension; i++) {
      state = Math.imul(state ^ (state >>> 13), 1540483477) + i;
      vector[i] = (vector[i] ?? 0) + (state & 1 ? 1 : -1);
    }
  }
  return vector;
}

function threadUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

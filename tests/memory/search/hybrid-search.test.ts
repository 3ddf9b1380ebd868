import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import type { Snapshot } from '../../../engine/src/config/config.ts';
import { MemoryFolders } from '../../../engine/src/memory/memory-folders.ts';
import type { MemorySpace } from '../../../engine/src/memory/memory.ts';
import { EVERYTHING, reachOf } from '../../../engine/src/memory/memory-reach.ts';
import { forgetMemory, updateMemory } from '../../../engine/src/memory/memory-store.ts';
import { HybridSearch } from '../../../engine/src/memory/search/hybrid-search.ts';
import { add, GLOBAL, NOW, openStage, PERSON } from '../stage.ts';

const local = (directorId: string): MemorySpace => ({ scope: 'local', directorId, agentId: '' });
const NO_VECTORS = { model: async () => undefined, embedQuery: async () => undefined };

let stage: ReturnType<typeof openStage>;
let clock: SimulatedClock;
let search: HybridSearch;

beforeEach(() => {
  stage = openStage();
  clock = new SimulatedClock(NOW);
  search = openSearch();
});

afterEach(async () => {
  await search.close();
  await stage.close();
});

function openSearch(): HybridSearch {
  return new HybridSearch({ store: stage.store, clock, log: silentLogger, file: '', vectors: NO_VECTORS });
}

async function idsOf(query: string, options: Partial<Parameters<HybridSearch['search']>[1]> = {}): Promise<string[]> {
  const { hits } = await search.search(query, { scopes: EVERYTHING, limit: 10, ...options });
  return hits.map(({ id }) => id);
}

test('finds nothing where no word fits, and says that it searched by words', async () => {
  await add(stage.store, 'one', GLOBAL, { text: 'Anna prefers short mails' });
  expect(await search.search('zebra crossing', { scopes: EVERYTHING, limit: 10 })).toEqual({ hits: [], by: 'words' });
});

test('results of others take no places', async () => {
  for (let n = 0; n < 100; n++) await add(stage.store, `b${n}`, local('b'), { text: `invoice invoice ${n}` });
  await add(stage.store, 'a', local('a'), { text: 'One of many notes, which names an invoice among other things' });
  const scopes = reachOf({ directorId: 'a', agentId: '', memoryAccess: [] });
  expect(await idsOf('invoice', { scopes, limit: 1 })).toEqual(['a']);
  const none = reachOf({ directorId: 'c', agentId: '', memoryAccess: [] });
  expect(await idsOf('invoice', { scopes: none })).toEqual([]);
});

test('filters by tags and owner', async () => {
  await add(stage.store, 'x', GLOBAL, { text: 'invoice of May', tags: ['a', 'b c'], owner: 'responder' });
  await add(stage.store, 'y', GLOBAL, { text: 'invoice of June', tags: ['a'] });
  expect(await idsOf('invoice', { tags: ['a', 'b c'] })).toEqual(['x']);
  expect(await idsOf('invoice', { owner: 'user' })).toEqual(['y']);
  expect(await idsOf('invoice', { owner: 'user', tags: ['b c'] })).toEqual([]);
});

test('knows added, changed and forgotten memories once it is told of them', async () => {
  expect(await idsOf('invoice')).toEqual([]);
  await add(stage.store, 'x', GLOBAL, { text: 'The invoice is paid' });
  search.changed(['x']);
  expect(await idsOf('invoice')).toEqual(['x']);
  const by = { now: NOW, provenance: PERSON, lookupKey: (text: string) => stage.store.lookupKey(text) };
  await stage.change((draft) => updateMemory(draft, 'x', { text: 'The bill is paid' }, by));
  search.changed(['x']);
  expect(await idsOf('invoice')).toEqual([]);
  expect(await idsOf('bill')).toEqual(['x']);
  await stage.change((draft) => forgetMemory(draft, 'x', { now: NOW }));
  search.changed(['x']);
  expect(await idsOf('bill')).toEqual([]);
});

test('compares all memories where it is not known what has changed', async () => {
  await add(stage.store, 'x', GLOBAL, { text: 'The invoice is paid' });
  await add(stage.store, 'y', GLOBAL, { text: 'The invoice is late' });
  expect((await idsOf('invoice')).sort()).toEqual(['x', 'y']);
  await stage.change((draft) => forgetMemory(draft, 'x', { now: NOW, isHard: true }));
  await add(stage.store, 'z', GLOBAL, { text: 'The invoice is lost' });
  search.changedAll();
  expect((await idsOf('invoice')).sort()).toEqual(['y', 'z']);
});

test.each([
  ['told of', (id: string) => search.changed([id])],
  ['not told of', () => search.changedAll()],
])('knows a memory that it was %s and that came back under its id with another text', async (_name, tell) => {
  await add(stage.store, 'x', GLOBAL, { text: 'The invoice is paid' });
  expect(await idsOf('invoice')).toEqual(['x']);
  await stage.change((draft) => forgetMemory(draft, 'x', { now: NOW, isHard: true }));
  await add(stage.store, 'x', GLOBAL, { text: 'The bill is paid' });
  tell('x');
  expect(await idsOf('invoice')).toEqual([]);
  expect(await idsOf('bill')).toEqual(['x']);
});

test('knows the memory of a file that came back with another text', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-memory-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const config = () => ({ directors: new Map([['boss', { id: 'boss', memory: '.' }]]) }) as unknown as Snapshot;
  const folders = new MemoryFolders({ store: stage.store, log: silentLogger, config, baseDir: dir });
  const file = join(dir, 'note.md');
  const write = (text: string) => writeFileSync(file, `---\ncreated: 2026-11-20T00:00:00Z\n---\n${text}\n`);
  write('The invoice is paid');
  await folders.sync();
  expect(await idsOf('invoice')).toHaveLength(1);
  rmSync(file);
  await folders.sync();
  write('The bill is paid');
  await folders.sync();
  search.changedAll();
  expect(await idsOf('invoice')).toEqual([]);
  expect(await idsOf('bill')).toHaveLength(1);
});

test('finds no memory that has expired', async () => {
  await add(stage.store, 'x', GLOBAL, { text: 'The invoice is paid', expiresAt: new Date(NOW + 1000).toISOString() });
  expect(await idsOf('invoice')).toEqual(['x']);
  clock.advance(1000);
  expect(await idsOf('invoice')).toEqual([]);
});

test('rejects with the reason of an abort', async () => {
  const controller = new AbortController();
  controller.abort(new Error('enough'));
  await expect(idsOf('invoice', { signal: controller.signal })).rejects.toThrow('enough');
});

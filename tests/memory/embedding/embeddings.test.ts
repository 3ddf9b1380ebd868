import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { Claims } from '../../../engine/src/cluster/claims.ts';
import { LocalMeters } from '../../../engine/src/budget/local-meters.ts';
import { listSpend } from '../../../engine/src/budget/spend.ts';
import type { Api, Snapshot } from '../../../engine/src/config/config.ts';
import type { Embedder } from '../../../engine/src/memory/embedding/embedder.ts';
import { storedModel } from '../../../engine/src/memory/embedding/vector-rows.ts';
import type { MemorySpace } from '../../../engine/src/memory/memory.ts';
import { EVERYTHING } from '../../../engine/src/memory/memory-reach.ts';
import { forgetMemory, updateMemory } from '../../../engine/src/memory/memory-store.ts';
import { notingMemories, type MemoryService, openMemory } from '../../../engine/src/memory/open-memory.ts';
import { createEmbeddingModels } from '../../../engine/src/model/models.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { LiveBus } from '../../../engine/src/trace/live-bus.ts';
import { type ChatServer, type Handler, sendJson, startServer } from '../../model/chat-server.ts';
import { KEY, openaiApi } from '../../model/fixtures.ts';
import { add, change, GLOBAL, NOW, openStage, PERSON } from '../stage.ts';

/** A peer of the embeddings API: a vector counts the letters of a text, so that texts of the same letters are near. */
function vectorOf(text: string, dimension: number): number[] {
  const counts = new Array<number>(dimension).fill(0);
  for (const letter of text.toLowerCase()) if (/[a-z]/.test(letter)) counts[letter.charCodeAt(0) % dimension]! += 1;
  return counts;
}

/** A clock that tells when somebody waits for a time. */
class WatchedClock extends SimulatedClock {
  readonly #waits: number[] = [];
  #told = () => {};

  override delay(fn: () => void, ms: number): () => void {
    this.#waits.push(ms);
    this.#told();
    return super.delay(fn, ms);
  }

  /** Resolves when a delay of `ms` has been asked for. */
  async waitsFor(ms: number): Promise<void> {
    while (!this.#waits.includes(ms)) await new Promise<void>((resolve) => (this.#told = resolve));
  }
}

interface Sent {
  readonly model: string;
  readonly input: readonly string[];
  readonly encoding_format: string;
}

let stage: ReturnType<typeof openStage>;
let store: Store;
let live: LiveBus;
let clock: WatchedClock;
let server: ChatServer;
let memory: MemoryService;
let dimension: number;
let answer: Handler;
/** What the settings and the config say. */
let apis: Map<string, Api>;
let settings: Snapshot['settings']['memory']['embeddings'];
let directors: Map<string, { id: string; agents: string[]; locality: 'local' }>;

beforeEach(async () => {
  stage = openStage();
  live = new LiveBus();
  clock = new WatchedClock(NOW);
  store = notingMemories(stage.store, (changed) => live.publish('memory', changed));
  dimension = 16;
  answer = (request, response) => {
    const { input } = JSON.parse(request.body) as Sent;
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dimension) }));
    sendJson(response, { object: 'list', data, usage: { prompt_tokens: 100, total_tokens: 100 } });
  };
  server = await startServer((request, response) => answer(request, response));
  apis = new Map([['main', openaiApi(`${server.origin}/v1`)]]);
  settings = { apiConfigId: 'main', model: 'small', local: true };
  directors = new Map();
  memory = open();
});

afterEach(async () => {
  await memory.close();
  await server.close();
  await stage.close();
});

function open(openLocal: () => Embedder | undefined = () => undefined, bus = live, claims?: Claims): MemoryService {
  const meters = new LocalMeters(store);
  const config = () =>
    ({
      apis,
      directors,
      agents: new Map(),
      settings: { memory: { embeddings: settings }, budget: {} },
    }) as unknown as Snapshot;
  const resolve = () => KEY;
  const models = createEmbeddingModels({ resolve, redactor: createRedactor(), clock, log: silentLogger });
  const opened = {
    store,
    clock,
    log: silentLogger,
    live: bus,
    claims,
    config,
    models,
    meters: () => meters,
    openLocal,
  };
  return openMemory({ ...opened, worker: 'worker_1', indexFile: '', baseDir: '/' });
}

function sent(): Sent[] {
  return server.seen.map(({ body }) => JSON.parse(body) as Sent);
}

/** Starts the background work, and waits until it has nothing to do. */
async function embedAll(): Promise<void> {
  memory.start();
  await memory.idle();
}

const find = (query: string, more: object = {}) =>
  memory.search.search(query, { scopes: EVERYTHING, limit: 3, ...more });
const local = (directorId: string): MemorySpace => ({ scope: 'local', directorId, agentId: '' });

test('an added memory is found by words at once, and by its vector once it is embedded', async () => {
  await add(store, 'x', GLOBAL, { text: 'stressed' });
  expect(await find('desserts')).toEqual({ hits: [], by: 'words' });
  await embedAll();
  expect(await find('desserts')).toMatchObject({ hits: [{ id: 'x' }], by: 'words+vectors', model: 'small' });
});

test('sends texts in batches, as floats, with the key', async () => {
  for (let n = 0; n < 40; n++) await add(store, `m${n}`, GLOBAL, { text: `note ${n}` });
  await embedAll();
  expect(sent().map(({ model, input, encoding_format }) => [model, input.length, encoding_format])).toEqual([
    ['small', 32, 'float'],
    ['small', 8, 'float'],
  ]);
  expect(server.seen[0]).toMatchObject({ path: '/v1/embeddings', headers: { authorization: `Bearer ${KEY}` } });
  expect(await memory.status()).toEqual({ memories: 40, vectors: 40, model: 'small', place: 'api main' });
});

test('embeds a changed memory again, and only that one', async () => {
  await add(store, 'x', GLOBAL, { text: 'tea' });
  await add(store, 'y', GLOBAL, { text: 'coffee' });
  await embedAll();
  const by = { now: NOW, provenance: PERSON, lookupKey: (text: string) => store.lookupKey(text) };
  await change(store, (draft) => updateMemory(draft, 'x', { text: 'green tea' }, by));
  await memory.idle();
  expect(sent().map(({ input }) => input)).toEqual([['tea', 'coffee'], ['green tea']]);
});

test('goes on after a restart where it stopped', async () => {
  for (let n = 0; n < 40; n++) await add(store, `m${String(n).padStart(2, '0')}`, GLOBAL, { text: `note ${n}` });
  const works = answer;
  answer = (request, response) => {
    if (server.seen.length === 1) return works(request, response);
    sendJson(response, { error: { message: 'down' } }, 500);
  };
  memory.start();
  await server.whenSeen(2);
  await memory.close();
  answer = works;
  memory = open();
  await embedAll();
  expect(sent().at(-1)?.input).toHaveLength(8);
  expect(await memory.status()).toMatchObject({ memories: 40, vectors: 40 });
});

test('tries again after a failure, as late as the server asks', async () => {
  await add(store, 'x', GLOBAL, { text: 'tea' });
  const works = answer;
  answer = (_request, response) =>
    sendJson(response, { error: { message: 'slow down' } }, 429, { 'retry-after': '30' });
  memory.start();
  await server.whenSeen(1);
  answer = works;
  await clock.waitsFor(30_000);
  clock.advance(29_000);
  expect(server.seen).toHaveLength(1);
  clock.advance(2_000);
  await memory.idle();
  expect(await memory.status()).toMatchObject({ vectors: 1 });
});

test('keeps no vector of a memory that is deleted while the model has its text', async () => {
  await add(store, 'x', GLOBAL, { text: 'tea' });
  await add(store, 'y', GLOBAL, { text: 'coffee' });
  const works = answer;
  answer = (request, response) => {
    const deleted = change(store, (draft) => forgetMemory(draft, 'x', { now: NOW, isHard: true }));
    void deleted.then(() => works(request, response));
  };
  await embedAll();
  expect((await store.list('memoryVector')).map(({ memory }) => memory)).toEqual(['y']);
});

test('leaves out a text that the model refuses', async () => {
  for (const id of ['x', 'bad', 'y']) await add(store, id, GLOBAL, { text: `note ${id}` });
  const works = answer;
  answer = (request, response) =>
    request.body.includes('bad')
      ? sendJson(response, { error: { message: 'too long' } }, 400)
      : works(request, response);
  await embedAll();
  expect(await memory.status()).toMatchObject({ memories: 3, vectors: 2 });
  expect((await find('bad')).hits.map(({ id }) => id)).toContain('bad');
});

describe('another model', () => {
  test('embeds all again, and until then finds by words alone', async () => {
    await add(store, 'x', GLOBAL, { text: 'stressed' });
    await embedAll();
    dimension = 8;
    settings = { ...settings, model: 'large' };
    const works = answer;
    answer = (_request, response) => sendJson(response, { error: { message: 'down' } }, 500);
    memory.configChanged();
    expect(await find('stressed')).toMatchObject({ hits: [{ id: 'x' }], by: 'words' });
    await clock.waitsFor(1000);
    answer = works;
    memory.configChanged();
    await memory.idle();
    expect(await find('desserts')).toMatchObject({ hits: [{ id: 'x' }], by: 'words+vectors', model: 'large' });
    expect(await storedModel(store)).toEqual({ name: 'large', dimension: 8 });
    expect(await store.list('memoryVector')).toMatchObject([{ memory: 'x', model: 'large', dimension: 8 }]);
  });

  test('behind the same name is noticed by its dimension', async () => {
    await add(store, 'x', GLOBAL, { text: 'stressed' });
    await embedAll();
    dimension = 8;
    await add(store, 'y', GLOBAL, { text: 'evil' });
    await memory.idle();
    const rows = await store.list('memoryVector', { order: [['memory', 'asc']] });
    expect(rows.map((row) => [row.memory, row.dimension])).toEqual([
      ['x', 8],
      ['y', 8],
    ]);
    const { hits, by } = await find('vile');
    expect([hits[0]?.id, by]).toEqual(['y', 'words+vectors']);
  });
});

describe('locality', () => {
  beforeEach(() => {
    directors.set('secretary', { id: 'secretary', agents: ['writer'], locality: 'local' });
  });

  test('nothing of a local director is sent to a remote api: neither memories nor searches', async () => {
    const byWriter = { ...PERSON, writtenBy: 'agent', actorId: 'writer' } as const;
    await add(store, 'a', local('secretary'), { text: 'secret of its own' });
    await add(store, 'b', GLOBAL, { text: 'secret of a run', isLocal: true });
    await add(store, 'c', GLOBAL, { text: 'secret of its agent' }, { provenance: byWriter });
    await add(store, 'd', GLOBAL, { text: 'public' });
    await embedAll();
    await find('secret question', { isOffline: true });
    expect(sent().flatMap(({ input }) => input)).toEqual(['public']);
    expect((await find('secret', { isOffline: true })).by).toBe('words');
  });

  test('an api that is marked local gets them', async () => {
    apis.set('main', openaiApi(`${server.origin}/v1`, { locality: 'local' }));
    await add(store, 'a', local('secretary'), { text: 'stressed' });
    await embedAll();
    expect(await find('desserts', { isOffline: true })).toMatchObject({ by: 'words+vectors' });
  });
});

test('a search whose model does not answer finds by words', async () => {
  await add(store, 'x', GLOBAL, { text: 'tea at four' });
  await embedAll();
  answer = (_request, response) => sendJson(response, { error: { message: 'down' } }, 500);
  expect(await find('tea')).toEqual({ hits: [{ id: 'x', score: expect.any(Number) }], by: 'words' });
});

test('the searches of one lookup embed their query once', async () => {
  await add(store, 'x', GLOBAL, { text: 'tea at four' });
  await embedAll();
  for (let n = 0; n < 3; n++) await find('tea');
  expect(sent().map(({ input }) => input)).toEqual([['tea at four'], ['tea']]);
});

test('a deleted memory takes its vector along', async () => {
  await add(store, 'x', GLOBAL, { text: 'tea at four' });
  await embedAll();
  await store.apply([{ op: 'delete', table: 'memory', where: { id: 'x' } }]);
  expect(await store.list('memoryVector')).toEqual([]);
});

test('costs are in spend, where the price is known', async () => {
  apis.set(
    'main',
    openaiApi(`${server.origin}/v1`, { model: 'small', price: { inputPerMillion: 20, outputPerMillion: 0 } }),
  );
  await add(store, 'x', GLOBAL, { text: 'tea at four' });
  await embedAll();
  await find('tea');
  const lines = await listSpend(store, '2026-11-01');
  expect(lines).toEqual([
    {
      day: '2026-11-22',
      directorId: '',
      apiId: 'main',
      runs: 0,
      turns: 2,
      inputTokens: 200,
      outputTokens: 0,
      cost: 0.004,
    },
  ]);
});

test('requests count for the limits of the api', async () => {
  const limits = { timeoutSeconds: 20, concurrency: 8, requestsPerMinute: 1 };
  apis.set('main', openaiApi(`${server.origin}/v1`, { limits }));
  await add(store, 'x', GLOBAL, { text: 'tea at four' });
  await embedAll();
  expect((await find('tea')).by).toBe('words');
  expect(server.seen).toHaveLength(1);
});

test('another process learns of changes and vectors by signals, and after a gap by the store', async () => {
  const listeners = new Set<(data: unknown) => void>();
  const gaps = new Set<() => void>();
  const other = new LiveBus();
  live.join({ send: (_kind, data) => listeners.forEach((fn) => fn(data)), on: () => () => {}, onGap: () => () => {} });
  other.join({
    send: () => {},
    on: (_kind, fn) => (listeners.add(fn), () => listeners.delete(fn)),
    onGap: (fn) => (gaps.add(fn), () => gaps.delete(fn)),
  });
  const second = open(() => undefined, other);
  const found = async (query: string) =>
    (await second.search.search(query, { scopes: EVERYTHING, limit: 3 })).hits[0]?.id;
  expect(await found('tea')).toBeUndefined();
  await add(store, 'x', GLOBAL, { text: 'stressed tea' });
  expect(await found('tea')).toBe('x');
  await embedAll();
  expect(await found('desserts eat')).toBe('x');
  await add(stage.store, 'y', GLOBAL, { text: 'coffee' });
  expect(await found('coffee')).not.toBe('y');
  gaps.forEach((fn) => fn());
  expect(await found('coffee')).toBe('y');
  await second.close();
});

test('one process at a time makes vectors: without the claim nothing is sent', async () => {
  await memory.close();
  let take = () => {};
  const release = async () => {};
  const acquire = (_name: string, { onTaken }: { onTaken: () => void }) => ((take = onTaken), release);
  memory = open(() => undefined, live, { acquire } as unknown as Claims);
  await add(store, 'x', GLOBAL, { text: 'tea' });
  await embedAll();
  expect(server.seen).toEqual([]);
  take();
  await memory.idle();
  expect(server.seen).toHaveLength(1);
});

describe('without an api', () => {
  const fake: Embedder = {
    ...{ name: 'fake', place: 'on this machine', isRemote: false, batch: 4 },
    embed: async (texts) => ({ vectors: texts.map((text) => Float32Array.from(vectorOf(text, 16))) }),
    close: async () => {},
  };

  beforeEach(async () => {
    await memory.close();
    settings = { local: true };
    memory = open(() => fake);
    await add(store, 'x', GLOBAL, { text: 'stressed' });
  });

  test('the local model is used', async () => {
    await embedAll();
    expect(await find('desserts', { isOffline: true })).toMatchObject({ by: 'words+vectors', model: 'fake' });
    expect(server.seen).toEqual([]);
  });

  test('and with local: false, words alone', async () => {
    settings = { local: false };
    memory.configChanged();
    await embedAll();
    expect(await memory.status()).toEqual({ memories: 1, vectors: 0 });
  });
});

import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type App, openApp } from '../../engine/src/app/app.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { EVERYTHING } from '../../engine/src/memory/memory-reach.ts';
import { vectorChange } from '../../engine/src/memory/embedding/vector-rows.ts';
import { add, GLOBAL } from '../memory/stage.ts';
import { findWords } from '../store/folder.ts';

const WORD = 'quokka';
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-app-memory-'));
  mkdirSync(join(dir, 'config'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function open(key?: string): Promise<App> {
  const env = (name: string) => (name === 'VX_MAILAGENT_KEY' ? key : undefined);
  return openApp({ configDir: join(dir, 'config'), dataDir: join(dir, 'data'), env, log: silentLogger, watch: false });
}

async function find(app: App): Promise<string[]> {
  const { hits } = await app.memory.search.search(WORD, { scopes: EVERYTHING, limit: 5 });
  return hits.map(({ id }) => id);
}

const file = () => join(dir, 'data', 'memory-index.db');

test('in plain text, the index is a file for its owner alone, which is made again where it is missing', async () => {
  const first = await open();
  await add(first.deps.store, 'x', GLOBAL, { text: `The ${WORD} likes marmalade` });
  expect(await find(first)).toEqual(['x']);
  await first.close();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(findWords(join(dir, 'data'), [WORD])).toContain(`memory-index.db: ${WORD}`);
  rmSync(file());
  const second = await open();
  expect(await find(second)).toEqual(['x']);
  await second.close();
});

test('with a key, nothing of a memory is plain on the disk, not even in an index from before', async () => {
  mkdirSync(join(dir, 'data'), { mode: 0o700 });
  for (const suffix of ['', '-wal']) writeFileSync(`${file()}${suffix}`, WORD);
  const app = await open('ab'.repeat(32));
  expect(existsSync(file())).toBe(false);
  await add(app.deps.store, 'y', GLOBAL, { text: `The ${WORD} likes marmalade`, tags: [WORD] });
  const text = new TextEncoder().encode(WORD.repeat(4));
  const vector = new Float32Array(text.buffer.slice(0, 24));
  await app.deps.store.apply([vectorChange('y', 1, { name: 'test', dimension: 6 }, vector)]);
  expect(await find(app)).toEqual(['y']);
  expect(findWords(join(dir, 'data'), [WORD])).toEqual([]);
  await app.close();
  expect(findWords(join(dir, 'data'), [WORD])).toEqual([]);
  expect(existsSync(file())).toBe(false);
});

test('a forgotten memory leaves no word in the file', async () => {
  const app = await open();
  await add(app.deps.store, 'x', GLOBAL, { text: `The ${WORD} likes marmalade` });
  await add(app.deps.store, 'y', GLOBAL, { text: 'Something else' });
  await find(app);
  await app.deps.store.apply([{ op: 'delete', table: 'memory', where: { id: 'x' } }]);
  expect(await find(app)).toEqual([]);
  await app.close();
  expect(findWords(join(dir, 'data'), [WORD]).filter((found) => found.startsWith('memory-index'))).toEqual([]);
});

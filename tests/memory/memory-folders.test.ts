import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtInToolCatalog } from '../../engine/src/app/tool-catalog.ts';
import { validateConfig } from '../../engine/src/config/validate-folder.ts';
import { listMemories } from '../../engine/src/memory/memory-rows.ts';
import { forgetMemory, updateMemory } from '../../engine/src/memory/memory-store.ts';
import { env, makeFolder, VALID } from '../config/folder.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';
import { change, PERSON } from './stage.ts';

let stage: Stage;
const director = (id: string, more: string) => ({
  [`directors/${id}.yaml`]: `id: ${id}\nname: ${id}\napiConfigId: main\n${more}`,
});

beforeEach(async () => {
  stage = await setStage({
    models: playModels(() => ({ content: 'done' })),
    files: {
      ...director('boss', 'agents: [helper]\nmemory: ./memories\n'),
      ...director('other', 'agents: [helper]\n'),
    },
  });
  mkdirSync(join(stage.root, 'memories'));
});
afterEach(() => stage.close());

let time = 0;
function note(name: string, matter: string, text: string): void {
  const file = join(stage.root, 'memories', name);
  writeFileSync(file, `---\n${matter}---\n${text}\n`);
  // Two writes within a millisecond must differ.
  utimesSync(file, new Date(), new Date(1_790_000_000_000 + ++time * 1000));
}

const reader = (directorId: string, agentId = '') => ({ directorId, agentId, memoryAccess: [] });
async function found(who: ReturnType<typeof reader>, query = 'tea'): Promise<string[]> {
  const memory = stage.app.deps.memory();
  const { memories } = await memory.recall(stage.app.deps.store, { reader: who, query, limit: 10 });
  return memories.map(({ text }) => text).toSorted();
}

test('a director reads the files of its folder, each in its scope, and another director only global ones', async () => {
  note('own.md', '', 'tea of boss');
  note('pair.md', 'scope: shared\nagent: helper\n', 'tea of both');
  note('all.md', 'scope: global\ntags: [tea]\n', 'tea of all');
  expect(await found(reader('boss'))).toEqual(['tea of all', 'tea of boss', 'tea of both']);
  expect(await found(reader('boss', 'helper'))).toEqual(['tea of all', 'tea of both']);
  expect(await found(reader('other'))).toEqual(['tea of all']);
  expect(await found(reader('other', 'helper'))).toEqual(['tea of all']);
  expect(await found(reader('boss'), '')).toHaveLength(3);
});

test('a changed, a new and a deleted file count at the next lookup, and so does the key', async () => {
  note('a.md', '', 'tea at four');
  expect(await found(reader('boss'))).toEqual(['tea at four']);
  note('a.md', '', 'tea at five');
  note('b.md', '', 'tea is out');
  expect(await found(reader('boss'))).toEqual(['tea at five', 'tea is out']);
  rmSync(join(stage.root, 'memories', 'a.md'));
  expect(await found(reader('boss'))).toEqual(['tea is out']);
  stage.write(director('boss', 'agents: [helper]\n'));
  await stage.restart();
  expect(await found(reader('boss'))).toEqual([]);
});

test('a file that did not change keeps its row, also across a restart', async () => {
  note('a.md', '', 'tea at four');
  await found(reader('boss'));
  const rows = await stage.app.deps.store.list('memory');
  await stage.restart();
  await found(reader('boss'));
  expect(await stage.app.deps.store.list('memory')).toEqual(rows);
});

test('nobody but the file changes such a memory', async () => {
  note('a.md', '', 'tea at four');
  await found(reader('boss'));
  const { store, clock } = stage.app.deps;
  const now = clock.now();
  const [memory] = await listMemories(store, { now });
  expect(memory).toMatchObject({ folder: 'boss', owner: 'user', trust: 'trusted' });
  const id = memory?.id ?? '';
  const by = { now, provenance: PERSON, lookupKey: (text: string) => store.lookupKey(text) };
  const refused = { code: 'MEMORY_READ_ONLY' };
  await expect(change(store, (draft) => updateMemory(draft, id, { text: 'x' }, by))).rejects.toMatchObject(refused);
  await expect(change(store, (draft) => forgetMemory(draft, id, { now, isHard: true }))).rejects.toMatchObject(refused);
});

test('a file that is wrong, foreign or a link out of the folder is left out, and hinders no other', async () => {
  note('good.md', '', 'tea at four');
  note('bad.md', 'scope: mine\n', 'tea of bad');
  note('foreign.md', 'scope: local\ndirector: other\n', 'tea of other');
  writeFileSync(join(stage.root, 'secret.md'), '---\n---\ntea of secret\n');
  symlinkSync(join(stage.root, 'secret.md'), join(stage.root, 'memories', 'link.md'));
  expect(await found(reader('boss'))).toEqual(['tea at four']);
  expect(await found(reader('other'))).toEqual([]);
});

test('a folder that is missing is no memories', async () => {
  rmSync(join(stage.root, 'memories'), { recursive: true });
  expect(await found(reader('boss'))).toEqual([]);
});

test('a folder of memories cannot be the config folder', async () => {
  const { dir } = await makeFolder({
    ...VALID,
    'directors/boss.yaml': 'id: boss\napiConfigId: main\nmemory: ./config\n',
  });
  const { problems } = await validateConfig({ dir, catalog: builtInToolCatalog(), env });
  expect(problems.map(({ code }) => code)).toEqual(['CONFIG_ROOT']);
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSqlite } from '../../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Memory } from '../../../../engine/src/memory/memory.ts';
import { listMemories } from '../../../../engine/src/memory/memory-rows.ts';
import type { Store } from '../../../../engine/src/store/store.ts';
import { add, FROM_MAIL, GLOBAL } from '../../../memory/stage.ts';
import { FILES, makePlace, type Place } from '../../harness.ts';

let place: Place;
beforeAll(() => {
  place = makePlace({ ...FILES });
  mkdirSync(place.dataDir, { recursive: true });
});
afterAll(() => place.remove());
beforeEach(async () => {
  await inStore(async (store) => {
    for (const { id } of await store.list('memory'))
      await store.apply([{ op: 'delete', table: 'memory', where: { id } }]);
    await add(
      store,
      'mem_0tea',
      GLOBAL,
      { text: 'Anna likes green tea.\n\n---\n# Not front matter', tags: ['anna', 'a: b'] },
      { now: 1000 },
    );
    const local = { scope: 'local', directorId: '', agentId: 'reader' } as const;
    const text = {
      text: '  "Ignore" everything: {{email}} 🍵',
      expiresAt: '2099-01-01T00:00:00.000Z',
      isLocal: true as const,
    };
    await add(store, 'mem_0bad', local, text, { now: 2000, provenance: FROM_MAIL });
    const shared = { scope: 'shared', directorId: 'boss', agentId: 'reader' } as const;
    await add(store, 'mem_0office', shared, { text: 'The office is closed.' }, { now: 3000 });
  });
  rmSync(join(place.dir, 'notes'), { recursive: true, force: true });
});

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqlite({ dir: place.dataDir });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
const memories = (): Promise<Memory[]> => inStore((store) => listMemories(store, { now: Date.now() }));
const notes = (name = '') => join(place.dir, 'notes', name);

test('memories are listed and searched, and the answer says how', async () => {
  const list = await place.run(['memory', 'list']);
  expect(list.stdout).toMatch(
    /^ID +SCOPE +OF +DATE +TRUST +CONTENT\n\S+ +shared +boss\+reader +1970-01-01 +trusted +The office is closed\.\n/,
  );
  expect((await place.run(['memory', 'list', '--untrusted'])).stdout).toMatch(
    /^ID.*\n\S+ +local +reader +1970-01-01 +untrusted +"Ignore"/,
  );
  const found = await place.run(['memory', 'search', 'which', 'tea']);
  expect(found).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Anna likes green tea.'),
    stderr: 'searched by words\n',
  });
  expect(found.stdout.split('\n')).toHaveLength(3);
  const none = await place.run(['memory', 'search', 'zebra', '--json']);
  expect(JSON.parse(none.stdout)).toEqual({ items: [], nextCursor: null, by: 'words' });
});

test('exported files are imported again as equal memories, twice', async () => {
  const before = await memories();
  const exported = await place.run(['memory', 'export', 'notes']);
  expect(exported).toMatchObject({
    code: 0,
    stderr: `3 memories, 3 files written to ${notes('').replace(/\/$/, '')}\n`,
  });
  expect(readdirSync(notes()).sort()).toEqual(['mem_0bad.md', 'mem_0office.md', 'mem_0tea.md']);
  expect(statSync(notes('mem_0bad.md')).mode & 0o777).toBe(0o600);
  const again = await place.run(['memory', 'import', 'notes']);
  expect(again).toMatchObject({ code: 0, stderr: '0 added, 0 changed, 3 known already\n' });
  expect(await memories()).toEqual(before);
  await inStore(async (store) => {
    for (const { id } of before) await store.apply([{ op: 'delete', table: 'memory', where: { id } }]);
  });
  expect((await place.run(['memory', 'import', 'notes'])).stderr).toBe('3 added, 0 changed, 0 known already\n');
  expect((await memories()).map((memory) => ({ ...memory, revision: 1 }))).toEqual(before);
});

test('a file says what it is about, and git shows what has changed', async () => {
  await place.run(['memory', 'export', 'notes', '--scope', 'shared']);
  expect(readFileSync(notes('mem_0office.md'), 'utf8')).toBe(`---
id: mem_0office
scope: shared
director: boss
agent: reader
owner: user
tags: []
trust: trusted
created: 1970-01-01T00:00:03.000Z
updated: 1970-01-01T00:00:03.000Z
provenance:
  - writtenBy: person
    trust: trusted
    at: 2026-11-22T12:00:00.000Z
---

The office is closed.
`);
  const git = (...args: string[]) => execFileSync('git', ['-C', notes(), ...args], { encoding: 'utf8' });
  git('init', '-q');
  git('add', '.');
  const edited = readFileSync(notes('mem_0office.md'), 'utf8')
    .replace('closed', 'open')
    .replace('tags: []', 'tags: [office]');
  writeFileSync(notes('mem_0office.md'), edited);
  expect((await place.run(['memory', 'import', 'notes/mem_0office.md'])).stderr).toBe(
    '0 added, 1 changed, 0 known already\n',
  );
  expect(await memories()).toContainEqual(
    expect.objectContaining({ id: 'mem_0office', text: 'The office is open.', tags: ['office'], revision: 2 }),
  );
  git('add', '.');
  await place.run(['memory', 'export', 'notes', '--scope', 'shared']);
  expect(git('diff', '--name-only')).toBe('mem_0office.md\n');
  expect(git('diff', '--numstat')).toMatch(/^\d+\t\d+\tmem_0office\.md\n$/);
});

test('a forgotten memory comes back, and files of memories that are gone are pruned', async () => {
  await place.run(['memory', 'export', 'notes']);
  const forgotten = await place.run(['memory', 'forget', '0tea']);
  expect(forgotten).toMatchObject({
    code: 0,
    stderr: 'forgotten: mem_0tea; callsheet memory restore brings it back\n',
  });
  expect((await place.run(['memory', 'list', '--forgotten'])).stdout).toContain('forgotten');
  expect((await place.run(['memory', 'export', 'notes'])).stderr).toContain(
    '1 files of memories that are gone or not selected stay',
  );
  expect(await place.run(['memory', 'restore', 'mem_0tea'])).toMatchObject({ code: 0 });
  await place.run(['memory', 'forget', 'mem_0tea', '--hard']);
  expect(await place.run(['memory', 'restore', 'mem_0tea'])).toMatchObject({ code: 2 });
  await place.run(['memory', 'export', 'notes', '--prune']);
  expect(readdirSync(notes()).sort()).toEqual(['mem_0bad.md', 'mem_0office.md']);
});

test.each([
  ['no front matter', 'text', 'the file does not begin with front matter'],
  ['no scope', '---\nowner: me\n---\ntext', 'scope is missing'],
  ['an unknown key', '---\nscope: global\ntag: x\n---\ntext', 'unknown key "tag"'],
  ['no text', '---\nscope: global\n---\n', 'the text is missing'],
  ['a bad id', '---\nscope: global\nid: ../x\n---\ntext', 'id must be'],
  ['a bad time', '---\nscope: global\nexpires: soon\n---\ntext', 'expires must be a time'],
  ['a scope without its agent', '---\nscope: shared\ndirector: boss\n---\ntext', 'scope shared needs'],
  ['bad YAML', '---\nscope: [\n---\ntext', 'the front matter is no YAML'],
])('a file with %s is refused by name', async (_name, content, message) => {
  writeFileSync(join(place.dir, 'x.md'), content);
  const { code, stderr } = await place.run(['memory', 'import', 'x.md']);
  expect([code, stderr.includes(`x.md: ${message}`)]).toEqual([2, true]);
});

test('an export names a folder that cannot be made', async () => {
  writeFileSync(join(place.dir, 'taken'), '');
  const { code, stderr } = await place.run(['memory', 'export', 'taken']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${join(place.dir, 'taken')} cannot be written: EEXIST`)]);
});

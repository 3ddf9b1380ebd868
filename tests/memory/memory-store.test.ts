import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MemorySpace } from '../../engine/src/memory/memory.ts';
import { cursorOf, listMemories, readMemory } from '../../engine/src/memory/memory-rows.ts';
import { forgetMemory, type MemoryPatch, restoreMemory, updateMemory } from '../../engine/src/memory/memory-store.ts';
import { deleteOldMemories } from '../../engine/src/memory/old-memories.ts';
import { add, FROM_MAIL, GLOBAL, NOW, openStage, PERSON } from './stage.ts';

let stage: ReturnType<typeof openStage>;
beforeEach(() => void (stage = openStage()));
afterEach(() => stage.close());

const LOCAL: MemorySpace = { scope: 'local', directorId: '', agentId: 'psychologist' };
const lookupKey = (text: string) => stage.store.lookupKey(text);
const read = (id: string, now = NOW) => readMemory(stage.store, id, { now });
const update = (id: string, patch: MemoryPatch, expectedRevision?: number, provenance = PERSON) =>
  stage.change((draft) => updateMemory(draft, id, patch, { now: NOW + 1000, lookupKey, provenance, expectedRevision }));
const forget = (id: string, isHard = false) =>
  stage.change((draft) => forgetMemory(draft, id, { now: NOW + 1000, isHard }));

test('a memory is read back as it was added', async () => {
  const { memory, isNew } = await add(stage.store, 'mem_1', LOCAL, { text: ' Anna likes tea. ', tags: ['anna'] });
  expect(isNew).toBe(true);
  expect(memory).toEqual({
    ...{ id: 'mem_1', ...LOCAL, text: 'Anna likes tea.', owner: 'user', tags: ['anna'] },
    ...{ provenance: [PERSON], trust: 'trusted', revision: 1 },
    ...{ createdAt: '2026-11-22T12:00:00.000Z', updatedAt: '2026-11-22T12:00:00.000Z' },
  });
  expect(await read('mem_1')).toEqual(memory);
});

test('the same text in the same space is one memory with the tags and origins of both', async () => {
  await add(stage.store, 'mem_1', LOCAL, { text: 'Anna likes tea.', tags: ['anna'] }, { provenance: FROM_MAIL });
  const again = await add(stage.store, 'mem_2', LOCAL, { text: 'Anna  likes\ntea.', tags: ['drinks', 'anna'] });
  expect(again.isNew).toBe(false);
  expect(again.memory).toMatchObject({ id: 'mem_1', text: 'Anna likes tea.', tags: ['anna', 'drinks'], revision: 2 });
  expect(again.memory.provenance).toEqual([FROM_MAIL, PERSON]);
  const elsewhere = await add(stage.store, 'mem_3', GLOBAL, { text: 'Anna likes tea.' });
  expect(elsewhere.isNew).toBe(true);
});

test('a text that a person writes too is trusted; one that a model adds after a mail is not', async () => {
  const engine = { writtenBy: 'engine', trust: 'trusted', at: PERSON.at } as const;
  await add(stage.store, 'mem_1', GLOBAL, { text: 'one' }, { provenance: FROM_MAIL });
  expect(await read('mem_1')).toMatchObject({ trust: 'untrusted' });
  await add(stage.store, 'mem_2', GLOBAL, { text: 'one' });
  expect(await read('mem_1')).toMatchObject({ trust: 'trusted' });
  await add(stage.store, 'mem_3', GLOBAL, { text: 'two' }, { provenance: engine });
  await add(stage.store, 'mem_4', GLOBAL, { text: 'two' }, { provenance: FROM_MAIL });
  expect(await read('mem_3')).toMatchObject({ trust: 'untrusted' });
});

test('a model that rewrites an untrusted memory does not make it trusted, a person does', async () => {
  const model = { writtenBy: 'director', actorId: 'boss', trust: 'trusted', at: PERSON.at } as const;
  await add(stage.store, 'mem_1', GLOBAL, { text: 'one' }, { provenance: FROM_MAIL });
  expect(await update('mem_1', { text: 'two' }, 1, model)).toMatchObject({ trust: 'untrusted' });
  expect(await update('mem_1', { tags: ['x'] }, 2)).toMatchObject({ trust: 'untrusted' });
  expect(await update('mem_1', { text: 'three' }, 3)).toMatchObject({ trust: 'trusted' });
});

test.each<{ name: string; first?: string; second?: string; kept: string | undefined }>([
  { name: 'the later of two', first: '2026-12-01T00:00:00.000Z', second: '2026-12-24T00:00:00.000Z', kept: '12-24' },
  { name: 'the later of two', first: '2026-12-24T00:00:00.000Z', second: '2026-12-01T00:00:00.000Z', kept: '12-24' },
  { name: 'none', first: '2026-12-24T00:00:00.000Z', kept: undefined },
  { name: 'none', second: '2026-12-24T00:00:00.000Z', kept: undefined },
])('of an expiry $first and $second of one text, $name is kept', async ({ first, second, kept }) => {
  await add(stage.store, 'mem_1', GLOBAL, { text: 'one', expiresAt: first });
  await add(stage.store, 'mem_2', GLOBAL, { text: 'one', expiresAt: second });
  expect((await read('mem_1')).expiresAt?.slice(5, 10)).toBe(kept);
});

test('an expired memory is not found, until its text is added again', async () => {
  await add(stage.store, 'mem_1', GLOBAL, { text: 'one', expiresAt: '2026-11-22T13:00:00Z' });
  const later = NOW + 3_600_000;
  await expect(read('mem_1', later)).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' });
  expect(await listMemories(stage.store, { now: later })).toEqual([]);
  await add(stage.store, 'mem_2', GLOBAL, { text: 'one' }, { now: later });
  expect(await listMemories(stage.store, { now: later })).toMatchObject([{ id: 'mem_1' }]);
});

test('a change of another revision is refused, and so is a text that another memory of the space has', async () => {
  await add(stage.store, 'mem_1', GLOBAL, { text: 'one' });
  await add(stage.store, 'mem_2', GLOBAL, { text: 'two' });
  await expect(update('mem_1', { text: 'three' }, 2)).rejects.toMatchObject({ code: 'MEMORY_REVISION' });
  await expect(update('mem_1', { text: 'two' })).rejects.toMatchObject({ code: 'MEMORY_EXISTS' });
  const moved = await update('mem_1', { text: 'two', space: LOCAL, expiresAt: '2026-12-24T00:00:00Z' }, 1);
  expect(moved).toMatchObject({ ...LOCAL, text: 'two', expiresAt: '2026-12-24T00:00:00.000Z', revision: 2 });
  expect(await update('mem_1', { expiresAt: null })).not.toHaveProperty('expiresAt');
});

test('a forgotten memory is gone until a person brings it back, and one deleted for good stays gone', async () => {
  await add(stage.store, 'mem_1', GLOBAL, { text: 'one' });
  await forget('mem_1');
  await expect(read('mem_1')).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' });
  const list = await listMemories(stage.store, { now: NOW, includeDeleted: true });
  expect(list).toMatchObject([{ id: 'mem_1', deletedAt: '2026-11-22T12:00:01.000Z' }]);
  const restore = () => stage.change((draft) => restoreMemory(draft, 'mem_1', { now: NOW + 2000, lookupKey }));
  expect(await restore()).not.toHaveProperty('deletedAt');
  expect(await read('mem_1')).toMatchObject({ text: 'one', revision: 3 });
  await forget('mem_1');
  await add(stage.store, 'mem_2', GLOBAL, { text: 'one' });
  await expect(restore()).rejects.toMatchObject({ code: 'MEMORY_EXISTS' });
  await forget('mem_1', true);
  await expect(restore()).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' });
});

test.each([
  { name: 'an empty text', input: { text: ' ' }, code: 'BAD_REQUEST' },
  { name: 'a long text', input: { text: 'x'.repeat(8001) }, code: 'TOO_LARGE' },
  { name: 'many tags', input: { text: 'x', tags: Array.from({ length: 21 }, String) }, code: 'BAD_REQUEST' },
  { name: 'an expiry that is no time', input: { text: 'x', expiresAt: 'soon' }, code: 'BAD_REQUEST' },
  { name: 'an expiry that has passed', input: { text: 'x', expiresAt: '2026-11-22' }, code: 'BAD_REQUEST' },
])('$name is refused', async ({ input, code }) => {
  await expect(add(stage.store, 'mem_1', GLOBAL, input)).rejects.toMatchObject({ code });
});

test('pages list every memory once, the newest first', async () => {
  for (const n of [0, 1, 2, 3, 4])
    await add(stage.store, `mem_${n}`, GLOBAL, { text: `text ${n}` }, { now: NOW + 1000 * Math.floor(n / 2) });
  const seen: string[] = [];
  for (let after: ReturnType<typeof cursorOf> | undefined; ;) {
    const page = await listMemories(stage.store, { now: NOW, limit: 2, after });
    seen.push(...page.map(({ id }) => id));
    if (page.length < 2) break;
    after = page.map(cursorOf).at(-1);
  }
  expect(seen).toEqual(['mem_4', 'mem_2', 'mem_3', 'mem_0', 'mem_1']);
});

test('retention deletes expired memories, and forgotten ones only after a while', async () => {
  await add(stage.store, 'mem_1', GLOBAL, { text: 'one', expiresAt: '2026-11-22T13:00:00Z' });
  await add(stage.store, 'mem_2', GLOBAL, { text: 'two' });
  await add(stage.store, 'mem_3', GLOBAL, { text: 'three' });
  await forget('mem_2');
  const ids = async () => (await stage.store.list('memory')).map(({ id }) => id).toSorted();
  await deleteOldMemories(stage.store, { now: NOW + 60_000, before: NOW });
  expect(await ids()).toEqual(['mem_1', 'mem_2', 'mem_3']);
  await deleteOldMemories(stage.store, { now: NOW + 3_600_000, before: NOW + 1000 });
  expect(await ids()).toEqual(['mem_2', 'mem_3']);
  await deleteOldMemories(stage.store, { now: NOW + 3_600_000, before: NOW + 1001 });
  expect(await ids()).toEqual(['mem_3']);
});

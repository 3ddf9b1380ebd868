import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeTogether } from '../../../engine/src/config/edit/write-file.ts';
import { makeFolder } from '../folder.ts';

const FILES = { 'agents/a.yaml': 'a\n', 'agents/b.yaml': 'b\n' };
const change = (name: string, before: string) => ({ relative: `agents/${name}.yaml`, before, after: 'new\n' });
const textsOf = async (dir: string) => {
  const names = await readdir(join(dir, 'agents'));
  const texts = names.toSorted().map(async (name) => [name, await readFile(join(dir, 'agents', name), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
};

test('several files get their new texts together', async () => {
  const { dir } = await makeFolder(FILES);
  await writeTogether(dir, [change('a', 'a\n'), change('b', 'b\n')]);
  expect(await textsOf(dir)).toEqual({ 'a.yaml': 'new\n', 'b.yaml': 'new\n' });
});

test('no file gets its new text where a later one has changed, and nothing is left beside them', async () => {
  const { dir } = await makeFolder(FILES);
  const writing = writeTogether(dir, [change('a', 'a\n'), change('b', 'other\n')]);
  await expect(writing).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  expect(await textsOf(dir)).toEqual({ 'a.yaml': 'a\n', 'b.yaml': 'b\n' });
});

test('no file gets its new text where the work in between fails, and nothing is left beside them', async () => {
  const { dir } = await makeFolder(FILES);
  const seen: string[] = [];
  const writing = writeTogether(dir, [change('a', 'a\n'), change('b', 'b\n')], async () => {
    seen.push(...(await readdir(join(dir, 'agents'))));
    throw new Error('disk full');
  });
  await expect(writing).rejects.toThrow('disk full');
  expect(seen).toHaveLength(4);
  expect(await textsOf(dir)).toEqual({ 'a.yaml': 'a\n', 'b.yaml': 'b\n' });
});

test('a file that begins with a byte order mark is the one that was read', async () => {
  const { dir } = await makeFolder({ 'agents/a.yaml': '\ufeffa\n' });
  await writeTogether(dir, [change('a', 'a\n')]);
  expect(await textsOf(dir)).toEqual({ 'a.yaml': 'new\n' });
});

test('a file that was written before another one failed gets its bytes back', async () => {
  const { dir } = await makeFolder({ 'agents/a.yaml': '\ufeffa\n', 'agents/b.yaml': 'b\n' });
  const writing = writeTogether(dir, [change('a', 'a\n'), change('b', 'other\n')]);
  await expect(writing).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  expect(await textsOf(dir)).toEqual({ 'a.yaml': '\ufeffa\n', 'b.yaml': 'b\n' });
});

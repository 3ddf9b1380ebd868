import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../engine/src/base/json.ts';
import { removeFileBelow, writeFileBelow } from '../../engine/src/file/write-file.ts';
import { makeFilePlace } from './place.ts';

const bytes = (text: string) => Buffer.from(text);

test('a write replaces the content, keeps the mode, and leaves no temporary file', async () => {
  const { root } = makeFilePlace();
  chmodSync(join(root.folder, 'notes/a.md'), 0o640);
  const names = readdirSync(join(root.folder, 'notes'));
  expect(await writeFileBelow(root, 'notes/a.md', bytes('new'))).toEqual({
    path: 'notes/a.md',
    sha256: sha256('new'),
    hasReplaced: true,
  });
  expect(readFileSync(join(root.folder, 'notes/a.md'), 'utf8')).toBe('new');
  expect(statSync(join(root.folder, 'notes/a.md')).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(root.folder, 'notes'))).toEqual(names);
});

test('a write makes missing folders', async () => {
  const { root } = makeFilePlace();
  expect(await writeFileBelow(root, '/x/y/c.md', bytes('new'), { absolute: 'root', expected: null })).toMatchObject({
    path: 'x/y/c.md',
    hasReplaced: false,
  });
  expect(readFileSync(join(root.folder, 'x/y/c.md'), 'utf8')).toBe('new');
});

test('a write through a link that stays inside goes to the real file', async () => {
  const { root } = makeFilePlace();
  expect(await writeFileBelow(root, 'inside.md', bytes('new'))).toMatchObject({ path: 'notes/a.md' });
  expect(await writeFileBelow(root, 'inside/c.md', bytes('new'))).toMatchObject({ path: 'notes/c.md' });
});

test.each(['out.md', 'out/new.md', 'up/new.md', 'dangling', 'nested/x/new.md'])(
  'a write to %s is refused and makes nothing outside',
  async (path) => {
    const { root, outside } = makeFilePlace();
    await expect(writeFileBelow(root, path, bytes('new'))).rejects.toMatchObject({ code: 'FILE_DENIED' });
    for (const name of ['new.md', 'secret/new.md', 'secret/x', 'no-such-file'])
      expect(existsSync(join(outside, name)), name).toBe(false);
  },
);

test('a write refuses when the file changed, when it is gone, and when it must not exist', async () => {
  const { root } = makeFilePlace();
  await writeFileBelow(root, 'a.md', bytes('two'), { expected: sha256('inside a.md') });
  await expect(writeFileBelow(root, 'a.md', bytes('three'), { expected: sha256('one') })).rejects.toMatchObject({
    code: 'FILE_CHANGED',
    hint: 'read it again, then write',
  });
  await expect(writeFileBelow(root, 'z.md', bytes('three'), { expected: sha256('one') })).rejects.toMatchObject({
    code: 'FILE_CHANGED',
  });
  await expect(writeFileBelow(root, 'a.md', bytes('three'), { expected: null })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(readFileSync(join(root.folder, 'a.md'), 'utf8')).toBe('two');
});

test('of two writes that both expect no file, one fails', async () => {
  const { root } = makeFilePlace();
  const all = await Promise.allSettled(
    ['one', 'two', 'three'].map((text) => writeFileBelow(root, 'new.md', bytes(text), { expected: null })),
  );
  expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(readdirSync(root.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a file whose name differs only in letters is not made beside the other', async () => {
  const { root } = makeFilePlace();
  for (const path of ['A.md', 'Notes/c.md', 'u\u0308bersicht/c.md'])
    await expect(writeFileBelow(root, path, bytes('new'))).rejects.toMatchObject({ code: 'FILE_DENIED' });
});

test('a folder cannot be written as a file', async () => {
  const { root } = makeFilePlace();
  for (const path of ['notes', '', '.'])
    await expect(writeFileBelow(root, path, bytes('new'))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a file is removed if it has the expected content', async () => {
  const { root } = makeFilePlace();
  await expect(removeFileBelow(root, 'a.md', { expected: sha256('x') })).rejects.toMatchObject({
    code: 'FILE_CHANGED',
  });
  await removeFileBelow(root, 'a.md', { expected: sha256('inside a.md') });
  expect(existsSync(join(root.folder, 'a.md'))).toBe(false);
  await expect(removeFileBelow(root, 'a.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(removeFileBelow(root, 'notes')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('an abort leaves the old content and no temporary file', async () => {
  const { root } = makeFilePlace();
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(writeFileBelow(root, 'a.md', bytes('new'), { signal })).rejects.toThrow('stopped');
  expect(readFileSync(join(root.folder, 'a.md'), 'utf8')).toBe('inside a.md');
});

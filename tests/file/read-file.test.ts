import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFolder } from '../../engine/src/file/list-folder.ts';
import { isHandleWithin, withFolder } from '../../engine/src/file/open-folder.ts';
import { readFacts, readFileBelow } from '../../engine/src/file/read-file.ts';
import { resolvePath } from '../../engine/src/file/resolve-path.ts';
import { makeFilePlace, SECRET } from './place.ts';

const read = async (...args: Parameters<typeof readFileBelow>) =>
  Buffer.from((await readFileBelow(...args)).bytes).toString();

test('a file is read with its facts', async () => {
  const { root } = makeFilePlace();
  const file = await readFileBelow(root, 'notes/a.md', { maxBytes: 100 });
  expect(Buffer.from(file.bytes).toString()).toBe('inside notes/a.md');
  expect(file).toMatchObject({ path: 'notes/a.md', kind: 'file', size: 17, modifiedAt: expect.any(Number) });
});

test('a file of exactly the limit is read, and a larger one is refused', async () => {
  const { root } = makeFilePlace();
  expect(await read(root, 'notes/a.md', { maxBytes: 17 })).toBe('inside notes/a.md');
  await expect(readFileBelow(root, 'notes/a.md', { maxBytes: 16 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('a link that stays inside is followed, and the result names the real path', async () => {
  const { root } = makeFilePlace();
  expect(await readFacts(root, 'inside.md')).toMatchObject({ path: 'notes/a.md' });
  expect(await readFacts(root, 'round/deep')).toMatchObject({ path: 'notes/deep', kind: 'folder' });
});

test.each([
  ['leaves', 'out.md', 'leads out'],
  ['leaves through a folder', 'out/a.md', 'leads out'],
  ['leaves by an absolute path', 'absolute/a.md', 'leads out'],
  ['leaves through another link', 'nested/a.md', 'leads out'],
  ['leads to a sibling with the same beginning', 'notes/sibling/a.md', 'leads out'],
  ['leads around the root', 'up/a.md', 'leads out'],
  ['leads nowhere', 'dangling', 'leads nowhere'],
  ['leads to itself', 'loop', 'link'],
])('a link that %s is refused', async (_name, path, reason) => {
  const { root } = makeFilePlace();
  await expect(readFileBelow(root, path, { maxBytes: 100 })).rejects.toMatchObject({
    code: 'FILE_DENIED',
    message: expect.stringContaining(reason),
  });
});

test('a name in other letters or another Unicode form is refused, and the error gives the name on the disk', async () => {
  const { root } = makeFilePlace();
  await expect(readFacts(root, 'Notes')).rejects.toMatchObject({
    code: 'FILE_DENIED',
    message: expect.stringContaining('the name on the disk is "notes"'),
  });
  await expect(readFacts(root, 'U\u0308bersicht')).rejects.toMatchObject({
    message: expect.stringContaining('the name on the disk is "\\u00dcbersicht"'),
  });
});

test('a pipe is refused at once instead of waited for', async () => {
  const { root } = makeFilePlace();
  execFileSync('mkfifo', [join(root.folder, 'pipe')]);
  await expect(readFileBelow(root, 'pipe', { maxBytes: 100 })).rejects.toMatchObject({ code: 'FILE_DENIED' });
});

test('a folder read as a file, and a missing file, are errors that say what to do', async () => {
  const { root } = makeFilePlace();
  await expect(readFileBelow(root, 'notes', { maxBytes: 100 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(readFileBelow(root, 'no.md', { maxBytes: 100 })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'there is no file or folder "no.md"',
    hint: 'search for its name, or list the folder',
  });
  await expect(readFileBelow(root, 'a.md/b', { maxBytes: 100 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a missing root folder is an error that names the root and not its folder', async () => {
  const error: unknown = await readFacts({ name: 'lab', folder: '/no/such/folder' }, 'a.md').catch((e: unknown) => e);
  expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'the folder of lab is missing or cannot be opened' });
});

test('an abort rejects with its reason', async () => {
  const { root } = makeFilePlace();
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect(readFileBelow(root, 'a.md', { maxBytes: 100, signal })).rejects.toThrow('stopped');
  await expect(listFolder(root, '', { limit: 10, signal })).rejects.toThrow('stopped');
});

describe('a list', () => {
  test('has files and folders by name, and no links', async () => {
    const { root } = makeFilePlace();
    const { entries, isTruncated } = await listFolder(root, 'notes', { limit: 10 });
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ['notes/a.md', 'file'],
      ['notes/deep', 'folder'],
    ]);
    expect(isTruncated).toBe(false);
  });

  test('says when it is cut', async () => {
    const { root } = makeFilePlace();
    expect(await listFolder(root, 'notes', { limit: 1 })).toMatchObject({
      entries: [{ path: 'notes/a.md' }],
      isTruncated: true,
    });
  });

  test('of a file is an error', async () => {
    const { root } = makeFilePlace();
    await expect(listFolder(root, 'a.md', { limit: 1 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a folder that is replaced by a link', () => {
  const swap = (place: ReturnType<typeof makeFilePlace>) => {
    renameSync(join(place.root.folder, 'notes'), join(place.root.folder, 'moved'));
    symlinkSync(join(place.outside, 'secret'), join(place.root.folder, 'notes'));
  };

  test('before it is opened is not opened', async () => {
    const place = makeFilePlace();
    const real = await resolvePath(place.root, 'notes');
    swap(place);
    await expect(withFolder(real, async ({ at }) => readFile(at('a.md'), 'utf8'))).rejects.toMatchObject({
      code: expect.stringMatching(/ELOOP|ENOTDIR/),
    });
  });

  test('above the folder that is opened, is seen by the real path of the open folder', async () => {
    const place = makeFilePlace();
    mkdirSync(join(place.outside, 'secret/deep'));
    const real = await resolvePath(place.root, 'notes/deep');
    swap(place);
    expect(await withFolder(real, async () => 'opened')).toBeUndefined();
  });

  test.runIf(process.platform === 'linux')('after it is opened does not lead an open of its files away', async () => {
    const place = makeFilePlace();
    const real = await resolvePath(place.root, 'notes');
    const text = await withFolder(real, async ({ at }) => {
      swap(place);
      expect(await readFile(join(real.absolute, 'a.md'), 'utf8')).toBe(SECRET);
      return readFile(at('a.md'), 'utf8');
    });
    expect(text).toBe('inside notes/a.md');
  });

  test('is seen by the open file', async () => {
    const place = makeFilePlace();
    const real = await resolvePath(place.root, 'notes/a.md');
    swap(place);
    const handle = await open(real.absolute);
    try {
      expect(await isHandleWithin(handle, real.absolute, real.root)).toBe(false);
    } finally {
      await handle.close();
    }
  });
});

test.runIf(process.getuid?.() !== 0)('a file without rights is refused (not as root)', async () => {
  const { root } = makeFilePlace();
  chmodSync(join(root.folder, 'a.md'), 0);
  await expect(readFileBelow(root, 'a.md', { maxBytes: 100 })).rejects.toMatchObject({ code: 'FILE_DENIED' });
});

test('a root that is itself a link works', async () => {
  const { root, outside } = makeFilePlace();
  symlinkSync(root.folder, join(outside, 'link'));
  expect(await read({ name: 'lab', folder: join(outside, 'link') }, 'a.md', { maxBytes: 100 })).toBe('inside a.md');
});

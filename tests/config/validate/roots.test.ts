import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { overlapOf } from '../../../engine/src/config/own-folders.ts';
import { brief, makeFolder, problemsOf, VALID } from '../folder.ts';

test('a root beside the config folder and the data folder is accepted, also where it does not exist yet', async () => {
  const problems = await problemsOf({ ...VALID, 'settings.yaml': 'virtualRoot: ./documents\n' });
  expect(brief(problems)).toEqual([]);
});

test('a root that reaches the config or the data folder through a link is seen', async () => {
  const { dir } = await makeFolder(VALID);
  const base = dirname(dir);
  const own = { config: dir, data: join(base, 'data') };
  await mkdir(own.data);
  await symlink(base, join(base, 'all'));
  expect(overlapOf(join(base, 'all'), own)).toBe('contains the config folder');
  expect(overlapOf(join(base, 'all/data/new/folder'), own)).toBe('lies in the data folder');
  expect(overlapOf(join(base, 'all/documents'), own)).toBeUndefined();
  expect(overlapOf('/', own)).toBe('contains the config folder');
});

test('a process without a data folder compares the config folder alone', async () => {
  const { dir } = await makeFolder(VALID);
  expect(overlapOf(join(dirname(dir), 'data'), { config: dir })).toBeUndefined();
});

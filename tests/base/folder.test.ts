import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeFolder, makeFolderSync } from '../../engine/src/base/folder.ts';
import { root } from '../available.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-folder-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe.each([
  { name: 'makeFolder', make: makeFolder },
  { name: 'makeFolderSync', make: async (path: string, mode?: number) => makeFolderSync(path, mode) },
])('$name', ({ name, make }) => {
  test('makes a folder and those above it, and an existing one is fine', async () => {
    const path = join(dir, 'a/b/c');
    await make(path, 0o700);
    await make(path);
    for (const folder of ['a', 'a/b', 'a/b/c']) expect(statSync(join(dir, folder)).isDirectory()).toBe(true);
  });

  test('makes the same missing folders for several at once', async () => {
    for (let n = 0; n < 100; n++) {
      const path = join(dir, String(n), 'b/c/d');
      await Promise.all(Array.from({ length: 8 }, () => make(path)));
      expect(existsSync(path)).toBe(true);
    }
  });

  test.each(['file', 'file/below', 'file/far/below'])('refuses %s where a file is in the way', async (path) => {
    writeFileSync(join(dir, 'file'), '');
    await expect(make(join(dir, path))).rejects.toMatchObject({ code: path === 'file' ? 'EEXIST' : 'ENOTDIR' });
  });

  // In a process of its own: it would never end.
  test.skipIf(!existsSync('/proc/self'))('ends where the system makes no folders (only where there is /proc)', () => {
    const file = pathToFileURL(join(root, 'engine/src/base/folder.ts')).href;
    const code = `import { ${name} as make } from '${file}';
      for (const path of ['/proc/callsheet', '/proc/callsheet/below'])
        try { await make(path); } catch (error) { console.log(error.code); }`;
    const argv = ['--input-type=module', '--eval', code];
    const { stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8', timeout: 20_000 });
    expect(stdout).toBe('ENOENT\nENOENT\n');
  });
});

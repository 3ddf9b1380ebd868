import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FileRoot } from '../../engine/src/file/file.ts';

/** Content of every file that lies outside the root. */
export const SECRET = 'SECRET that no tool may read';

/** A root folder with links of every kind, inside a folder with files that must stay hidden. */
export interface FilePlace {
  readonly root: FileRoot;
  /** The folder around the root. */
  readonly outside: string;
}

/** Makes the folders; removes them when the test is finished. */
export function makeFilePlace(): FilePlace {
  const outside = mkdtempSync(join(tmpdir(), 'callsheet-file-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const folder = join(outside, 'root');
  for (const path of ['root/notes/deep', 'root/Übersicht', 'root-secret', 'secret/notes'])
    mkdirSync(join(outside, path), { recursive: true });
  for (const path of ['secret.txt', 'a.md', 'root-secret/a.md', 'secret/a.md', 'secret/notes/a.md'])
    writeFileSync(join(outside, path), SECRET);
  for (const path of [
    'a.md',
    'notes/a.md',
    'notes/deep/b.md',
    'Übersicht/ä.md',
    '…and more.txt',
    'Re: hello.md',
    'CON',
  ])
    writeFileSync(join(folder, path), `inside ${path}`);
  const links: readonly (readonly [string, string])[] = [
    ['inside', 'notes'],
    ['inside.md', 'notes/a.md'],
    ['out', '../secret'],
    ['out.md', '../secret.txt'],
    ['absolute', join(outside, 'secret')],
    ['up', '..'],
    ['nested', 'notes/chain'],
    ['notes/chain', '../out'],
    ['notes/sibling', '../../root-secret'],
    ['dangling', '../no-such-file'],
    ['loop', 'loop2'],
    ['loop2', 'loop'],
    ['self', '.'],
    ['round', '../root/notes'],
    ['proc', '/proc/self/root'],
  ];
  for (const [path, target] of links) symlinkSync(target, join(folder, path));
  return { root: { name: 'virtualRoot', folder }, outside };
}

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, repository, tempFolder, workIn, write } from './roam-stage.ts';

describe('a working copy of a repository', () => {
  test('is a worktree at its commit, with changes that are not committed and untracked files', async () => {
    const folder = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitignore': 'build/\n' });
    write(folder, { 'a.txt': 'changed\n', 'new.txt': 'new\n', 'build/out.js': 'generated\n' });
    const { dir } = await workIn(folder);
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(readFileSync(join(dir, 'new.txt'), 'utf8')).toBe('new\n');
    expect(existsSync(join(dir, 'build'))).toBe(false);
    expect(git(dir, 'log', '--format=%s')).toBe('first');
    expect(git(dir, 'status', '--porcelain')).toBe('M a.txt\n?? new.txt');
  });

  test('runs no hook, filter, monitor or difference tool of the repository', async () => {
    const marks = tempFolder();
    const folder = repository({ 'a.txt': 'one\n', 'b.bin': 'two\n' });
    write(folder, { '.gitattributes': '* filter=evil diff=evil\n' });
    git(folder, 'add', '.gitattributes');
    git(folder, 'commit', '--quiet', '--message=attributes');
    const evil = (name: string) => `touch ${join(marks, name)}; cat`;
    for (const key of ['filter.evil.smudge', 'filter.evil.clean', 'filter.evil.process', 'diff.evil.command'])
      git(folder, 'config', key, evil(key));
    git(folder, 'config', 'diff.evil.textconv', evil('textconv'));
    git(folder, 'config', 'diff.external', evil('external'));
    git(folder, 'config', 'core.fsmonitor', evil('fsmonitor'));
    git(folder, 'config', 'core.hooksPath', join(folder, 'hooks'));
    for (const hook of ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change']) {
      for (const place of ['hooks', '.git/hooks'])
        write(folder, { [`${place}/${hook}`]: `#!/bin/sh\n${evil(hook)}\n` });
      chmodSync(join(folder, 'hooks', hook), 0o755);
      chmodSync(join(folder, '.git/hooks', hook), 0o755);
    }
    const work = await workIn(folder);
    write(work.dir, { 'a.txt': 'agent\n', '.gitattributes': '* filter=evil diff=evil merge=evil\n* text eol=crlf\n' });
    await work.record();
    await work.remove();
    expect(readdirSync(marks)).toEqual([]);
  });

  test('copies links as links, and nothing that lies behind one', async () => {
    const outside = tempFolder();
    write(outside, { 'secret.txt': 'secret\n' });
    const folder = repository({ 'inside/secret.txt': 'harmless\n', 'a.txt': 'one\n' });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link'));
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message=links');
    execFileSync('rm', ['-r', join(folder, 'inside')]);
    symlinkSync(outside, join(folder, 'inside'));
    const { dir } = await workIn(folder);
    expect(readlinkSync(join(dir, 'link'))).toBe(join(outside, 'secret.txt'));
    expect(lstatSync(join(dir, 'inside')).isSymbolicLink()).toBe(true);
  });

  test('keeps names with newlines, quotes and a leading dash', async () => {
    const names = ['new\nline.txt', '"quoted".txt', '-n', 'a\tb', 'ü.txt'];
    const folder = repository(Object.fromEntries(names.map((name) => [name, 'one\n'])));
    const work = await workIn(folder);
    for (const name of names) write(work.dir, { [name]: 'two\n' });
    const { files = [] } = await work.record();
    expect(files.map(({ path }) => path).sort()).toEqual([...names].sort());
  });

  test('leaves nothing in the repository once it is removed', async () => {
    const folder = repository({ 'a.txt': 'one\n' });
    const work = await workIn(folder);
    write(work.dir, { '.git': 'gitdir: /somewhere/else\n' });
    await work.remove();
    expect(existsSync(work.turnDir)).toBe(false);
    expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(existsSync(join(folder, '.git', 'worktrees'))).toBe(false);
    expect(git(folder, 'status', '--porcelain')).toBe('');
  });

  test('is a plain copy where the folder only names a repository that does not know it', async () => {
    const foreign = repository({ 'secret.txt': 'secret\n' });
    const byFile = tempFolder();
    write(byFile, { 'a.txt': 'one\n', '.git': `gitdir: ${foreign}/.git\n` });
    const byLink = tempFolder();
    write(byLink, { 'a.txt': 'one\n' });
    symlinkSync(join(foreign, '.git'), join(byLink, '.git'));
    const byCommonDir = repository({ 'a.txt': 'one\n' });
    write(byCommonDir, { '.git/commondir': `${foreign}/.git\n`, '.git/gitdir': `${byCommonDir}/.git\n` });
    write(byCommonDir, { '.git/HEAD': `${git(foreign, 'rev-parse', 'HEAD')}\n` });
    for (const folder of [byFile, byLink, byCommonDir]) {
      const work = await workIn(folder);
      expect(work.repository).toBeUndefined();
      expect(readdirSync(work.dir)).toEqual(['a.txt']);
    }
    expect(existsSync(join(foreign, '.git', 'worktrees'))).toBe(false);
  });

  test('is a worktree where the folder is itself a worktree of a repository', async () => {
    const main = repository({ 'a.txt': 'one\n' });
    const folder = join(tempFolder(), 'second');
    git(main, 'worktree', 'add', '--quiet', folder);
    const work = await workIn(folder);
    expect(work.repository?.commonDir).toBe(join(main, '.git'));
  });

  test('is a plain copy where the folder is a part of a repository only', async () => {
    const folder = repository({ 'part/a.txt': 'one\n', 'other.txt': 'two\n' });
    const work = await workIn(join(folder, 'part'));
    expect(work.repository).toBeUndefined();
    expect(readdirSync(work.dir)).toEqual(['a.txt']);
  });
});

describe('a working copy of another folder', () => {
  test('has its files without those that a .gitignore leaves out, and without repositories in it', async () => {
    const folder = tempFolder();
    write(folder, { 'a.txt': 'one\n', 'sub/b.txt': 'two\n', '.gitignore': '*.log\n', 'x.log': 'noise\n' });
    write(folder, { 'nested/c.txt': 'three\n' });
    git(join(folder, 'nested'), 'init', '--quiet');
    const { dir, repository } = await workIn(folder);
    expect(repository).toBeUndefined();
    expect(readdirSync(dir, { recursive: true }).sort()).toEqual(['.gitignore', 'a.txt', 'sub', 'sub/b.txt']);
    expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'a.txt', 'nested', 'sub', 'x.log']);
  });

  test('is refused with its size where it has too many files or too much in them', async () => {
    const folder = tempFolder();
    write(folder, { a: 'x'.repeat(600), b: 'x'.repeat(600), c: 'x' });
    await expect(workIn(folder, { maxFiles: 2, maxBytes: 1e6 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('3 files'),
    });
    await expect(workIn(folder, { maxFiles: 9, maxBytes: 1000 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

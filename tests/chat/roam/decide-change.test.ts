import { chmodSync, existsSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyChanges, keepAsBranch } from '../../../engine/src/chat/roam/decide-change.ts';
import { git, repository, tempFolder, workIn, write } from './roam-stage.ts';

const LINES = Array.from({ length: 30 }, (_, n) => `line ${n}\n`);
const text = (changed: Readonly<Record<number, string>>) => LINES.map((line, n) => changed[n] ?? line).join('');
const BINARY = Buffer.from([0, 1, 2, 255, 254, 0, 10]);

describe('the changes of a turn', () => {
  test('are shown as a diff that names binary files, and are applied whole', async () => {
    const folder = repository({ 'a.txt': text({}), 'gone.txt': 'gone\n', 'b.bin': BINARY });
    const work = await workIn(folder);
    write(work.dir, {
      'a.txt': text({ 3: 'agent\n' }),
      'sub/new.txt': 'new\n',
      'b.bin': Buffer.concat([BINARY, BINARY]),
    });
    rmSync(join(work.dir, 'gone.txt'));
    const record = await work.record();
    expect(record.files).toEqual([
      { path: 'a.txt', status: 'changed', isBinary: false, added: 1, removed: 1 },
      { path: 'b.bin', status: 'changed', isBinary: true, added: 0, removed: 0 },
      { path: 'gone.txt', status: 'deleted', isBinary: false, added: 0, removed: 1 },
      { path: 'sub/new.txt', status: 'added', isBinary: false, added: 1, removed: 0 },
    ]);
    expect(record.diff).toContain('-line 3\n+agent\n');
    expect(record.diff).toContain('Binary files a/b.bin and b/b.bin differ');
    await work.remove();
    await applyChanges(record, work.options);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(text({ 3: 'agent\n' }));
    expect(readFileSync(join(folder, 'b.bin'))).toEqual(Buffer.concat([BINARY, BINARY]));
    expect(readFileSync(join(folder, 'sub/new.txt'), 'utf8')).toBe('new\n');
    expect(existsSync(join(folder, 'gone.txt'))).toBe(false);
  });

  test('are applied beside other changes of the same file, and byte for byte', async () => {
    const folder = repository({
      'a.txt': text({}),
      '.gitattributes': '*.txt text eol=crlf ident\n',
      'c.txt': 'x\r\n$Id$\r\n',
    });
    const work = await workIn(folder);
    write(work.dir, { 'a.txt': text({ 3: 'agent\n' }), 'c.txt': 'x\r\n$Id$\r\ny\n' });
    write(folder, { 'a.txt': text({ 25: 'person\n' }) });
    await applyChanges(await work.record(), work.options);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(text({ 3: 'agent\n', 25: 'person\n' }));
    expect(readFileSync(join(folder, 'c.txt'), 'utf8')).toBe('x\r\n$Id$\r\ny\n');
  });

  test('are refused whole, with the place, where the folder has changed there since', async () => {
    const folder = repository({ 'a.txt': text({}), 'b.txt': text({}) });
    const work = await workIn(folder);
    write(work.dir, { 'a.txt': text({ 3: 'agent\n' }), 'b.txt': text({ 3: 'agent\n' }) });
    write(folder, { 'b.txt': text({ 4: 'person\n' }) });
    await expect(applyChanges(await work.record(), work.options)).rejects.toMatchObject({
      code: 'FILE_CHANGED',
      message: expect.stringContaining('b.txt'),
    });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(text({}));
  });

  test('are taken back whole where a file of a person stands in place of a new folder', async () => {
    const files = { 'a.txt': text({}), 'gone.txt': 'gone\n', 'tool.sh': 'one\n', 'z.bin': BINARY };
    const folder = repository(files);
    chmodSync(join(folder, 'tool.sh'), 0o755);
    const work = await workIn(folder);
    write(work.dir, { 'a.txt': text({ 3: 'agent\n' }), 'b/new.txt': 'new\n', 'notes/new.md': 'new\n' });
    write(work.dir, { 'tool.sh': 'two\n', 'z.bin': Buffer.concat([BINARY, BINARY]) });
    rmSync(join(work.dir, 'gone.txt'));
    // Not committed: nothing else has it.
    write(folder, { 'a.txt': text({ 25: 'person\n' }), 'notes': 'mine\n' });
    await expect(applyChanges(await work.record(), work.options)).rejects.toMatchObject({
      code: 'FILE_CHANGED',
      message: expect.stringContaining('notes/new.md'),
    });
    const after = Object.fromEntries(
      ['a.txt', 'gone.txt', 'notes', 'tool.sh', 'z.bin'].map((name) => [name, readFileSync(join(folder, name))]),
    );
    const before = { ...files, 'a.txt': text({ 25: 'person\n' }), 'notes': 'mine\n' };
    expect(after).toEqual(Object.fromEntries(Object.entries(before).map(([name, one]) => [name, Buffer.from(one)])));
    expect(statSync(join(folder, 'tool.sh')).mode & 0o777).toBe(0o755);
    expect(existsSync(join(folder, 'b/new.txt'))).toBe(false);
  });

  test('count as applied where a stop came between the files and the record', async () => {
    const folder = repository({ 'a.txt': text({}) });
    const work = await workIn(folder);
    write(work.dir, { 'a.txt': text({ 3: 'agent\n' }) });
    const record = await work.record();
    await applyChanges(record, work.options);
    await applyChanges(record, work.options);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(text({ 3: 'agent\n' }));
  });

  test('never go through a link, and a link that leads out of the folder is refused', async () => {
    const outside = tempFolder();
    write(outside, { 'a.txt': text({}) });
    const folder = repository({ 'sub/a.txt': text({}) });
    const work = await workIn(folder);
    write(work.dir, { 'sub/a.txt': text({ 3: 'agent\n' }) });
    const record = await work.record();
    rmSync(join(folder, 'sub'), { recursive: true });
    symlinkSync(outside, join(folder, 'sub'));
    await expect(applyChanges(record, work.options)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe(text({}));

    const other = await workIn(tempFolder());
    symlinkSync('sub/../../../etc/passwd', join(other.dir, 'link'));
    await expect(applyChanges(await other.record(), other.options)).rejects.toMatchObject({ code: 'FILE_DENIED' });
  });

  test('of a link within the folder are applied as a link', async () => {
    const folder = repository({ 'sub/a.txt': 'one\n' });
    const work = await workIn(folder);
    symlinkSync('sub/a.txt', join(work.dir, 'link'));
    await applyChanges(await work.record(), work.options);
    expect(readlinkSync(join(folder, 'link'))).toBe('sub/a.txt');
  });

  test('are kept as a branch on the commit that the turn began with, and nothing else of the repository changes', async () => {
    const folder = repository({ 'a.txt': text({}), 'b.txt': 'b\n' });
    write(folder, { 'a.txt': text({ 4: 'person\n' }), 'b.txt': 'person\n' });
    const before = git(folder, 'rev-parse', 'HEAD');
    const work = await workIn(folder);
    write(work.dir, { 'a.txt': text({ 3: 'agent\n', 4: 'person\n' }) });
    const record = await work.record();
    await work.remove();
    const named = { branch: 'callsheet/bob-1', message: 'Changes of Bob\n\nMade in a chat.\n' };
    await keepAsBranch(record, named, work.options);
    const made = git(folder, 'rev-parse', 'callsheet/bob-1');
    // As after a stop between the branch and the record.
    await keepAsBranch(record, named, work.options);
    expect(git(folder, 'rev-parse', 'callsheet/bob-1')).toBe(made);
    expect(git(folder, 'show', 'callsheet/bob-1:a.txt')).toBe(text({ 3: 'agent\n', 4: 'person\n' }).trim());
    expect(git(folder, 'show', 'callsheet/bob-1:b.txt')).toBe('b');
    expect(git(folder, 'rev-parse', 'callsheet/bob-1^')).toBe(before);
    expect(git(folder, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
    expect(git(folder, 'status', '--porcelain')).toBe('M a.txt\n M b.txt');
    await expect(keepAsBranch(record, { branch: 'callsheet/bob-1', message: 'x' }, work.options)).rejects.toMatchObject(
      {
        code: 'CONFLICT',
      },
    );
  });

  test('leave out repositories that the agent has made, and say so', async () => {
    const folder = repository({ 'a.txt': 'one\n' });
    const work = await workIn(folder);
    write(work.dir, { 'nested/x.txt': 'x\n', 'a.txt': 'two\n' });
    git(join(work.dir, 'nested'), 'init', '--quiet');
    const { files, leftOut } = await work.record();
    expect(files?.map(({ path }) => path)).toEqual(['a.txt']);
    expect(leftOut).toEqual(['nested/']);
  });

  test('that are too large to be kept are listed, and can only be dropped', async () => {
    const folder = repository({ 'a.txt': 'one\n' });
    const work = await workIn(folder);
    write(work.dir, { 'big.txt': 'a long line of text\n'.repeat(600_000) });
    const record = await work.record();
    expect(record.files).toMatchObject([{ path: 'big.txt', added: 600_000 }]);
    expect(record).toMatchObject({ isCut: true });
    await expect(applyChanges(record, work.options)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('of a turn that has changed nothing are no changes', async () => {
    const work = await workIn(repository({ 'a.txt': 'one\n' }));
    expect(await work.record()).not.toHaveProperty('files');
  });
});

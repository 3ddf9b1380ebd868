import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readQuery } from '../../../engine/src/file/search/match.ts';
import { type SearchJob, type SearchResult, searchFiles } from '../../../engine/src/file/search/search-job.ts';
import { createSearchWorkers } from '../../../engine/src/file/search/search-workers.ts';
import { walkFiles } from '../../../engine/src/file/search/walk.ts';
import { isFull } from '../../available.ts';
import { cpuMsOf } from '../../cpu-time.ts';
import { longestTurn } from '../../longest-turn.ts';
import { makeFilePlace } from '../place.ts';

const jobOf = (folder: string, more: Partial<SearchJob>): SearchJob => ({
  ...{ root: folder, folder, query: '', by: 'both', documentsOnly: false, limit: 100, timeoutMs: 10_000 },
  ...more,
});

/** Paths that a walk visits. */
function walk(root: string, folder = root, visit: (path: string) => boolean = () => true) {
  const paths: string[] = [];
  const isWhole = walkFiles({ root, folder }, ({ path }) => {
    paths.push(path);
    return visit(path);
  });
  return { paths, isWhole };
}

describe('a walk', () => {
  test('visits files in the order of their names, follows no link, and skips hidden names', () => {
    const { root } = makeFilePlace();
    mkdirSync(join(root.folder, '.git'));
    writeFileSync(join(root.folder, '.git/config'), 'x');
    expect(walk(root.folder)).toEqual({
      paths: ['CON', 'Re: hello.md', 'a.md', 'notes/a.md', 'notes/deep/b.md', 'Übersicht/ä.md', '…and more.txt'],
      isWhole: true,
    });
  });

  test('ends when the visitor has enough', () => {
    const { root } = makeFilePlace();
    expect(walk(root.folder, root.folder, () => false)).toEqual({ paths: ['CON'], isWhole: false });
  });

  test('does not enter a folder that became a link', () => {
    const { root, outside } = makeFilePlace();
    const swap = () => {
      renameSync(join(root.folder, 'notes'), join(root.folder, '.moved'));
      symlinkSync(join(outside, 'secret'), join(root.folder, 'notes'));
    };
    const { paths } = walk(root.folder, root.folder, (path) => {
      if (path === 'a.md') swap();
      return true;
    });
    expect(paths).not.toContain('notes/a.md');
    expect(walk(root.folder, join(root.folder, 'notes'))).toEqual({ paths: [], isWhole: false });
  });

  test('does not begin outside the root', () => {
    const { root, outside } = makeFilePlace();
    expect(walk(root.folder, join(outside, 'secret')).paths).toEqual([]);
  });
});

describe('a query', () => {
  test('has all words in any order, without regard to letters and Unicode forms', () => {
    const { hasName } = readQuery('Vertra\u0308ge 2026');
    expect(hasName('2026/VERTRÄGE.pdf')).toBe(true);
    expect(hasName('2025/Verträge.pdf')).toBe(false);
  });

  test('with a star is a pattern of the name or of the path', () => {
    expect(readQuery('*.PDF').hasName('a/b.pdf')).toBe(true);
    expect(readQuery('a/*.pdf').hasName('a/b.pdf')).toBe(true);
    expect(readQuery('b*').hasName('a/b.pdf')).toBe(true);
    expect(readQuery('*.pdf').hasName('a/b.pdf.txt')).toBe(false);
  });

  test('shows the place of the phrase, else of the first word', () => {
    expect(readQuery('two words').findIn('words\nfirst\ntwo words')).toEqual({
      line: 3,
      excerpt: 'words first two words',
    });
    expect(readQuery('two words').findIn('words two')).toMatchObject({ line: 1 });
    expect(readQuery('two words').findIn('two')).toBeUndefined();
  });
});

test('a search says when it could not see everything in time', () => {
  const { root } = makeFilePlace();
  expect(searchFiles(jobOf(root.folder, { query: 'a', timeoutMs: -1 }))).toEqual({
    hits: [],
    packed: [],
    isWhole: false,
  });
});

test('a search in files reads all encodings and no binary file', () => {
  const { root } = makeFilePlace();
  writeFileSync(join(root.folder, 'latin.txt'), Buffer.from('Grüße', 'latin1'));
  writeFileSync(join(root.folder, 'wide.txt'), Buffer.from('\ufeffGrüße', 'utf16le'));
  writeFileSync(join(root.folder, 'binary'), Buffer.from('\0grüße'));
  const { hits } = searchFiles(jobOf(root.folder, { query: 'grüße' }));
  expect(hits.map(({ path }) => path)).toEqual(['latin.txt', 'wide.txt']);
});

describe('many files', () => {
  const workers = createSearchWorkers(1);
  afterAll(() => workers.close());
  const count = isFull ? 100_000 : 4000;

  test(
    `a search of ${count} files is done in a worker: no turn of the event loop takes half of what the work takes`,
    { timeout: 120_000 },
    async () => {
      const { root } = makeFilePlace();
      for (let i = 0; i < count; i++) {
        const folder = join(root.folder, `f${i % 100}`);
        if (i < 100) mkdirSync(folder);
        writeFileSync(join(folder, `file${i}.txt`), `text of file ${i}`);
      }
      await workers.search(jobOf(root.folder, { query: 'warm', by: 'name' }));
      let found: SearchResult | undefined;
      const job = jobOf(root.folder, { query: `of ${count - 1}`, timeoutMs: 60_000 });
      const limitMs = cpuMsOf(() => searchFiles(job)) / 2;
      const search = async () => (found = await workers.search(job));
      const { longestMs } = await longestTurn(search, 3, (turns) => turns.longestMs < limitMs);
      expect(found?.hits.map(({ path }) => path)).toEqual([`f${(count - 1) % 100}/file${count - 1}.txt`]);
      expect(found?.isWhole).toBe(true);
      expect(longestMs).toBeLessThan(limitMs);
    },
  );
});

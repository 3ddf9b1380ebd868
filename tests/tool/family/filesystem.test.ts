import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDocx, makePdf, paragraph } from '../../file/text/samples.ts';
import { type FileDesk, openFileDesk, SECRET, startFileDesk } from './file-desk.ts';

const FILES = {
  'prices.md': '# Prices\n\nA poster costs 40 euros.\n',
  'contracts/2026/poster.pdf': makePdf(['Delivery on 12 May']),
  'contracts/terms.docx': makeDocx(paragraph('Terms', 'Heading1') + paragraph('Payment within 30 days.')),
  'list.csv': 'name;price\nPoster;40\n',
  'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
  'latin.txt': Buffer.from('Grüße', 'latin1'),
  '.env': 'PASSWORD=poster',
  '.git/config': 'poster',
};
const ROOT = { virtualRoot: './documents' };
let desk: FileDesk;
beforeAll(async () => {
  desk = await startFileDesk({ files: FILES });
});
afterAll(() => desk.close());

const paths = (result: Readonly<Record<string, unknown>>) =>
  (result['files'] as { path: string; found: string }[]).map(({ path, found }) => `${found} ${path}`);

describe('filesystem_search', () => {
  test('finds names first, then contents, also of PDF and DOCX files, and nothing hidden', async () => {
    const { call } = desk;
    const found = await call('filesystem_search', { ...ROOT, query: 'poster' });
    expect(paths(found)).toEqual(['name contracts/2026/poster.pdf', 'content list.csv', 'content prices.md']);
    expect(found['files']).toMatchObject([{}, { line: 2, excerpt: 'name;price Poster;40' }, { line: 3 }]);
    expect(paths(await call('filesystem_search', { ...ROOT, query: 'payment DAYS' }))).toEqual([
      'content contracts/terms.docx',
    ]);
    expect(paths(await call('filesystem_search', { ...ROOT, query: '12 may' }))).toEqual([
      'content contracts/2026/poster.pdf',
    ]);
  });

  test('finds names by words of the path and by a pattern, and stays below a folder', async () => {
    const { call } = desk;
    expect(paths(await call('filesystem_search', { ...ROOT, query: 'POSTER contracts', by: 'name' }))).toEqual([
      'name contracts/2026/poster.pdf',
    ]);
    expect(paths(await call('filesystem_search', { ...ROOT, query: '*.docx' }))).toEqual(['name contracts/terms.docx']);
    expect(paths(await call('filesystem_search', { ...ROOT, query: 'poster', folder: 'contracts' }))).toEqual([
      'name contracts/2026/poster.pdf',
    ]);
  });

  test('returns pages with a mark', async () => {
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`a${i}.txt`, 'x']));
    const { call } = await openFileDesk({ files });
    const first = await call('filesystem_search', { ...ROOT, query: 'a', limit: 3 });
    expect(paths(first)).toEqual(['name a0.txt', 'name a1.txt', 'name a2.txt']);
    expect(first).toMatchObject({ truncated: true, nextOffset: 3 });
    const rest = await call('filesystem_search', { ...ROOT, query: 'a', limit: 3, offset: 3 });
    expect(paths(rest)).toEqual(['name a3.txt', 'name a4.txt']);
    expect(rest).not.toHaveProperty('truncated');
  });

  test('sees nothing through links that leave', async () => {
    const { call } = desk;
    expect(paths(await call('filesystem_search', { ...ROOT, query: 'secret' }))).toEqual([]);
  });
});

describe('filesystem_retrieve', () => {
  test.each([
    ['prices.md', { form: 'plain', text: '# Prices\n\nA poster costs 40 euros.\n', encoding: 'utf-8' }],
    ['contracts/2026/poster.pdf', { form: 'pdf', text: 'Delivery on 12 May', pages: 1 }],
    ['contracts/terms.docx', { form: 'docx', text: '# Terms\n\nPayment within 30 days.' }],
    ['list.csv', { form: 'csv', columns: ['name', 'price'], text: '| name | price |\n| Poster | 40 |' }],
    ['latin.txt', { encoding: 'windows-1252', text: 'Grüße' }],
  ])('reads the text of %s', async (filePath, expected) => {
    const { call } = desk;
    const read = await call('filesystem_retrieve', { ...ROOT, filePath });
    expect(read).toMatchObject({ path: filePath, ...expected, modified: expect.stringMatching(/Z$/) as string });
    expect(read).not.toHaveProperty('truncated');
  });

  test('returns a long text in pages, and sees a change of the file', async () => {
    const { call, stage } = await openFileDesk({ files: { 'a.txt': `${'a'.repeat(100)}${'b'.repeat(50)}` } });
    const args = { ...ROOT, filePath: 'a.txt', limit: 100 };
    expect(await call('filesystem_retrieve', args)).toMatchObject({
      text: 'a'.repeat(100),
      characters: 150,
      truncated: true,
      nextOffset: 100,
    });
    expect(await call('filesystem_retrieve', { ...args, offset: 100 })).toMatchObject({ text: 'b'.repeat(50) });
    writeFileSync(join(stage.root, 'documents/a.txt'), 'changed');
    expect(await call('filesystem_retrieve', args)).toMatchObject({ text: 'changed' });
  });

  test('returns a small binary file as base64, and refuses a larger one', async () => {
    const { call } = await openFileDesk({ files: { ...FILES, 'large.bin': new Uint8Array(96 * 1024 + 1) } });
    expect(await call('filesystem_retrieve', { ...ROOT, filePath: 'logo.png' })).toMatchObject({
      mimeType: 'image/png',
      encoding: 'base64',
      data: FILES['logo.png'].toString('base64'),
    });
    expect(await call('filesystem_retrieve', { ...ROOT, filePath: 'prices.md', as: 'base64' })).toMatchObject({
      data: Buffer.from(FILES['prices.md']).toString('base64'),
    });
    expect(await call('filesystem_retrieve', { ...ROOT, filePath: 'large.bin' })).toMatchObject({
      error: { code: 'TOO_LARGE' },
    });
  });
});

describe('an access outside the root', () => {
  test.each([
    ['the parent', '../secret.txt'],
    ['an absolute path', '/etc/passwd'],
    ['a link that leaves', 'out.txt'],
    ['a link to the parent', 'up/secret.txt'],
    ['a hidden file', '.env'],
    ['a file of a hidden folder', '.git/config'],
    ['an address', 'file:///etc/passwd'],
    ['a drive of Windows', 'C:\\secret.txt'],
    ['a look-alike', 'PRICES.md'],
  ])('by %s is refused and logged', async (_name, filePath) => {
    const { call, log } = desk;
    const { error } = await call('filesystem_retrieve', { ...ROOT, filePath });
    expect(error).toMatchObject({ code: 'FILE_DENIED', hint: expect.any(String) as string });
    expect(log()).toEqual([
      [
        'file access denied',
        {
          ...{ tool: 'filesystem_retrieve', path: filePath, why: error?.message },
          ...{ run: 'run_1', director: 'boss', agent: 'helper' },
        },
      ],
    ]);
  });

  test.each(['/', './config', '..', './documents/..', '/home/jane/documents', 'documents-secret'])(
    'by the virtualRoot %s is refused and logged',
    async (virtualRoot) => {
      const { call, log } = desk;
      for (const [tool, args] of [
        ['filesystem_search', { query: 'secret' }],
        ['filesystem_retrieve', { filePath: 'secret.txt' }],
      ] as const) {
        const result = await call(tool, { virtualRoot, ...args });
        expect(result).toMatchObject({ error: { code: 'FILE_DENIED', hint: 'write virtualRoot: "./documents"' } });
        expect(JSON.stringify(result)).not.toContain(SECRET);
      }
      expect(log()).toHaveLength(2);
    },
  );

  test('by the same root in another spelling is accepted', async () => {
    const { call, stage } = desk;
    for (const virtualRoot of ['documents', './documents/', join(stage.root, 'documents')])
      expect(await call('filesystem_retrieve', { virtualRoot, filePath: 'prices.md' })).toMatchObject({
        form: 'plain',
      });
  });

  test('is refused where the settings name no root', async () => {
    const { call, log } = await openFileDesk({ settings: '{}\n' });
    expect(await call('filesystem_search', { ...ROOT, query: 'a' })).toMatchObject({
      error: { code: 'FILE_DENIED', hint: 'a person must set virtualRoot in settings.yaml' },
    });
    expect(log()).toHaveLength(1);
  });
});

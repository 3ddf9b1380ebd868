import { afterEach, describe, expect, test } from 'vitest';
import { ALL, type Lab, openLab } from './notebook-lab.ts';

let lab: Lab;

afterEach(async () => lab.close());

describe('reading', () => {
  test('a file is read by a path from the root of the notebook, with its hash', async () => {
    lab = await openLab();
    lab.put('notes/plan.md', '# Plan\nWater the seedlings.\n');
    const [found, same] = await lab.run([
      ['notebook_read_file', { path: '/notes/plan.md' }],
      ['notebook_read_file', { path: 'notes/plan.md', notebook: 'lab' }],
    ]);
    expect(found).toMatchObject({
      notebook: 'lab',
      path: '/notes/plan.md',
      content: '# Plan\nWater the seedlings.\n',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(same).toEqual(found);
  });

  test('a long file is read in pieces, each of which says that there is more', async () => {
    lab = await openLab();
    lab.put('long.txt', 'x'.repeat(150_000));
    const [first, second] = await lab.run([
      ['notebook_read_file', { path: '/long.txt' }],
      ['notebook_read_file', { path: '/long.txt', offset: 100_000 }],
    ]);
    expect(first).toMatchObject({ truncated: true, characters: 150_000, nextOffset: 100_000 });
    expect(String(second?.['content'])).toHaveLength(50_000);
    expect(second).not.toHaveProperty('truncated');
  });

  test('a file that is no text is refused', async () => {
    lab = await openLab();
    lab.put('a.bin', Buffer.from([0, 1, 2]));
    expect(await lab.run(['notebook_read_file', { path: '/a.bin' }])).toMatchObject([
      { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
    ]);
  });

  test('metadata has the size, the title and the properties of the front matter', async () => {
    lab = await openLab();
    lab.put('a.md', '---\n# no title\nstatus: open\ntags: [x, y]\n---\n# Growth\nText.\n');
    expect(await lab.run(['notebook_get_metadata', { path: '/a.md' }])).toMatchObject([
      { path: '/a.md', type: 'md', lines: 7, title: 'Growth', properties: { status: 'open', tags: ['x', 'y'] } },
    ]);
  });

  test('a folder is listed with its files and folders, all folders below where asked, and names by a pattern', async () => {
    lab = await openLab();
    for (const path of ['a.md', 'b.txt', 'x/c.md', 'x/y/d.md']) lab.put(path, 'text');
    const paths = (result: unknown) => (result as { files: { path: string }[] }).files.map(({ path }) => path);
    const [root, below, all, pattern] = await lab.run([
      ['notebook_list_files', {}],
      ['notebook_list_files', { path: '/x' }],
      ['notebook_list_files', { recursive: true, limit: 3 }],
      ['notebook_list_files', { pattern: '*.md', recursive: true }],
    ]);
    expect([paths(root), root?.['folders']]).toEqual([['/a.md', '/b.txt'], ['/x']]);
    expect([paths(below), below?.['folders']]).toEqual([['/x/c.md'], ['/x/y']]);
    expect([paths(all), all?.['truncated']]).toEqual([['/a.md', '/b.txt', '/x/c.md'], true]);
    expect(paths(pattern)).toEqual(['/a.md', '/x/c.md', '/x/y/d.md']);
  });

  test('a search finds the files with all words, in any letter case, and shows the lines', async () => {
    lab = await openLab();
    lab.put('a.md', 'Nothing.\nThe Seedlings need WATER.\n');
    lab.put('b.md', 'Only water.\n');
    lab.put('c.bin', Buffer.concat([Buffer.from([0]), Buffer.from('water seedlings')]));
    const [found] = await lab.run(['notebook_search_content', { query: 'water seedlings' }]);
    expect(found).toMatchObject({
      files: [{ path: '/a.md', lines: [{ line: 2, text: 'The Seedlings need WATER.' }] }],
      searched: 2,
      truncated: false,
    });
  });

  test('files and folders with a dot at the start are closed and not listed', async () => {
    lab = await openLab();
    lab.put('.git/config', 'token');
    lab.put('.env', 'token');
    const results = await lab.run([
      ['notebook_read_file', { path: '/.env' }],
      ['notebook_read_file', { path: '/.git/config' }],
      ['notebook_list_files', { recursive: true }],
      ['notebook_search_content', { query: 'token' }],
    ]);
    expect(results).toMatchObject([
      { error: { code: 'OUT_OF_SCOPE' } },
      { error: { code: 'OUT_OF_SCOPE' } },
      { files: [], folders: [] },
      { files: [] },
    ]);
  });
});

describe('writing', () => {
  test('a file is replaced after it was read, and the result names the change', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    const results = await lab.run(
      ['notebook_read_file', { path: '/a.md' }],
      ['notebook_write_file', { path: '/a.md', content: 'new' }],
      ['notebook_write_file', { path: '/a.md', content: 'newer' }],
    );
    expect(results.slice(1)).toMatchObject([
      { operation: 'write', change: expect.stringMatching(/^fchg/) as string },
      { operation: 'write' },
    ]);
    expect(lab.text('a.md')).toBe('newer');
  });

  test('a file that has changed since the run read it is not replaced', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    const results = await lab.run(['notebook_read_file', { path: '/a.md' }], () => lab.put('a.md', 'of a person'), [
      ['notebook_write_file', { path: '/a.md', content: 'new' }],
      ['notebook_update_properties', { path: '/a.md', properties: { a: 1 } }],
      ['notebook_delete_file', { path: '/a.md' }],
    ]);
    expect(results.slice(1)).toMatchObject(Array(3).fill({ error: { code: 'FILE_CHANGED' } }));
    expect(lab.text('a.md')).toBe('of a person');
    expect(await lab.stage.app.deps.store.count('fileChange')).toBe(0);
  });

  test('metadata is no reading: a write after it still refuses a changed file', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    const results = await lab.run(
      ['notebook_read_file', { path: '/a.md' }],
      () => lab.put('a.md', 'of a person'),
      ['notebook_get_metadata', { path: '/a.md' }],
      ['notebook_write_file', { path: '/a.md', content: 'new' }],
    );
    expect(results[2]).toMatchObject({ error: { code: 'FILE_CHANGED' } });
  });

  test('expectedHash must be the hash of the file', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    const results = await lab.run([
      'notebook_write_file',
      { path: '/a.md', content: 'new', expectedHash: 'a'.repeat(64) },
    ]);
    expect(results).toMatchObject([{ error: { code: 'FILE_CHANGED' } }]);
  });

  test('properties become front matter, and an update changes nothing else', async () => {
    lab = await openLab();
    lab.put('b.md', '---\r\n# who\r\nname:   "Ada"  # keep\r\nstatus: open\r\n---\r\nBody: x\r\n');
    const results = await lab.run([
      ['notebook_write_file', { path: '/a.md', content: '# Title\n', properties: { status: 'new', tags: ['x'] } }],
      ['notebook_update_properties', { path: '/b.md', properties: { status: 'done' } }],
    ]);
    expect(results.every(({ error }) => error === undefined)).toBe(true);
    expect(lab.text('a.md')).toBe('---\nstatus: new\ntags:\n  - x\n---\n# Title\n');
    expect(lab.text('b.md')).toBe('---\r\n# who\r\nname:   "Ada"  # keep\r\nstatus: done\r\n---\r\nBody: x\r\n');
  });

  test('a new file begins with its template; an unknown template is an error that lists them', async () => {
    lab = await openLab();
    lab.put('templates/experiment.md', '# Experiment\n');
    const results = await lab.run(
      [
        ['notebook_create_file', { path: '/x/1.md', template: 'experiment', content: 'Day 1\n' }],
        ['notebook_create_file', { path: '/x/2.md', template: 'diary' }],
      ],
      [
        ['notebook_create_file', { path: '/x/1.md' }],
        ['notebook_create_file', { path: '/x/empty.md' }],
      ],
    );
    expect(lab.text('x/1.md')).toBe('# Experiment\nDay 1\n');
    expect(results.slice(1)).toMatchObject([
      { error: { code: 'NOT_FOUND', hint: 'templates: experiment.md' } },
      { error: { code: 'CONFLICT' } },
      { operation: 'create', size: 0 },
    ]);
  });

  test('a file is deleted', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    expect(await lab.run(['notebook_delete_file', { path: '/a.md' }])).toMatchObject([{ operation: 'delete' }]);
    expect(() => lab.text('a.md')).toThrow('ENOENT');
  });

  test('a write that changes nothing makes no change', async () => {
    lab = await openLab();
    lab.put('a.md', 'same');
    expect(await lab.run(['notebook_write_file', { path: '/a.md', content: 'same' }])).toMatchObject([
      { changed: false },
    ]);
    expect(await lab.stage.app.deps.store.count('fileChange')).toBe(0);
  });

  test.each(['../config/settings.yaml', '/../../x.md', 'C:\\x.md', 'a\u0000b.md', 'file:///etc/passwd'])(
    'the path %j is refused, and no file is made',
    async (path) => {
      lab = await openLab();
      const results = await lab.run([
        ['notebook_create_file', { path, content: 'x' }],
        ['notebook_read_file', { path }],
      ]);
      expect(results).toMatchObject([{ error: { code: 'FILE_DENIED' } }, { error: { code: 'FILE_DENIED' } }]);
    },
  );
});

test('the aliases of the seed are accepted in tools and permissions', async () => {
  lab = await openLab('', {
    files: {
      'directors/boss.yaml': `id: boss\napiConfigId: main\ntools: [read_file, write_file]\n${ALL}permissions: { allow: [write_file] }\n`,
    },
  });
  lab.put('a.md', 'text');
  await lab.run(['notebook_read_file', { path: '/a.md' }], ['notebook_write_file', { path: '/a.md', content: 'new' }]);
  expect(lab.offered()).toEqual(expect.arrayContaining(['notebook_read_file', 'notebook_write_file']));
  expect(lab.offered()).not.toContain('notebook_list_files');
  expect(lab.text('a.md')).toBe('new');
});

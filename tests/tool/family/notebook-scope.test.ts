import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ALL, FREE, type Lab, openLab } from './notebook-lab.ts';

let lab: Lab;

afterEach(async () => lab.close());

const names = () => lab.offered().filter((name) => name.startsWith('notebook_'));
const refused = { error: { code: 'OUT_OF_SCOPE' } };

describe('which tools are offered', () => {
  test('none without a scope, and a call is refused by name', async () => {
    lab = await openLab(FREE);
    const results = await lab.run(['notebook_read_file', { path: '/a.md' }]);
    expect(names()).toEqual([]);
    expect(results).toMatchObject([
      { error: { code: 'TOOL_DENIED', message: expect.stringContaining('director boss: it has no scope') as string } },
    ]);
  });

  test('those that read where nothing is said of operations', async () => {
    lab = await openLab(`scope: { notebooks: [lab] }\n${FREE}`);
    const results = await lab.run(['notebook_write_file', { path: '/a.md', content: 'x' }]);
    expect(names()).toEqual([
      'notebook_read_file',
      'notebook_list_files',
      'notebook_search_content',
      'notebook_get_metadata',
    ]);
    expect(results).toMatchObject([
      { error: { code: 'TOOL_DENIED', message: expect.stringContaining('scope.operations has no "write"') as string } },
    ]);
  });

  test.each([
    ['write', ['notebook_update_properties', 'notebook_write_file']],
    ['create', ['notebook_create_file']],
    ['delete', ['notebook_delete_file']],
  ])('those of the operation %s', async (operation, expected) => {
    lab = await openLab(`scope: { notebooks: [lab], operations: [${operation}] }\n${FREE}`);
    await lab.run();
    expect(names()).toEqual(expected);
  });

  test('none where no notebook of the scope exists', async () => {
    lab = await openLab(`scope: { notebooks: [hut] }\n${FREE}`);
    await lab.run();
    expect(names()).toEqual([]);
  });

  test('none once the newest config has no scope any more, also in a run that goes on', async () => {
    lab = await openLab(`${ALL}${FREE}`);
    lab.put('a.md', 'text');
    let done: Promise<void> = Promise.resolve();
    const results = await lab.run(
      ['notebook_read_file', { path: '/a.md' }],
      () => {
        lab.stage.write({ 'directors/boss.yaml': `id: boss\napiConfigId: main\ntools: [notebook]\n${FREE}` });
        done = lab.stage.app.config.refresh();
      },
      ['notebook_list_files', {}],
      ['notebook_read_file', { path: '/a.md' }],
    );
    await done;
    expect(results.at(-1)).toMatchObject({ error: { code: 'TOOL_DENIED' } });
  });
});

describe('which files are open', () => {
  test('those in the folders and with the names of the scope; each refusal names caller, operation, file and reason', async () => {
    lab = await openLab(
      `scope: { notebooks: [lab], folders: [/experiments/*, /notes], fileTypes: ["*.md"], operations: [read, create] }\n${FREE}`,
    );
    for (const path of ['experiments/1/deep/a.md', 'notes/sub/b.md', 'notes/c.csv', 'private/d.md', 'e.md'])
      lab.put(path, 'water');
    const results = await lab.run([
      ['notebook_read_file', { path: '/experiments/1/deep/a.md' }],
      ['notebook_read_file', { path: '/notes/sub/b.md' }],
      ['notebook_read_file', { path: '/notes/c.csv' }],
      ['notebook_read_file', { path: '/private/d.md' }],
      ['notebook_get_metadata', { path: '/private/none.md' }],
      ['notebook_create_file', { path: '/private/new.md' }],
    ]);
    expect(results.slice(0, 2)).toMatchObject([{ content: 'water' }, { content: 'water' }]);
    expect(results.slice(2)).toMatchObject([refused, refused, refused, refused]);
    expect(results[3]?.error?.message).toBe(
      'director boss may not read "/private/d.md" of lab: scope.folders has only /experiments/*, /notes',
    );
    expect(() => lab.text('private/new.md')).toThrow('ENOENT');
  });

  test('a list and a search show nothing else, not even the name of a closed folder', async () => {
    lab = await openLab(`scope: { notebooks: [lab], folders: [/experiments/*], fileTypes: ["*.md"] }\n${FREE}`);
    for (const path of ['experiments/1/a.md', 'experiments/1/b.csv', 'private/d.md', 'e.md']) lab.put(path, 'water');
    const results = await lab.run([
      ['notebook_list_files', {}],
      ['notebook_list_files', { recursive: true }],
      ['notebook_search_content', { query: 'water' }],
      ['notebook_list_files', { path: '/private' }],
      ['notebook_list_files', { path: '/nothing' }],
      ['notebook_search_content', { path: '/private', query: 'water' }],
    ]);
    expect(results).toMatchObject([
      { files: [], folders: ['/experiments'] },
      { files: [{ path: '/experiments/1/a.md' }] },
      { files: [{ path: '/experiments/1/a.md' }], searched: 1 },
      refused,
      refused,
      refused,
    ]);
    const shown = (result: unknown) => JSON.stringify(result).replace(/\/(private|nothing)/, '');
    expect(shown(results[3])).toBe(shown(results[4]));
  });

  test('a link inside the notebook opens nothing outside the scope', async () => {
    lab = await openLab(
      `scope: { notebooks: [lab], folders: [/notes], operations: [read, write, create, delete] }\n${FREE}`,
    );
    lab.put('private/d.md', 'secret');
    lab.put('notes/a.md', 'text');
    symlinkSync(join(lab.folder, 'private'), join(lab.folder, 'notes', 'link'));
    const path = '/notes/link/d.md';
    const results = await lab.run([
      ['notebook_read_file', { path }],
      ['notebook_write_file', { path, content: 'x' }],
      ['notebook_create_file', { path: '/notes/link/new.md' }],
      ['notebook_delete_file', { path }],
      ['notebook_list_files', { path: '/notes/link' }],
      ['notebook_search_content', { path: '/notes', query: 'secret' }],
    ]);
    expect(results).toMatchObject([refused, refused, refused, refused, { files: [], folders: [] }, { files: [] }]);
    expect(lab.text('private/d.md')).toBe('secret');
  });

  test('a new file is made by write_file only where the scope has create', async () => {
    lab = await openLab(`scope: { notebooks: [lab], operations: [read, write] }\n${FREE}`);
    const results = await lab.run(['notebook_write_file', { path: '/new.md', content: 'x' }]);
    expect(results).toMatchObject([
      { error: { code: 'OUT_OF_SCOPE', message: expect.stringContaining('may not create "/new.md"') as string } },
    ]);
  });
});

describe('several notebooks', () => {
  const both = {
    files: { 'settings.yaml': 'roots: { lab: ./notebooks/lab, home: ./notebooks/home, work: ./notebooks/work }\n' },
  };

  test('a call must name one where the scope names several, and only one of them', async () => {
    lab = await openLab(`scope: { notebooks: [lab, home] }\n${FREE}`, both);
    mkdirSync(join(lab.stage.root, 'notebooks/home'));
    writeFileSync(join(lab.stage.root, 'notebooks/home/a.md'), 'at home');
    const results = await lab.run([
      ['notebook_read_file', { path: '/a.md' }],
      ['notebook_read_file', { path: '/a.md', notebook: 'home' }],
      ['notebook_read_file', { path: '/a.md', notebook: 'work' }],
    ]);
    expect(results).toMatchObject([
      { error: { code: 'TOOL_ARGUMENTS', message: expect.stringContaining('notebook') as string } },
      { notebook: 'home', content: 'at home' },
      { error: { code: 'OUT_OF_SCOPE', hint: 'notebooks in its scope: lab, home' } },
    ]);
  });

  test('* opens all of them', async () => {
    lab = await openLab(`scope: { notebooks: ["*"] }\n${FREE}`, both);
    lab.put('a.md', 'text');
    const results = await lab.run(['notebook_read_file', { path: '/a.md', notebook: 'lab' }]);
    expect(results).toMatchObject([{ content: 'text' }]);
  });
});

test('a root that became a link to the data folder is refused', async () => {
  lab = await openLab(`scope: { notebooks: [lab, bad] }\n${FREE}`, {
    files: { 'settings.yaml': 'roots: { lab: ./notebooks/lab, bad: ./notebooks/bad }\n' },
  });
  symlinkSync(join(lab.stage.root, 'data'), join(lab.stage.root, 'notebooks/bad'));
  expect(await lab.run(['notebook_list_files', { notebook: 'bad' }])).toMatchObject([
    {
      error: {
        code: 'FILE_DENIED',
        message: 'the folder of the notebook "bad" is the data folder, which no tool may open',
      },
    },
  ]);
});

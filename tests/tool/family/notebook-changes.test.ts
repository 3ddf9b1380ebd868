import { afterEach, describe, expect, test } from 'vitest';
import { changeFile, readCurrent, undoChange } from '../../../engine/src/file/notebook/change-file.ts';
import { deleteRun } from '../../../engine/src/run/lifecycle/delete.ts';
import type { Approval } from '../../../engine/src/guard/approval.ts';
import type { WorldTool } from '../../../engine/src/tool/tool.ts';
import { builtInTools } from '../../../engine/src/tool/registry.ts';
import { toolServices } from '../tool-services.ts';
import { ALL, FREE, type Lab, openLab } from './notebook-lab.ts';

let lab: Lab;

afterEach(async () => lab.close());

const ASK = 'permissions: { allow: [notebook_read_file], ask: ["notebook_*"] }\n';

async function approvals(): Promise<readonly Approval[]> {
  const rows = await lab.stage.app.deps.store.list('approval', { where: [['status', '=', 'pending']] });
  return rows.map(({ body }) => JSON.parse(body) as Approval);
}

async function waiting(runId: string): Promise<Approval> {
  await lab.stage.until(runId, ({ status }) => status === 'waiting');
  const [approval] = await approvals();
  if (approval === undefined) throw new Error('nobody is asked');
  return approval;
}

const allow = (id: string, args?: object) =>
  lab.stage.app.engine.decide(id, { decision: 'allow', by: 'jane', ...(args && { arguments: args }) });

describe('an approval of a write', () => {
  test('is asked for without permissions, and shows the difference', async () => {
    lab = await openLab(ALL);
    lab.put('a.md', 'one\ntwo\nthree\n');
    const run = await lab.begin(['notebook_write_file', { path: '/a.md', content: 'one\n2\nthree\n' }]);
    const { id, preview } = await waiting(run);
    expect(preview).toEqual({
      mimeType: 'text/x-diff',
      data: '--- /a.md\n+++ /a.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    });
    expect(lab.text('a.md')).toBe('one\ntwo\nthree\n');
    await allow(id);
    await lab.stage.ended(run);
    expect(lab.text('a.md')).toBe('one\n2\nthree\n');
  });

  test.each([
    ['notebook_create_file', { path: '/new.md', content: 'x\n' }, '--- /dev/null\n+++ /new.md\n+x\n'],
    ['notebook_delete_file', { path: '/a.md' }, '--- /a.md\n+++ /dev/null\n-old\n'],
    [
      'notebook_update_properties',
      { path: '/a.md', properties: { s: 1 } },
      '--- /a.md\n+++ /a.md\n+---\n+s: 1\n+---\n old\n',
    ],
  ])('%s asks, and shows what it does', async (tool, args, diff) => {
    lab = await openLab(ALL + ASK);
    lab.put('a.md', 'old\n');
    const run = await lab.begin([tool, args]);
    const { preview } = await waiting(run);
    expect(preview.data.replace(/^@@.*\n/m, '')).toBe(diff);
  });

  test('allows nothing else: a file that changed after the person saw it stays', async () => {
    lab = await openLab(ALL + ASK);
    lab.put('a.md', 'old');
    const run = await lab.begin(['notebook_write_file', { path: '/a.md', content: 'new' }]);
    const { id } = await waiting(run);
    lab.put('a.md', 'of a person');
    await allow(id);
    await lab.stage.ended(run);
    const message = 'the file "/a.md" has changed since a person was asked about this call';
    expect(await lab.results(run)).toMatchObject([{ error: { code: 'FILE_CHANGED', message } }]);
    expect(lab.text('a.md')).toBe('of a person');
  });

  test('with edited arguments is guarded again', async () => {
    lab = await openLab(`scope: { notebooks: [lab], folders: [/notes], operations: [read, create] }\n${ASK}`);
    const run = await lab.begin(['notebook_create_file', { path: '/notes/a.md', content: 'x' }]);
    const { id } = await waiting(run);
    const edited = allow(id, { path: '/private/a.md', content: 'x' });
    await expect(edited).rejects.toMatchObject({ code: 'OUT_OF_SCOPE' });
    expect(() => lab.text('private/a.md')).toThrow('ENOENT');
    await allow(id, { path: '/notes/b.md', content: 'x' });
    await lab.stage.ended(run);
    expect(lab.text('notes/b.md')).toBe('x');
  });

  test('is not asked for where the call would fail anyway, or is out of scope', async () => {
    lab = await openLab(
      `scope: { notebooks: [lab], folders: [/notes], operations: [read, write, create, delete] }\n${ASK}`,
    );
    lab.put('notes/a.md', 'text');
    const results = await lab.run([
      ['notebook_delete_file', { path: '/notes/none.md' }],
      ['notebook_create_file', { path: '/notes/a.md' }],
      ['notebook_create_file', { path: '/notes/b.md', template: 'none' }],
      ['notebook_write_file', { path: '/private/a.md', content: 'x' }],
    ]);
    expect(results.map(({ error }) => error?.code)).toEqual(['NOT_FOUND', 'CONFLICT', 'NOT_FOUND', 'OUT_OF_SCOPE']);
    const store = lab.stage.app.deps.store;
    expect([await store.count('approval'), await store.count('ledger')]).toEqual([0, 0]);
  });

  test('a refused call is an entry of the run', async () => {
    lab = await openLab(`scope: { notebooks: [lab], folders: [/notes] }\n${FREE}`);
    await lab.run(['notebook_read_file', { path: '/private/a.md' }]);
    const entries = (await lab.stage.app.deps.store.list('entry')).map(({ body }) => String(body));
    expect(entries.filter((entry) => entry.includes('OUT_OF_SCOPE') && entry.includes('/private/a.md'))).toHaveLength(
      1,
    );
  });
});

describe('undo', () => {
  const newest = async () => {
    const [row] = await lab.stage.app.deps.store.list('fileChange', {
      order: [
        ['at', 'desc'],
        ['id', 'desc'],
      ],
    });
    return row?.id ?? '';
  };
  const undo = (id: string) => undoChange(lab.stage.app.notebooks, id);

  test('brings back what a write replaced, byte for byte, and can be undone itself, again and again', async () => {
    lab = await openLab();
    lab.put('a.md', '\uFEFFold\r\n');
    await lab.run(['notebook_write_file', { path: '/a.md', content: 'new' }]);
    const id = await newest();
    for (let round = 0; round < 2; round++) {
      const back = await undo(id);
      expect(lab.text('a.md')).toBe('\uFEFFold\r\n');
      expect(back).toMatchObject({ undoes: id, author: { by: 'user' }, state: 'written' });
      await undo(back.id);
      expect(lab.text('a.md')).toBe('new');
    }
  });

  test('brings back a deleted file, also one that is no text, and removes a new one', async () => {
    lab = await openLab();
    lab.put('a.bin', Buffer.from([0, 255, 1]));
    const [gone, made] = await lab.run([
      ['notebook_delete_file', { path: '/a.bin' }],
      ['notebook_create_file', { path: '/new.md', content: 'x' }],
    ]);
    await undo(String(gone?.['change']));
    await undo(String(made?.['change']));
    const { bytes } = await readCurrent(lab.stage.app.notebooks.root('lab'), 'a.bin');
    expect([...(bytes ?? [])]).toEqual([0, 255, 1]);
    expect(() => lab.text('new.md')).toThrow('ENOENT');
  });

  test('refuses where the file was changed since, and where it was undone already', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    await lab.run(['notebook_write_file', { path: '/a.md', content: 'new' }]);
    const id = await newest();
    lab.put('a.md', 'of a person');
    await expect(undo(id)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    expect(lab.text('a.md')).toBe('of a person');
    lab.put('a.md', 'new');
    const back = await undo(id);
    await expect(undo(id)).rejects.toMatchObject({ code: 'FILE_CHANGED', hint: `it was undone by ${back.id}` });
    await expect(undo('fchg_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is finished after a process ended inside it, before or after the file was written', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    await lab.run(['notebook_write_file', { path: '/a.md', content: 'new' }]);
    const id = await newest();
    for (const isWritten of [false, true]) {
      const { store } = lab.stage.app.deps;
      const before = await readCurrent(lab.stage.app.notebooks.root('lab'), 'a.md');
      const edit = { notebook: 'lab', before, after: Buffer.from('old'), author: { by: 'user' } as const };
      const died = await changeFile(lab.stage.app.notebooks, { ...edit, runId: 'r', key: `${isWritten}`, undoes: id });
      await store.apply([{ op: 'update', table: 'fileChange', key: { id: died.id }, set: { state: 'intended' } }]);
      if (!isWritten) lab.put('a.md', 'new');
      const done = await undo(id);
      expect([lab.text('a.md'), done.state, done.id === died.id]).toEqual(['old', 'written', isWritten]);
      await undo(done.id);
    }
  });

  test('of a run is no longer possible once the run is deleted: its versions go with it', async () => {
    lab = await openLab();
    lab.put('a.md', 'old');
    await lab.run(['notebook_write_file', { path: '/a.md', content: 'new' }]);
    const { store } = lab.stage.app.deps;
    const [run] = await store.list('run');
    await store.apply(await deleteRun(store, run?.id ?? ''));
    expect([await store.count('fileChange'), await store.count('fileVersion')]).toEqual([0, 0]);
  });
});

describe('a process that ends while a file is written', () => {
  const write = ['notebook_write_file', { path: '/a.md', content: 'new' }] as const;

  /** A tool whose calls end the process, before or after they have done what they do. */
  function fatal(when: 'before' | 'after') {
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    const services = toolServices({ notebooks: () => lab.stage.app.notebooks });
    const real = builtInTools(services).find(({ name }) => name === 'notebook_write_file') as WorldTool;
    const tool: WorldTool = {
      ...real,
      async run(args, context) {
        if (when === 'after') await real.run(args, context);
        die();
        return new Promise(() => {});
      },
    };
    return { tool, died };
  }

  test.each(['before', 'after'] as const)('makes the change once (killed %s it)', async (when) => {
    lab = await openLab();
    const { tool, died } = fatal(when);
    await lab.stage.restart({ tools: [tool] });
    lab.put('a.md', 'old');
    const run = await lab.begin(write);
    await died;
    await lab.stage.restart({ tools: [] });
    await lab.stage.ended(run);
    expect(await lab.results(run)).toMatchObject([{ operation: 'write', path: '/a.md' }]);
    expect(lab.text('a.md')).toBe('new');
    const changes = await lab.stage.app.deps.store.list('fileChange');
    expect(changes.map(({ state }) => state)).toEqual(['written']);
    await undoChange(lab.stage.app.notebooks, changes[0]?.id ?? '');
    expect(lab.text('a.md')).toBe('old');
  });

  test('asks a person where somebody else changed the file before anybody could look', async () => {
    lab = await openLab();
    const { tool, died } = fatal('after');
    await lab.stage.restart({ tools: [tool] });
    lab.put('a.md', 'old');
    const run = await lab.begin(write);
    await died;
    const { store } = lab.stage.app.deps;
    // As if the process had ended before it could mark the change.
    for (const { id } of await store.list('fileChange'))
      await store.apply([{ op: 'update', table: 'fileChange', key: { id }, set: { state: 'intended' } }]);
    lab.put('a.md', 'of a person');
    await lab.stage.restart({ tools: [] });
    const { id, reason } = await waiting(run);
    expect(reason).toContain('was changed by somebody else since');
    expect(lab.text('a.md')).toBe('of a person');
    await allow(id);
    await lab.stage.ended(run);
    expect(lab.text('a.md')).toBe('new');
  });
});

test('nothing of a file is on disk in an encrypted store', async () => {
  const { readdirSync, readFileSync } = await import('node:fs');
  const { join } = await import('node:path');
  const key = 'ab'.repeat(32);
  lab = await openLab(ALL + FREE, { env: (name) => (name === 'VX_MAILAGENT_KEY' ? key : 'sk-test-key') });
  lab.put('xylophone-plan.md', 'marzipan before');
  await lab.run(['notebook_write_file', { path: '/xylophone-plan.md', content: 'marzipan after' }]);
  expect(lab.stage.app.storage).toBe('encrypted');
  const data = join(lab.stage.root, 'data');
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString('latin1')).join();
  for (const word of ['xylophone', 'marzipan']) expect(bytes.includes(word)).toBe(false);
});

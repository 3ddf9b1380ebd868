import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineError } from '../../engine/src/base/error.ts';
import {
  deleteMailChange,
  identityKey,
  mailOf,
  readContent,
  readMailRow,
  readRaw,
} from '../../engine/src/mail/mail-store.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const FILES = {
  'accounts/box.yaml': 'id: box\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'directors/second.yaml': 'id: second\nname: Second\napiConfigId: main\n',
  'directors/elsewhere.yaml': 'id: elsewhere\nname: Elsewhere\napiConfigId: main\naccountIds: [other]\n',
  'accounts/other.yaml': 'id: other\nprovider: folder\nemail: other@example.org\npath: ./other\n',
  'filters/a-client.yaml': 'id: a-client\nfield: From\nregex: client@example\\.com\ndirectorId: [boss, second]\n',
  'filters/b-elsewhere.yaml': 'id: b-elsewhere\nfield: Subject\nregex: elsewhere\ndirectorId: elsewhere\n',
};

let stage: Stage;
beforeEach(async () => {
  stage = await setStage({ files: FILES, models: playModels(() => ({ content: 'Done.' })) });
  for (const folder of ['inbox', 'other']) mkdirSync(join(stage.root, folder));
});
afterEach(() => stage.close());

const letter = (from: string, subject: string, text = 'Hello', id = `<${subject}@example.com>`) =>
  `From: ${from}\r\nTo: me@example.org\r\nSubject: ${subject}\r\nMessage-ID: ${id}\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n\r\n${text}\r\n`;

/** Drops a file that has stood still for a while. */
function drop(name: string, text: string): void {
  const file = join(stage.root, 'inbox', name);
  writeFileSync(file, text);
  utimesSync(file, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
}

const mails = async () =>
  (await stage.app.deps.store.list('mail', { order: [['id', 'asc']] })).filter(({ state }) => state === 'kept');
const runs = async () =>
  (await stage.app.deps.store.list('run', { order: [['id', 'asc']] })).map((row) => recordOf(row).run);

describe('fetching', () => {
  test('takes a mail with its runs, and keeps the raw bytes', async () => {
    const text = letter('client@example.com', 'one');
    drop('one.eml', text);
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
    const [row] = await mails();
    if (row === undefined) throw new Error('no mail');
    expect(mailOf(row)).toMatchObject({
      summary: { subject: 'one', accountId: 'box', own: false },
      routing: { directors: ['boss', 'second'], note: '' },
    });
    expect((await readContent(stage.app.deps.store, row.id)).text.trim()).toBe('Hello');
    expect(Buffer.from(await readRaw(stage.app.deps.store, row.identity)).toString()).toBe(text);
    expect((await runs()).map(({ directorId, emailId, filterId }) => ({ directorId, emailId, filterId }))).toEqual([
      { directorId: 'boss', emailId: row.id, filterId: 'a-client' },
      { directorId: 'second', emailId: row.id, filterId: 'a-client' },
    ]);
    for (const { id } of await runs()) expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  });

  test('stores a mail with its bytes in one commit, and the first pieces of a large one before it', async () => {
    const apply = vi.spyOn(stage.app.deps.store, 'apply');
    const pieces = () => {
      const calls = apply.mock.calls.splice(0).map(([changes]) => changes);
      const tables = calls.map((changes) => changes.map((change) => (change.op === 'wake' ? 'wake' : change.table)));
      return tables.filter((names) => names.includes('mailRaw')).map((names) => names.includes('mail'));
    };
    drop('small.eml', letter('stranger@example.net', 'small'));
    await stage.app.fetcher.fetch();
    expect(pieces()).toEqual([true]);
    // An attachment of 256 KB.
    drop('middle.eml', letter('stranger@example.net', 'middle', 'x'.repeat(360_000)));
    await stage.app.fetcher.fetch();
    expect(pieces()).toEqual([true]);
    drop('large.eml', letter('stranger@example.net', 'large', 'x'.repeat(1_000_000)));
    await stage.app.fetcher.fetch();
    expect(pieces()).toEqual([false, false, true]);
    apply.mockRestore();
    const large = (await mails()).at(-1);
    expect((await readRaw(stage.app.deps.store, large?.identity ?? '')).length).toBeGreaterThan(1_000_000);
  });

  test.each([300_000, 1_000_000, 2_000_000])(
    'pieces of another size that a killed process left do not follow a mail of %s bytes',
    async (size) => {
      const { store } = stage.app.deps;
      const text = letter('stranger@example.net', 'large', 'x'.repeat(size));
      const identity = identityKey(store, 'box', createHash('sha256').update(text).digest('hex'));
      const earlier = 256 * 1024;
      for (let seq = 0; seq * earlier < text.length; seq++) {
        const body = Buffer.from(text.slice(seq * earlier, (seq + 1) * earlier));
        await store.apply([{ op: 'put', table: 'mailRaw', row: { identity, seq, body } }]);
      }
      drop('large.eml', text);
      expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
      const [row] = await mails();
      expect(row?.identity).toBe(identity);
      expect(Buffer.from(await readRaw(store, identity)).toString() === text).toBe(true);
    },
  );

  test('the first fetch of an account looks up no file of the backlog, and the next one does', async () => {
    const get = vi.spyOn(stage.app.deps.store, 'get');
    const lookUps = () => get.mock.calls.splice(0).filter(([table]) => table === 'source').length;
    for (const name of ['a', 'b', 'c']) drop(`${name}.eml`, letter('stranger@example.net', name));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 3, failed: 0 });
    expect(lookUps()).toBe(0);
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0, failed: 0 });
    expect(lookUps()).toBe(3);
    get.mockRestore();
  });

  test('small mails are stored beside each other, and of several with one Message-ID all but one are duplicates', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) drop(`${name}.eml`, letter('stranger@example.net', 'same', `text ${name}`));
    for (const name of names) drop(`other-${name}.eml`, letter('stranger@example.net', name));
    const three = Promise.withResolvers<void>();
    let begun = 0;
    const decide = vi.spyOn(stage.app.filterPool, 'decide').mockImplementation(async () => {
      if (++begun === 3) three.resolve();
      await three.promise;
      return { directors: [], passedOver: [], results: [] };
    });
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 12, failed: 0 });
    decide.mockRestore();
    const stored = (await mails()).map(mailOf);
    const same = stored.filter(({ summary }) => summary.subject === 'same');
    expect(same.filter(({ duplicateOf }) => duplicateOf === undefined)).toHaveLength(1);
    expect(same).toHaveLength(names.length);
  });

  test('puts each run of a mail into the search index in the commit that stores it', async () => {
    const apply = vi.spyOn(stage.app.deps.store, 'apply');
    drop('one.eml', letter('client@example.com', 'one'));
    await stage.app.fetcher.fetch();
    const stored = apply.mock.calls
      .map(([changes]) => changes)
      .find((changes) => changes.some((change) => change.op === 'insert' && change.table === 'run'));
    const rows = (stored ?? []).flatMap((change) => (change.op === 'insert' || change.op === 'put' ? [change] : []));
    const open = rows.flatMap(({ table, row }) =>
      table === 'run' ? [{ kind: 'run', id: Reflect.get(row, 'id'), settled: 0 }] : [],
    );
    expect(open).toHaveLength(2);
    const indexed = rows.filter(({ table, row }) => table === 'searchAdded' && Reflect.get(row, 'kind') === 'run');
    expect(indexed.map(({ row }) => row)).toEqual(open);
    apply.mockRestore();
  });

  test('takes a mail once, however often it is looked at, renamed or copied, also after a restart', async () => {
    drop('one.eml', letter('client@example.com', 'one'));
    await stage.app.fetcher.fetch();
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0 });
    renameSync(join(stage.root, 'inbox', 'one.eml'), join(stage.root, 'inbox', 'renamed.eml'));
    drop('copy.eml', letter('client@example.com', 'one'));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0 });
    await stage.restart();
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0 });
    expect(await mails()).toHaveLength(1);
    expect(await runs()).toHaveLength(2);
  });

  test('takes a file that was dropped the moment before', async () => {
    writeFileSync(join(stage.root, 'inbox', 'now.eml'), letter('client@example.com', 'now'));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1 });
  });

  test('keeps a mail that nobody takes, says why, and starts nothing', async () => {
    drop('a.eml', letter('stranger@example.net', 'hello'));
    drop('b.eml', letter('stranger@example.net', 'elsewhere'));
    await stage.app.fetcher.fetch();
    const notes = (await mails()).map((row) => ({ routed: row.routed, note: mailOf(row).routing.note }));
    expect(notes).toEqual([
      { routed: 0, note: 'no filter matched' },
      { routed: 0, note: 'filter b-elsewhere names director elsewhere, which does not take mail of this account' },
    ]);
    expect(await runs()).toEqual([]);
  });

  test('takes mails with the same Message-ID each, and notes it', async () => {
    drop('a.eml', letter('client@example.com', 'one', 'first', '<same@example.com>'));
    await stage.app.fetcher.fetch();
    drop('b.eml', letter('client@example.com', 'one', 'second', '<same@example.com>'));
    await stage.app.fetcher.fetch();
    const [first, second] = await mails();
    if (first === undefined || second === undefined) throw new Error('not two mails');
    expect(mailOf(first).duplicateOf).toBeUndefined();
    expect(mailOf(second).duplicateOf).toBe(first.id);
  });

  test('a store that is not the one that fetched a folder takes nothing from it until a person says so', async () => {
    drop('one.eml', letter('client@example.com', 'one'));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
    const dataDir = join(stage.root, 'another');
    await stage.restart({ dataDir });
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0, failed: 2 });
    const [box] = stage.app.fetcher.status().accounts.filter(({ accountId }) => accountId === 'box');
    expect(box).toMatchObject({ state: 'failed', lastError: { code: 'STORE_LOST' } });
    expect(await runs()).toEqual([]);
    await stage.restart({ dataDir, guard: { acceptsNewStore: true } });
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
    // From then on both may fetch it.
    drop('two.eml', letter('client@example.com', 'two'));
    for (const options of [{ dataDir }, {}]) {
      await stage.restart(options);
      expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
    }
  });

  test('a store of an earlier version, which left no note in the folder, goes on', async () => {
    drop('one.eml', letter('client@example.com', 'one'));
    await stage.app.fetcher.fetch();
    writeFileSync(join(stage.root, 'inbox/.callsheet-stores'), `${'0'.repeat(32)}\n`);
    drop('two.eml', letter('client@example.com', 'two'));
    await stage.restart();
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
  });

  test('does not take a deleted mail again', async () => {
    drop('one.eml', letter('client@example.com', 'one'));
    await stage.app.fetcher.fetch();
    const [row] = await mails();
    if (row === undefined) throw new Error('no mail');
    await stage.app.deps.store.apply(deleteMailChange(row));
    drop('again.eml', letter('client@example.com', 'one'));
    await stage.restart();
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0 });
    expect(await readMailRow(stage.app.deps.store, row.id)).toBeUndefined();
    expect(await stage.app.deps.store.count('mailRaw')).toBe(0);
  });

  test('keeps a mail whose file is gone, and marks it when none of its files is left', async () => {
    const inbox = join(stage.root, 'inbox');
    drop('one.eml', letter('client@example.com', 'one'));
    drop('copy.eml', letter('client@example.com', 'one'));
    drop('two.eml', letter('client@example.com', 'two'));
    await stage.app.fetcher.fetch();
    const gone = async () => {
      await stage.app.fetcher.fetch();
      const marked = (await mails()).map((row) => mailOf(row)).filter(({ removedAt }) => removedAt !== undefined);
      return marked.map(({ summary }) => summary.subject);
    };
    rmSync(join(inbox, 'one.eml'));
    expect(await gone()).toEqual([]);
    renameSync(join(inbox, 'copy.eml'), join(inbox, 'moved.eml'));
    expect(await gone()).toEqual([]);
    rmSync(join(inbox, 'moved.eml'));
    expect(await gone()).toEqual(['one']);
    expect(await stage.app.deps.store.count('source')).toBe(1);
    expect(await runs()).toHaveLength(4);
  });

  test('takes a mail by the next fetch where no worker could start for it, and does not blame the mail', async () => {
    drop('one.eml', letter('client@example.com', 'one'));
    const { mailWorkers } = stage.app;
    vi.spyOn(mailWorkers, 'parse').mockRejectedValueOnce(new EngineError('BUSY', 'no thread', { retryable: true }));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0, failed: 1 });
    const [box] = stage.app.fetcher.status().accounts;
    expect(box).toMatchObject({ accountId: 'box', lastError: { code: 'BUSY' }, unreadable: [] });
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 0 });
  });

  test('one account that fails does not keep another from its mail', async () => {
    rmSync(join(stage.root, 'other'), { recursive: true });
    drop('one.eml', letter('client@example.com', 'one'));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 1, failed: 1 });
    const { accounts } = stage.app.fetcher.status();
    expect(accounts.find(({ accountId }) => accountId === 'other')).toMatchObject({
      state: 'failed',
      lastError: { code: 'ACCOUNT_FAILED' },
    });
    expect(accounts.find(({ accountId }) => accountId === 'box')).toMatchObject({ state: 'idle', taken: 1 });
  });

  test('in the background a dropped mail is taken without being asked', async () => {
    stage.app.fetcher.start();
    expect(stage.app.fetcher.status().state).toBe('running');
    await expect.poll(() => stage.app.fetcher.status().isFetching).toBe(false);
    writeFileSync(join(stage.root, 'inbox', 'fresh.eml'), letter('client@example.com', 'fresh'));
    await expect.poll(mails).toHaveLength(1);
    await stage.app.fetcher.stop();
    expect(stage.app.fetcher.status().state).toBe('stopped');
  });

  test('an account that is added while it runs is fetched', async () => {
    stage.app.fetcher.start();
    mkdirSync(join(stage.root, 'late'));
    writeFileSync(join(stage.root, 'late', 'x.eml'), letter('client@example.com', 'late'));
    stage.write({ 'accounts/late.yaml': 'id: late\nprovider: folder\nemail: late@example.org\npath: ./late\n' });
    await stage.app.config.refresh();
    await expect.poll(async () => (await mails()).map(({ account }) => account)).toEqual(['late']);
  });
});

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { sha256 } from '../../../engine/src/base/json.ts';
import { createFolderMailbox } from '../../../engine/src/mail/folder/mailbox.ts';
import { createFolderSource } from '../../../engine/src/mail/folder/source.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import { letterTo, mailboxContract, ME, outgoing } from '../../contracts/mailbox.ts';

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

const mailboxAt = (path: string, format: 'auto' | 'eml' | 'maildir' = 'auto') =>
  createFolderMailbox({ accountId: 'inbox', email: ME, path, format, workers });

const newRoot = () => mkdtempSync(join(tmpdir(), 'callsheet-mailbox-'));

mailboxContract('a folder of .eml files', {
  async open() {
    const root = newRoot();
    const inbox = join(root, 'inbox');
    mkdirSync(inbox);
    let count = 0;
    return {
      mailbox: mailboxAt(inbox),
      deliver: async (raw) => writeFileSync(join(inbox, `${++count}.eml`), raw),
      close: async () => rmSync(root, { recursive: true }),
    };
  },
});

mailboxContract('a Maildir', {
  labels: ['\\Flagged', 'never-seen-before'],
  async open() {
    const root = newRoot();
    const inbox = join(root, 'inbox');
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(inbox, name), { recursive: true });
    let count = 0;
    return {
      mailbox: mailboxAt(inbox),
      async deliver(raw) {
        const name = `${++count}.host`;
        writeFileSync(join(inbox, 'tmp', name), raw);
        renameSync(join(inbox, 'tmp', name), join(inbox, 'new', name));
      },
      close: async () => rmSync(root, { recursive: true }),
    };
  },
});

describe('a folder as a mailbox', () => {
  let root: string;
  let inbox: string;
  beforeEach(() => {
    root = newRoot();
    inbox = join(root, 'inbox');
    mkdirSync(inbox);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function fetched(path: string): Promise<string[]> {
    const source = createFolderSource({
      ...{ accountId: 'inbox', email: ME, path, format: 'auto', workers },
      clock: { ...systemClock, now: () => Date.now() + 10_000 },
    });
    const names: string[] = [];
    for await (const one of source.list({ seen: () => undefined })) if (one.kind === 'mail') names.push(one.name);
    return names;
  }

  test('lays drafts and what is sent beside the inbox, once however often it is asked', async () => {
    for (let n = 0; n < 3; n++) {
      await mailboxAt(inbox).draft(outgoing('one'));
      await mailboxAt(inbox).send(outgoing('two'));
    }
    expect(readdirSync(join(root, 'drafts'))).toHaveLength(1);
    expect(readdirSync(join(root, 'outbox'))).toHaveLength(1);
    const [name = ''] = readdirSync(join(root, 'outbox'));
    expect(readFileSync(join(root, 'outbox', name)).equals(outgoing('two').mime)).toBe(true);
  });

  test('leaves no half-written file behind', async () => {
    await mailboxAt(inbox).send(outgoing('two'));
    expect(readdirSync(join(root, 'outbox')).filter((name) => !/^[0-9a-f]{40}\.eml$/.test(name))).toEqual([]);
  });

  /** A process that ends when the mail is out and before it is on record; returns where the mail lies. */
  async function sendAndEnd(): Promise<string> {
    const onSent = () => Promise.reject(new Error('ended'));
    await expect(mailboxAt(inbox).send(outgoing('two'), { onSent })).rejects.toThrow('ended');
    const name = readdirSync(join(root, 'outbox')).find((one) => !one.startsWith('.'));
    return join(root, 'outbox', name ?? '');
  }

  test('knows that a mail was sent that was carried on before anybody wrote down that it was', async () => {
    rmSync(await sendAndEnd());
    expect(await mailboxAt(inbox).findSent(outgoing('two').messageId)).toEqual({});
  });

  test('knows that a mail was not sent that was about to appear', async () => {
    const path = await sendAndEnd();
    renameSync(path, join(root, 'outbox', `.${basename(path)}.part`));
    expect(await mailboxAt(inbox).findSent(outgoing('two').messageId)).toBeUndefined();
  });

  test('does not take an outbox that cannot be read for an empty one', async () => {
    symlinkSync('outbox', join(root, 'outbox'));
    await expect(mailboxAt(inbox).findSent('<x@y>')).rejects.toMatchObject({
      code: 'ACCOUNT_FAILED',
      message: expect.stringContaining('ELOOP'),
    });
  });

  test('has nothing fetched but the inbox, also by an account of the folder that holds it', async () => {
    writeFileSync(join(inbox, 'a.eml'), letterTo('Mine'));
    const box = mailboxAt(inbox);
    await box.draft(outgoing('one'));
    await box.send(outgoing('two'));
    const [mine] = await box.search({ subject: 'Mine' }, { limit: 1 });
    await box.label(mine?.ref ?? '', { add: ['urgent'], remove: [] });
    expect(await fetched(inbox)).toEqual(['a.eml']);
    await box.archive(mine?.ref ?? '');
    expect(await fetched(inbox)).toEqual([]);
    expect(await fetched(root)).toEqual([]);
  });

  test.each([
    ['a folder of .eml files', 'a.eml', []],
    ['a Maildir', '1.host', ['cur', 'new', 'tmp']],
  ])('keeps all labels that are put on at the same time, in %s', async (_, name, folders) => {
    for (const folder of folders) mkdirSync(join(inbox, folder));
    writeFileSync(join(inbox, folders[1] ?? '', name), letterTo('Labels'));
    const box = mailboxAt(inbox);
    const put = (label: string) => box.label(`inbox/${name}`, { add: [label], remove: [] });
    await Promise.all(['one', '\\Flagged', 'two', '\\Seen'].map(put));
    expect((await put('three')).labels.toSorted()).toEqual(['\\Flagged', '\\Seen', 'one', 'three', 'two']);
  });

  test('leaves the bytes of a mail as they are when it gets labels: they are what it is known by', async () => {
    writeFileSync(join(inbox, 'a.eml'), letterTo('Mine', ['X-Keywords: given']));
    const box = mailboxAt(inbox);
    const { labels } = await box.label('inbox/a.eml', { add: ['urgent'], remove: [] });
    expect(labels).toEqual(['given', 'urgent']);
    expect(readFileSync(join(inbox, 'a.eml')).equals(letterTo('Mine', ['X-Keywords: given']))).toBe(true);
    const { labels: left } = await box.label('inbox/a.eml', { add: [], remove: ['given'] });
    expect(left).toEqual(['urgent']);
    expect((await box.read('inbox/a.eml')).entry.labels).toEqual(['urgent']);
  });

  test('finds the file of a mail that was fetched by the hash of its bytes, also when it was archived', async () => {
    writeFileSync(join(inbox, 'a.eml'), letterTo('Mine'));
    const box = mailboxAt(inbox);
    const mail = { providerId: sha256(letterTo('Mine')), messageId: '' };
    expect(await box.locate?.(mail)).toBe('inbox/a.eml');
    await box.archive('inbox/a.eml');
    expect(await box.locate?.(mail)).toBe('archive/a.eml');
    expect(await box.locate?.({ ...mail, providerId: sha256('other') })).toBeUndefined();
  });

  test('archives two mails of one name beside each other', async () => {
    const box = mailboxAt(inbox);
    for (const subject of ['One', 'Two']) {
      writeFileSync(join(inbox, 'a.eml'), letterTo(subject));
      await box.archive('inbox/a.eml');
    }
    const found = await box.search({}, { limit: 5 });
    expect(found.map(({ subject }) => subject).sort()).toEqual(['One', 'Two']);
  });

  test.each(['inbox/../secret.eml', '../secret.eml', 'drafts/../../etc/passwd', '/etc/passwd', 'inbox/'])(
    'knows no mail %s',
    async (ref) => {
      writeFileSync(join(root, 'secret.eml'), letterTo('Secret'));
      await expect(mailboxAt(inbox).read(ref)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  test.skipIf(process.platform === 'win32')('reads no labels through a link (not on Windows)', async () => {
    const bytes = Buffer.from(letterTo('a@example.org'));
    writeFileSync(join(inbox, 'a.eml'), bytes);
    writeFileSync(join(root, 'secrets'), 'a password\n');
    mkdirSync(join(inbox, '.labels'));
    symlinkSync(join(root, 'secrets'), join(inbox, '.labels', sha256(bytes)));
    expect((await mailboxAt(inbox).read('inbox/a.eml')).entry.labels).toEqual([]);
  });

  test('writes the flags of a Maildir into the name, and other labels beside the mail', async () => {
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(inbox, name));
    writeFileSync(join(inbox, 'new', '1.host'), letterTo('Mine'));
    const box = mailboxAt(inbox);
    await box.label('inbox/1.host', { add: ['\\Seen', '\\Flagged', 'urgent'], remove: [] });
    expect(readdirSync(join(inbox, 'cur'))).toEqual(['1.host:2,FS']);
    const { labels } = await box.label('inbox/1.host', { add: [], remove: ['\\Seen'] });
    expect(labels.toSorted()).toEqual(['\\Flagged', 'urgent']);
    expect(readdirSync(join(inbox, 'cur'))).toEqual(['1.host:2,F']);
  });

  test('leaves flags that others have put on a mail of a Maildir', async () => {
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(inbox, name));
    writeFileSync(join(inbox, 'cur', '1.host:2,STa'), letterTo('Mine'));
    const { labels } = await mailboxAt(inbox).label('inbox/1.host', { add: ['\\Flagged'], remove: ['\\Seen'] });
    expect(labels.toSorted()).toEqual(['\\Deleted', '\\Flagged']);
    expect(readdirSync(join(inbox, 'cur'))).toEqual(['1.host:2,FTa']);
    expect(
      readdirSync(join(inbox, '.labels')).map((name) => readFileSync(join(inbox, '.labels', name), 'utf8')),
    ).toEqual(['']);
  });

  test('says which folder is missing', async () => {
    await expect(mailboxAt(join(root, 'nowhere')).search({}, { limit: 1 })).rejects.toMatchObject({
      code: 'ACCOUNT_FAILED',
      message: expect.stringContaining('nowhere'),
    });
  });
});

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { createFolderSource } from '../../../engine/src/mail/folder/source.ts';
import { createMailWorkers } from '../../../engine/src/mail/parse/mail-workers.ts';
import type { FoundMail, SourceEvent, MailSource, SeenMail } from '../../../engine/src/mail/source.ts';
import { powerless } from '../../available.ts';
import { until } from '../until.ts';

const LIST_FOLDER = join(import.meta.dirname, 'list-folder.ts');

const workers = createMailWorkers({ workers: 1 });
afterAll(() => workers.close());

let root = '';
const stops: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folder-source-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  rmSync(root, { recursive: true, force: true });
});

function sourceOf(path = root, format: 'auto' | 'eml' | 'maildir' = 'auto'): MailSource {
  return createFolderSource({ accountId: 'inbox', email: 'me@example.org', path, format, workers, clock: systemClock });
}

/** A mail that has lain there since `age` seconds. */
function put(name: string, age = 60, text = `Subject: ${name}\n\nx`): string {
  const path = join(root, name);
  writeFileSync(path, text);
  const time = Date.now() / 1000 - age;
  utimesSync(path, time, time);
  return path;
}

async function list(source: MailSource, seen: ReadonlyMap<string, SeenMail> = new Map()): Promise<FoundMail[]> {
  const found: FoundMail[] = [];
  for await (const one of source.list({ seen: (name) => seen.get(name) })) if (one.kind === 'mail') found.push(one);
  return found;
}

/** What a source tells of mails that were taken. */
async function newsOf(source: MailSource, seen: ReadonlyMap<string, SeenMail>): Promise<SourceEvent[]> {
  const news: SourceEvent[] = [];
  for await (const one of source.list({ seen: (name) => seen.get(name) })) if (one.kind !== 'present') news.push(one);
  return news;
}

const names = (found: readonly FoundMail[]) => found.map(({ name }) => name);
const facts = { id: 'm', receivedAt: '' };

describe('a folder of .eml files', () => {
  test('is listed by time of change, then name, without what is no mail', async () => {
    for (const [name, time] of [
      ['late.eml', 3000],
      ['b.EML', 2000],
      ['a.eml', 2000],
    ] as const) {
      utimesSync(put(name), time, time);
    }
    for (const name of ['.hidden.eml', '~lock.eml', 'x.eml~', 'x.eml.part', 'x.tmp.eml', 'notes.txt']) put(name);
    put('empty.eml', 60, '');
    mkdirSync(join(root, 'folder.eml'));
    mkdirSync(join(root, 'Drafts'));
    put('Drafts/draft.eml');
    expect(names(await list(sourceOf()))).toEqual(['a.eml', 'b.EML', 'late.eml']);
  });

  test('gives each file once, and again only when its size or time differs', async () => {
    put('a.eml');
    const source = sourceOf();
    const [first] = await list(source);
    const seen = new Map([['a.eml', { size: first?.seen?.size ?? 0, mtimeMs: first?.seen?.mtimeMs ?? 0 }]]);
    expect(await list(source, seen)).toEqual([]);
    put('a.eml', 30, 'Subject: other\n\nlonger');
    expect(names(await list(source, seen))).toEqual(['a.eml']);
  });

  test('reads a mail with its account, its label headers and the owner’s address', async () => {
    put('a.eml', 60, 'From: me@example.org\nX-Gmail-Labels: Work\nSubject: hi\n\nx');
    const [found] = await list(sourceOf());
    const mail = await found?.read({ id: 'mail_9', receivedAt: '2026-01-01T00:00:00.000Z' });
    expect(JSON.parse(mail?.summary ?? '')).toMatchObject({
      id: 'mail_9',
      accountId: 'inbox',
      labels: ['Work'],
      own: true,
      receivedAt: '2026-01-01T00:00:00.000Z',
    });
  });

  test('leaves a file alone that was changed just now, and announces itself when it has settled', async () => {
    const source = sourceOf();
    let calls = 0;
    stops.push(await source.watch(() => calls++));
    writeFileSync(join(root, 'new.eml'), 'Subject: half');
    expect(await list(source)).toEqual([]);
    await until(async () => (await list(source)).length === 1);
    expect(calls).toBeGreaterThan(0);
  });

  test('refuses a file that grows between finding and reading, and takes it later', async () => {
    const path = put('a.eml');
    const source = sourceOf();
    const [found] = await list(source);
    appendFileSync(path, ' and more');
    await expect(found?.read(facts)).rejects.toMatchObject({ code: 'MAIL_UNSETTLED', retryable: true });
    await until(async () => (await list(source)).length === 1);
    expect(JSON.parse((await (await list(source))[0]?.read(facts))?.content ?? '')).toMatchObject({
      text: 'x and more',
    });
  });

  test('takes a file whose time lies in the future', async () => {
    put('a.eml', -3600);
    expect(names(await list(sourceOf()))).toEqual(['a.eml']);
  });

  test.skipIf(powerless === undefined)(
    'names an unreadable file and goes on with the others (left out where no user without rights can be had)',
    () => {
      const { uid = -1, gid = -1 } = powerless ?? {};
      chownSync(root, uid, gid);
      chmodSync(put('a.eml', 60), 0o000);
      put('b.eml', 50);
      const printed = execFileSync(process.execPath, [LIST_FOLDER, root], { ...powerless, encoding: 'utf8' });
      expect(
        printed
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([
        expect.objectContaining({ code: 'MAIL_UNREADABLE', message: expect.stringContaining('a.eml') }),
        { subject: 'b.eml' },
      ]);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'passes by a link that leads nowhere (left out on Windows, where links need rights)',
    async () => {
      symlinkSync(join(root, 'nowhere'), join(root, 'a.eml'));
      expect(await list(sourceOf())).toEqual([]);
    },
  );

  test.skipIf(process.platform === 'win32')(
    'reports a link to a file as unreadable and does not follow it (left out on Windows)',
    async () => {
      const secret = join(mkdtempSync(join(tmpdir(), 'folder-source-')), 'id_rsa');
      writeFileSync(secret, 'Subject: a private key\n\nx');
      symlinkSync(secret, join(root, 'a.eml'));
      lutimesSync(join(root, 'a.eml'), 1, 1);
      const [found] = await list(sourceOf());
      await expect(found?.read(facts)).rejects.toMatchObject({
        code: 'MAIL_UNREADABLE',
        message: expect.stringMatching(/a\.eml is a symbolic link/),
      });
      rmSync(dirname(secret), { recursive: true });
    },
  );

  test('lists ten thousand files newest first, and lets the loop go on meanwhile', { timeout: 60_000 }, async () => {
    for (let i = 0; i < 10_000; i++) writeFileSync(join(root, `${i}.eml`), 'x');
    utimesSync(join(root, '0.eml'), 1, 1);
    const source = createFolderSource({
      accountId: 'inbox',
      email: '',
      path: root,
      format: 'eml',
      workers,
      clock: { ...systemClock, now: () => Date.now() + 10_000 },
    });
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const found = await list(source);
    clearInterval(ticking);
    expect(found).toHaveLength(10_000);
    expect(found.at(-1)?.name).toBe('0.eml');
    expect(turns).toBeGreaterThan(10);
  });

  test('stops listing when it is aborted', async () => {
    put('a.eml');
    put('b.eml');
    const controller = new AbortController();
    const some = async () => {
      for await (const _ of sourceOf().list({ seen: () => undefined, signal: controller.signal }))
        controller.abort(new Error('enough'));
    };
    await expect(some()).rejects.toThrow('enough');
  });
});

describe('a Maildir', () => {
  beforeEach(() => {
    for (const name of ['cur', 'new', 'tmp', '.Drafts', '.Drafts/cur']) mkdirSync(join(root, name));
  });

  test('is read in new and cur, never in tmp, its subfolders, drafts or what is marked as deleted', async () => {
    put('new/1.host', 40);
    put('cur/2.host:2,FRS', 30);
    put('cur/3.host:2,D', 20);
    put('cur/4.host:2,ST', 20);
    put('tmp/5.host');
    put('.Drafts/cur/6.host');
    put('outside.eml');
    expect(names(await list(sourceOf()))).toEqual(['1.host', '2.host']);
  });

  test('gives flags as labels, and does not believe label headers', async () => {
    put('cur/2.host:2,FRS', 30, 'X-Gmail-Labels: forged\n\nx');
    const [found] = await list(sourceOf());
    const mail = await found?.read(facts);
    expect(JSON.parse(mail?.summary ?? '').labels).toEqual(['\\Flagged', '\\Answered', '\\Seen']);
  });

  test('knows a mail again that moved from new to cur', async () => {
    const path = put('new/1.host');
    const source = sourceOf();
    const [first] = await list(source);
    renameSync(path, join(root, 'cur', '1.host:2,S'));
    const seen = new Map([['1.host', first?.seen ?? { size: 0, mtimeMs: 0 }]]);
    expect(await list(source, seen)).toEqual([]);
    await expect(first?.read(facts)).rejects.toMatchObject({ code: 'MAIL_UNSETTLED' });
  });

  test('tells of flags that have changed, whatever their order, and of nothing else', async () => {
    const before = put('cur/1.host:2,FS');
    const [first] = await list(sourceOf());
    const seen = new Map([['1.host', first?.seen ?? { size: 0, mtimeMs: 0 }]]);
    renameSync(before, join(root, 'cur', '1.host:2,SF'));
    expect(await newsOf(sourceOf(), seen)).toEqual([]);
    renameSync(join(root, 'cur', '1.host:2,SF'), join(root, 'cur', '1.host:2,ST'));
    expect(await newsOf(sourceOf(), seen)).toEqual([
      { kind: 'labels', name: '1.host', labels: ['\\Seen', '\\Deleted'] },
    ]);
  });

  test('reads once more what was taken by a version that kept no flags', async () => {
    put('cur/1.host:2,S');
    const [first] = await list(sourceOf());
    const { size = 0, mtimeMs = 0 } = first?.seen ?? {};
    expect(names(await list(sourceOf(), new Map([['1.host', { size, mtimeMs }]])))).toEqual(['1.host']);
  });

  test('ends with the names of all that lies there, taken or not', async () => {
    put('new/1.host', 40);
    put('cur/2.host:2,D', 20);
    const all: SourceEvent[] = [];
    for await (const one of sourceOf().list({ seen: () => undefined })) all.push(one);
    expect(all.at(-1)).toEqual({ kind: 'present', names: new Set(['1.host', '2.host']) });
  });

  test('tells of no mail as gone that is not where it was listed, for it has other flags by now', async () => {
    put('cur/1.host:2,');
    symlinkSync(join(root, 'cur', '2.host:2,S'), join(root, 'cur', '2.host:2,'));
    writeFileSync(join(root, 'cur', '3.host:2,'), '');
    const all: SourceEvent[] = [];
    for await (const one of sourceOf().list({ seen: () => undefined })) all.push(one);
    expect(all.at(-1)).toEqual({ kind: 'present', names: new Set(['1.host', '2.host']) });
  });

  test('says at the next look what lies there where names have come since they were listed', async () => {
    put('cur/1.host:2,');
    put('cur/none:2,', 60, '');
    const later: number[] = [];
    const delay = (_look: () => void, ms: number) => (later.push(ms), () => {});
    const options = { accountId: 'inbox', email: 'me@example.org', path: root, format: 'maildir', workers } as const;
    const source = createFolderSource({ ...options, clock: { now: systemClock.now, delay } });
    const kinds: string[] = [];
    for await (const one of source.list({ seen: () => undefined })) {
      kinds.push(one.kind);
      // As one looks that was renamed while its folder was read.
      put('cur/2.host:2,S');
    }
    expect(kinds).toEqual(['mail']);
    expect(later).toHaveLength(1);
    const all: SourceEvent[] = [];
    for await (const one of source.list({ seen: () => undefined })) all.push(one);
    expect(all.at(-1)).toEqual({ kind: 'present', names: new Set(['1.host', '2.host']) });
    expect(later).toHaveLength(1);
  });

  test.each(['auto', 'maildir'] as const)(
    '(%s) with a folder that cannot be read is not told as empty',
    async (format) => {
      put('new/1.host');
      rmSync(join(root, 'cur'), { recursive: true });
      symlinkSync('cur', join(root, 'cur'));
      const told: SourceEvent[] = [];
      const look = async () => {
        for await (const one of sourceOf(root, format).list({ seen: () => undefined })) told.push(one);
      };
      await expect(look()).rejects.toMatchObject({ code: 'ACCOUNT_FAILED', message: expect.stringContaining('ELOOP') });
      expect(told).toEqual([]);
    },
  );

  test('takes what was delivered this moment, since delivery is a rename', async () => {
    put('new/1.host', 0);
    expect(names(await list(sourceOf()))).toEqual(['1.host']);
  });

  test('is a plain folder to an account that says eml', async () => {
    put('new/1.host');
    put('a.eml');
    expect(names(await list(sourceOf(root, 'eml')))).toEqual(['a.eml']);
  });
});

describe('a folder that is not there', () => {
  test('is reported with its path and what to do', async () => {
    const missing = join(root, 'missing');
    await expect(list(sourceOf(missing))).rejects.toMatchObject({
      code: 'ACCOUNT_FAILED',
      message: expect.stringContaining(missing),
      hint: expect.stringContaining('Create it'),
    });
  });

  test('is told apart from a file of that name', async () => {
    await expect(list(sourceOf(put('a.eml')))).rejects.toMatchObject({
      code: 'ACCOUNT_FAILED',
      message: expect.stringContaining('is a file'),
    });
  });

  test('is watched for, and what is dropped into it then is announced', async () => {
    const path = join(root, 'later', 'inbox');
    const source = sourceOf(path);
    let calls = 0;
    stops.push(await source.watch(() => calls++));
    mkdirSync(path, { recursive: true });
    await until(() => calls > 0);
    // The watch moves to the new folder before it announces it.
    calls = 0;
    writeFileSync(join(path, 'a.eml'), 'Subject: a\n\nx');
    await until(() => calls > 0);
    await until(async () => (await list(source)).length === 1);
  });
});

describe('watching', () => {
  test.each([
    ['a file is dropped in', () => put('b.eml')],
    ['a file is written to', () => appendFileSync(join(root, 'a.eml'), 'more')],
    ['a file is renamed into it', () => renameSync(join(root, 'sub', 'c.eml'), join(root, 'c.eml'))],
  ])('announces that %s', async (_name, act) => {
    put('a.eml');
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub', 'c.eml'), 'x');
    let calls = 0;
    stops.push(await sourceOf().watch(() => calls++));
    act();
    await until(() => calls > 0);
  });

  test('sees into cur and new of a Maildir', async () => {
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(root, name));
    let calls = 0;
    stops.push(await sourceOf().watch(() => calls++));
    put('tmp/1.host');
    renameSync(join(root, 'tmp/1.host'), join(root, 'new/1.host'));
    await until(() => calls > 0);
  });

  test('is silent once it is stopped', async () => {
    let calls = 0;
    const stop = await sourceOf().watch(() => calls++);
    await stop();
    put('a.eml');
    let others = 0;
    stops.push(await sourceOf().watch(() => others++));
    put('b.eml');
    await until(() => others > 0);
    expect(calls).toBe(0);
  });
});

describe('a watched folder', () => {
  /** Lists as the engine does: what is found is seen from then on. Returns the names that were asked for. */
  async function fetchFrom(source: MailSource, seen: Map<string, SeenMail>) {
    const asked: string[] = [];
    const events: SourceEvent[] = [];
    const lookUp = (name: string) => (asked.push(name), seen.get(name));
    for await (const one of source.list({ seen: lookUp })) {
      events.push(one);
      if (one.kind === 'mail' && one.seen !== undefined) seen.set(one.name, one.seen);
    }
    return { asked, events };
  }

  test('reads only the files that changed since they were listed', async () => {
    for (let n = 0; n < 50; n++) put(`${n}.eml`);
    const seen = new Map<string, SeenMail>();
    const source = sourceOf();
    let calls = 0;
    stops.push(await source.watch(() => calls++));
    expect((await fetchFrom(source, seen)).asked).toHaveLength(50);
    await fetchFrom(source, seen);
    put('new.eml');
    await until(() => calls > 0);
    const { asked, events } = await fetchFrom(source, seen);
    expect(asked).toEqual(['new.eml']);
    expect(events.map(({ kind }) => kind)).toEqual(['mail']);
  });

  test('lists a mail again that was emitted and not stored', async () => {
    const source = sourceOf();
    let calls = 0;
    stops.push(await source.watch(() => calls++));
    await list(source);
    put('new.eml');
    await until(() => calls > 0);
    expect(names(await list(source))).toEqual(['new.eml']);
    expect(names(await list(source))).toEqual(['new.eml']);
  });

  test('is listed in full where a mail is missing, so that a deleted mail is marked', async () => {
    for (let n = 0; n < 5; n++) put(`${n}.eml`);
    const seen = new Map<string, SeenMail>();
    const source = sourceOf();
    const present = async () =>
      (await fetchFrom(source, seen)).events.flatMap((one) => (one.kind === 'present' ? [one.names.size] : []));
    stops.push(await source.watch(() => {}));
    await fetchFrom(source, seen);
    rmSync(join(root, '3.eml'));
    await expect.poll(present).toEqual([4]);
  });
});

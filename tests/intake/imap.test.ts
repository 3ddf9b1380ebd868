import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { sha256 } from '../../engine/src/base/json.ts';
import { type Logger, silentLogger } from '../../engine/src/base/log.ts';
import { filterQuestion } from '../../engine/src/filter/filter-question.ts';
import { sourceOpener } from '../../engine/src/mail/open-mail.ts';
import type { Attachment } from '../../engine/src/mail/mail.ts';
import { mailOf as storedMail, readContent, readRaw } from '../../engine/src/mail/mail-store.ts';
import { readAttachment } from '../../engine/src/mail/parse/parse-mail.ts';
import { Fetcher } from '../../engine/src/intake/fetcher.ts';
import type { Row } from '../../engine/src/store/store.ts';
import { createClaims } from '../../engine/src/cluster/claims.ts';
import { LiveBus } from '../../engine/src/trace/live-bus.ts';
import { corpora, forDovecot, longDovecot } from '../available.ts';
import { type DovecotServer, startDovecot } from '../dovecot.ts';
import { corpusMail, expectedMails, mailOf } from '../mail/fixtures.ts';
import { joinedSignals } from '../cluster/memory-signals.ts';
import { playModels, setStage, type Stage } from '../run/harness.ts';

const FILTERS = {
  'filters/a.yaml': 'id: a\nfield: Subject\nregex: "(?i)[aeiou]"\ndirectorId: first\n',
  'filters/b.yaml': 'id: b\nfield: Body\nregex: "(?im)^.{20,}$"\ndirectorId: second\n',
  'filters/c.yaml': 'id: c\nfield: From\nregex: "\\\\.(com|org)>?$"\ndirectorId: third\n',
  'filters/d.yaml': 'id: d\nfield: "Header:Content-Type"\nregex: multipart\ndirectorId: fourth\n',
  'filters/e.yaml': 'id: e\nfield: Date\nregex: "^20"\ndirectorId: fifth\n',
};
const DIRECTORS = Object.fromEntries(
  ['first', 'second', 'third', 'fourth', 'fifth'].map((id) => [
    `directors/${id}.yaml`,
    `id: ${id}\nname: ${id}\napiConfigId: main\nenabled: true\n`,
  ]),
);

const letter = (subject: string) =>
  mailOf('From: ann@client.example', `Subject: ${subject}`, `Message-ID: <${subject}@client.example>`, '', 'Hello.');

/** With CRLF, as IMAP gives all mail whatever lies on the server's disk. */
function onTheWire(raw: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(raw).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}

describe.skipIf(longDovecot === undefined)(`an IMAP account${forDovecot}`, { timeout: 60_000 }, () => {
  let server: DovecotServer;
  let stage: Stage;
  let logged: string[];
  beforeEach(async () => {
    server = await startDovecot();
    logged = [];
    const keep = (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
    const log: Logger = { ...silentLogger, debug: keep, info: keep, warn: keep, error: keep };
    stage = await setStage({
      log,
      env: (name) => (name === 'TEAM_PASSWORD' ? server.password : 'sk-test-key'),
      files: {
        ...FILTERS,
        ...DIRECTORS,
        'accounts/team.yaml': team(),
        'settings.yaml': 'fetch: { everySeconds: 3600 }\n',
      },
      models: playModels(() => ({ content: 'Done.' })),
    });
  });
  afterEach(async () => {
    // First of all: where no stage could be set, it would be left behind.
    await server.remove();
    await stage.close();
  });

  const team = () =>
    [
      'id: team\nprovider: imap\nemail: team@example.org',
      `imap: { host: 127.0.0.1, port: ${server.port}, secure: false }`,
      `auth: { user: ${server.user}, pass: "\${env:TEAM_PASSWORD}" }\n`,
    ].join('\n');

  async function mailsOf(account: string) {
    const rows = await stage.app.deps.store.list('mail', { where: [['account', '=', account]] });
    return rows.map((row) => ({ id: row.id, ...storedMail(row) }));
  }

  const subjects = async () => (await mailsOf('team')).map(({ summary }) => summary.subject).sort();

  test.skipIf(corpora === undefined)(
    'reads and routes every mail of the corpus as a folder account does, but for what line ends change (left out without the corpora)',
    { timeout: 120_000 },
    async () => {
      // IMAP has no way to carry a NUL (RFC 9051 4.3).
      const files = expectedMails.map(({ file }) => file).filter((file) => !corpusMail(file).includes(0));
      expect([expectedMails.length, files.length]).toEqual([84, 83]);
      mkdirSync(join(stage.root, 'inbox'));
      for (const file of files) {
        server.deliver(corpusMail(file));
        writeFileSync(join(stage.root, 'inbox', basename(file)), corpusMail(file));
      }
      await stage.app.fetcher.fetch();
      stage.write({ 'accounts/box.yaml': 'id: box\nprovider: folder\nemail: team@example.org\npath: ./inbox\n' });
      await stage.restart();
      await stage.app.fetcher.fetch();
      const [box, team] = [await bySha256('box'), await bySha256('team')];
      // Two of the files are others once more but for the ends of their lines: one mail each to a server.
      expect([box.size, team.size]).toEqual([83, 81]);
      let differing = 0;
      for (const file of files) {
        const raw = corpusMail(file);
        const [own, sent] = [box.get(sha256(raw)), team.get(sha256(onTheWire(raw)))];
        if (own === undefined || sent === undefined) throw new Error(`${file} was not taken`);
        // What stands in the mail without an encoding has the line ends of the file, and those of IMAP: all else is equal.
        const parts = own.view.attachments.map((one, n) => [one, sent.view.attachments[n]!] as const);
        for (const [mine, theirs] of parts.filter(([one, other]) => one.sha256 !== other.sha256)) {
          differing++;
          const [local, wire] = [await fileOf(own.row, mine.index), await fileOf(sent.row, theirs.index)];
          expect(local.includes('\r\n'), file).toBe(false);
          expect(Buffer.from(wire), file).toEqual(Buffer.from(onTheWire(local)));
          expect([mine.size, theirs.size], file).toEqual([local.length, wire.length]);
        }
        const same = (attachments: readonly Attachment[]) =>
          attachments.map((one, n) =>
            parts[n]?.[0].sha256 === parts[n]?.[1].sha256 ? one : { ...one, size: 0, sha256: 'as above' },
          );
        expect({ ...sent.view, attachments: same(sent.view.attachments) }, file).toEqual({
          ...own.view,
          attachments: same(own.view.attachments),
        });
      }
      expect(differing).toBeGreaterThan(0);
      expect(differing).toBeLessThan(40);
    },
  );

  /** The mails of an account by the hash of their bytes, each with all that is normalised but what may differ. */
  async function bySha256(account: string) {
    const { store } = stage.app.deps;
    const rows = await store.list('mail', { where: [['account', '=', account]] });
    const views = rows.map(async (row) => {
      const { summary, routing, providerId, notes } = storedMail(row);
      const { id, accountId: _account, receivedAt: _at, labels: _labels, threadId, ...fields } = summary;
      const content = await readContent(store, id);
      const view = { ...fields, threadId: threadId === id ? 'its own' : threadId, ...content, routing, notes };
      return [providerId, { row, view }] as const;
    });
    return new Map(await Promise.all(views));
  }

  async function fileOf({ identity }: Row<'mail'>, index: number): Promise<Buffer> {
    const file = await readAttachment(await readRaw(stage.app.deps.store, identity), index);
    return Buffer.from(file?.bytes ?? []);
  }

  test('loses nothing and takes nothing twice when the server dies in the middle', async () => {
    const wanted = Array.from({ length: 120 }, (_, n) => `mail ${n + 1}`);
    for (const subject of wanted) server.deliver(letter(subject));
    const dying = stage.app.fetcher.fetch();
    await expect.poll(async () => (await mailsOf('team')).length).toBeGreaterThan(50);
    await server.kill();
    expect(await dying).toMatchObject({ failed: 1 });
    const before = (await mailsOf('team')).length;
    expect(before).toBeLessThan(120);
    await server.start();
    await stage.restart();
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 120 - before, failed: 0 });
    expect(await subjects()).toEqual(wanted.toSorted());
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0, failed: 0 });
  });

  test('takes all others where the server breaks off over one mail, and tells of that one', async () => {
    for (const subject of ['one', 'two', 'three']) server.deliver(letter(subject));
    server.lock('two', true);
    await expect.poll(async () => (await stage.app.fetcher.fetch(), subjects())).toEqual(['one', 'three']);
    await expect.poll(async () => (await stage.app.fetcher.fetch()).failed).toBe(0);
    const [account] = stage.app.fetcher.status().accounts;
    expect(account).toMatchObject({ state: 'idle', unreadable: [{ error: { code: 'MAIL_UNREADABLE' } }] });
    expect(logged.join('\n')).toMatch(/Internal error occurred/);
    server.deliver(letter('four'));
    await stage.app.fetcher.fetch();
    expect(await subjects()).toEqual(['four', 'one', 'three']);
    server.lock('two', false);
    await stage.restart();
    await expect.poll(async () => (await stage.app.fetcher.fetch()).failed).toBe(0);
    expect(await subjects()).toEqual(['four', 'one', 'three', 'two']);
  });

  test('takes nothing twice when the UIDs have become others', async () => {
    for (const subject of ['one', 'two', 'three']) server.deliver(letter(subject));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 3 });
    await server.kill();
    server.renumber();
    await server.start();
    server.deliver(letter('four'));
    await expect.poll(async () => (await stage.app.fetcher.fetch()).failed).toBe(0);
    expect(await subjects()).toEqual(['four', 'one', 'three', 'two']);
  });

  test('tells after new UIDs what has changed and gone meanwhile', async () => {
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    server.deliver(letter('three'), 'F');
    await stage.app.fetcher.fetch();
    await server.kill();
    server.renumber();
    server.refile('three', 'S');
    server.refile('one', undefined);
    await server.start();
    await expect.poll(async () => (await stage.app.fetcher.fetch()).failed).toBe(0);
    const mails = (await mailsOf('team')).map(({ summary, removedAt }) => ({
      ...{ subject: summary.subject, labels: summary.labels, isGone: removedAt !== undefined },
    }));
    expect(mails.sort((a, b) => (a.subject < b.subject ? -1 : 1))).toEqual([
      { subject: 'one', labels: [], isGone: true },
      { subject: 'three', labels: ['\\Seen'], isGone: false },
      { subject: 'two', labels: [], isGone: false },
    ]);
    expect(await stage.app.deps.store.count('source')).toBe(2);
  });

  test('takes up flags of mails that a version took which kept nothing of them', async () => {
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    await stage.app.fetcher.fetch();
    const { store } = stage.app.deps;
    await store.apply([{ op: 'delete', table: 'source', where: { account: 'team' } }]);
    const row = await store.get('account', { id: 'team' });
    const { place } = JSON.parse(row?.body ?? '{}') as { place: object };
    const body = JSON.stringify({ place: { ...place, modseq: undefined } });
    await store.apply([{ op: 'put', table: 'account', row: { id: 'team', body } }]);
    await server.kill();
    server.refile('one', 'F');
    await server.start();
    await expect.poll(async () => (await stage.app.fetcher.fetch()).failed).toBe(0);
    const labels = (await mailsOf('team')).map(({ summary }) => [summary.subject, summary.labels] as const);
    expect(Object.fromEntries(labels)).toEqual({ one: ['\\Flagged'], two: [] });
    expect(await store.count('source')).toBe(2);
  });

  test('keeps no place for what was not taken', async () => {
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    const place = async () => (await stage.app.deps.store.get('account', { id: 'team' }))?.body;
    const { store } = stage.app.deps;
    const apply = store.apply.bind(store);
    store.apply = (changes) =>
      changes.some((change) => change.op === 'insert' && change.table === 'mail')
        ? Promise.reject(new Error('the disk is full'))
        : apply(changes);
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0, failed: 1 });
    expect(await place()).toBeUndefined();
    store.apply = apply;
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 2, failed: 0 });
    expect(JSON.parse((await place()) ?? '')).toMatchObject({ place: { done: [[1, 2]] } });
  });

  test('takes mail as it arrives, also after the server was away', async () => {
    stage.app.fetcher.start();
    await expect.poll(() => stage.app.fetcher.status().lastCycle?.endedAt).toBeDefined();
    server.deliver(letter('one'));
    await expect.poll(subjects).toEqual(['one']);
    await server.kill();
    server.deliver(letter('two'));
    await server.start();
    await expect.poll(subjects).toEqual(['one', 'two']);
  });

  test('shows a wrong password as the state of the account, and the password nowhere', async () => {
    const wrong = 'wrong-and-private';
    await stage.restart({ env: (name) => (name === 'TEAM_PASSWORD' ? wrong : 'sk-test-key') });
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 0, failed: 1 });
    const { accounts } = stage.app.fetcher.status();
    expect(accounts).toMatchObject([{ accountId: 'team', state: 'failed', lastError: { code: 'ACCOUNT_FAILED' } }]);
    expect(logged.join('\n')).toMatch(/does not accept the user name or the password/);
    expect(logged.join('\n') + JSON.stringify(accounts)).not.toContain(wrong);
  });

  test('is fetched by one of several processes, and the next goes on where it stopped', async () => {
    const { store } = stage.app.deps;
    const read: string[][] = [[], []];
    const processes = joinedSignals(2).map((signals, n) => {
      const about = { host: `host${n}`, pid: n, version: '1' };
      const claims = createClaims({
        ...{ store, about, signals },
        clock: systemClock,
        log: silentLogger,
        worker: `w${n}`,
      });
      const open = sourceOpener({
        ...{ baseDir: stage.root, clock: systemClock, resolve: () => server.password },
        tokensOf: stage.app.connections.tokensOf,
        workers: {
          async parse(raw, facts, how) {
            const mail = await stage.app.mailWorkers.parse(raw, facts, how);
            read[n]!.push(mail.facts.subject);
            return mail;
          },
        },
      });
      const fetcher = new Fetcher(
        { ...stage.app.deps, log: silentLogger, live: new LiveBus() },
        {
          openSource: open,
          routeMail: (subject, snapshot) => stage.app.filterPool.decide(filterQuestion(subject, snapshot)),
          onNewMail: () => {},
          ...{ claims, signals },
        },
      );
      return { fetcher, claims };
    });
    const [first, second] = processes;
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    first!.fetcher.start();
    await expect.poll(subjects).toEqual(['one', 'two']);
    second!.fetcher.start();
    await first!.fetcher.stop();
    server.deliver(letter('three'));
    await expect.poll(subjects).toEqual(['one', 'three', 'two']);
    expect(read.map((all) => all.toSorted())).toEqual([['one', 'two'], ['three']]);
    for (const { fetcher, claims } of processes) {
      await fetcher.stop();
      await claims.close();
    }
  });
});

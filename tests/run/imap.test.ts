import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { type Logger, silentLogger } from '../../engine/src/base/log.ts';
import { question } from '../../engine/src/cli/app.ts';
import { sourceOpener } from '../../engine/src/cli/sources.ts';
import { mailOf as storedMail, readContent } from '../../engine/src/mail/mails.ts';
import { Fetcher } from '../../engine/src/run/fetcher.ts';
import { createClaims } from '../../engine/src/store/claims.ts';
import { LiveBus } from '../../engine/src/trace/live.ts';
import { corpora, dovecot } from '../available.ts';
import { type DovecotServer, startDovecot } from '../dovecot.ts';
import { corpusMail, expectedMails, mailOf } from '../mail/fixtures.ts';
import { joinedSignals } from '../store/memory-signals.ts';
import { playModels, setStage, type Stage } from './harness.ts';

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

describe.skipIf(dovecot === undefined)('an IMAP account (left out without Dovecot)', { timeout: 60_000 }, () => {
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
    await stage.close();
    await server.remove();
  });

  const team = () =>
    [
      'id: team\nprovider: imap\nemail: team@example.org',
      `imap: { host: 127.0.0.1, port: ${server.port}, secure: false }`,
      `auth: { user: ${server.user}, pass: "\${env:TEAM_PASSWORD}" }\n`,
    ].join('\n');

  async function mailsOf(account: string) {
    const rows = await stage.app.parts.store.list('mail', { where: [['account', '=', account]] });
    return rows.map((row) => ({ id: row.id, ...storedMail(row) }));
  }

  const subjects = async () => (await mailsOf('team')).map(({ summary }) => summary.subject).sort();

  test.skipIf(corpora === undefined)(
    'reads and routes every mail of the corpus as a folder account does (left out without the corpora)',
    { timeout: 120_000 },
    async () => {
      const files = expectedMails.map(({ file }) => file);
      mkdirSync(join(stage.root, 'inbox'));
      for (const [n, file] of files.entries()) {
        const raw = onTheWire(corpusMail(file));
        // IMAP has no way to carry a NUL (RFC 9051 4.3).
        if (raw.includes(0)) continue;
        server.deliver(raw);
        writeFileSync(join(stage.root, 'inbox', `${String(n).padStart(3, '0')}.eml`), raw);
      }
      await stage.app.fetcher.fetch();
      stage.write({ 'accounts/box.yaml': 'id: box\nprovider: folder\nemail: team@example.org\npath: ./inbox\n' });
      await stage.restart();
      await stage.app.fetcher.fetch();
      const views = async (account: string) => {
        const mails = await mailsOf(account);
        const all = mails.map(async ({ id, summary, routing }) => {
          const { id: _id, accountId: _account, receivedAt: _at, labels: _labels, threadId, ...fields } = summary;
          const content = await readContent(stage.app.parts.store, id);
          return JSON.stringify({ ...fields, threadId: threadId === id ? 'its own' : threadId, ...content, routing });
        });
        return (await Promise.all(all)).sort();
      };
      const [team, box] = [await views('team'), await views('box')];
      expect(files).toHaveLength(84);
      // One has a NUL, and two are the same as another one but for the ends of their lines.
      expect(box).toHaveLength(81);
      expect(team.map((text) => JSON.parse(text) as unknown)).toEqual(box.map((text) => JSON.parse(text) as unknown));
    },
  );

  test('loses nothing and takes nothing twice when the server dies in the middle', async () => {
    const wanted = Array.from({ length: 120 }, (_, n) => `mail ${n + 1}`);
    for (const subject of wanted) server.deliver(letter(subject));
    const dying = stage.app.fetcher.fetch();
    await expect.poll(async () => (await mailsOf('team')).length, { timeout: 20_000 }).toBeGreaterThan(50);
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

  test('takes nothing twice when the UIDs have become others', async () => {
    for (const subject of ['one', 'two', 'three']) server.deliver(letter(subject));
    expect(await stage.app.fetcher.fetch()).toMatchObject({ taken: 3 });
    await server.kill();
    server.renumber();
    await server.start();
    server.deliver(letter('four'));
    await expect.poll(async () => (await stage.app.fetcher.fetch()).failed, { timeout: 20_000 }).toBe(0);
    expect(await subjects()).toEqual(['four', 'one', 'three', 'two']);
  });

  test('keeps no place for what was not taken', async () => {
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    const place = async () => (await stage.app.parts.store.get('account', { id: 'team' }))?.body;
    const { store } = stage.app.parts;
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
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(['one']);
    await server.kill();
    server.deliver(letter('two'));
    await server.start();
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(['one', 'two']);
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
    const { store } = stage.app.parts;
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
        room: {
          async parse(raw, facts, how) {
            const mail = await stage.app.mailRoom.parse(raw, facts, how);
            read[n]!.push(mail.facts.subject);
            return mail;
          },
        },
      });
      const fetcher = new Fetcher(
        { ...stage.app.parts, log: silentLogger, live: new LiveBus() },
        {
          openSource: open,
          judge: (subject, snapshot) => stage.app.judge.judge(question(subject, snapshot)),
          onTaken: () => {},
          ...{ claims, signals },
        },
      );
      return { fetcher, claims };
    });
    const [first, second] = processes;
    for (const subject of ['one', 'two']) server.deliver(letter(subject));
    first!.fetcher.start();
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(['one', 'two']);
    second!.fetcher.start();
    await first!.fetcher.stop();
    server.deliver(letter('three'));
    await expect.poll(subjects, { timeout: 20_000 }).toEqual(['one', 'three', 'two']);
    expect(read.map((all) => all.toSorted())).toEqual([['one', 'two'], ['three']]);
    for (const { fetcher, claims } of processes) {
      await fetcher.stop();
      await claims.close();
    }
  });
});

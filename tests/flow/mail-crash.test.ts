import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailOf as storedMail } from '../../engine/src/mail/mail-store.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { openSqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { listItems } from '../../engine/src/workspace/items.ts';
import { isFull } from '../available.ts';
import { brokenTranscripts, leftOpen } from './faults.ts';
import { describeKills, drain, killCount, killLoop } from './kill-loop.ts';

/** Files in a folder, and letters in a Maildir that are flagged again and again while it is killed. */
const FILES = 50;
const FLAGGED = 10;
const MAILS = FILES + FLAGGED;
const KILLS = killCount(4, 100, isFull);

const director = (id: string) => `id: ${id}\nname: ${id}\napiConfigId: main\nagents: [alpha, beta]\n`;
const CONFIG: Readonly<Record<string, string>> = {
  'settings.yaml': 'fetch: { everySeconds: 1 }\nruns: { concurrency: 8 }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\n',
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'accounts/marked.yaml': 'id: marked\nprovider: folder\nemail: me@example.org\npath: ./marked\n',
  'directors/desk.yaml': director('desk'),
  'directors/audit.yaml': director('audit'),
  'agents/alpha.yaml': 'id: alpha\nname: Alpha\ndescription: Looks.\n',
  'agents/beta.yaml': 'id: beta\nname: Beta\ndescription: Looks too.\n',
  'filters/orders.yaml': 'id: orders\nanyOf:\n  - { field: Subject, regex: ^Order }\ndirectorId: desk\n',
  'filters/flagged.yaml': 'id: flagged\nanyOf:\n  - { field: Label, regex: Flagged }\ndirectorId: desk\n',
  'filters/large.yaml': 'id: large\nanyOf:\n  - { field: Subject, regex: large }\ndirectorId: audit\n',
};

/** What the filters say of each kind of mail. */
const KINDS = [
  { subject: 'Order', directors: ['desk'] },
  { subject: 'Order, a large one', directors: ['audit', 'desk'] },
  { subject: 'A large letter', directors: ['audit'] },
  { subject: 'Just a letter', directors: [] },
];
/** The same of letters that are flagged. */
const FLAGGED_KINDS = [
  { subject: 'A large letter', directors: ['audit', 'desk'] },
  { subject: 'Just a letter', directors: ['desk'] },
];
const LABELS = ['alpha 1', 'alpha 2', 'beta 1', 'beta 2', 'director 1', 'director 2'];

interface Letter {
  readonly text: string;
  readonly sha256: string;
  readonly directors: readonly string[];
}

function letter(n: number): Letter {
  const kinds = n < FILES ? KINDS : FLAGGED_KINDS;
  const { subject, directors } = kinds[n % kinds.length]!;
  const text = [
    `From: Client ${n} <client${n}@example.com>`,
    'To: me@example.org',
    `Subject: ${subject} (${n})`,
    'Date: Mon, 05 Jan 2026 10:00:00 +0000',
    // Every tenth file repeats an id: that is never a reason to drop a mail.
    `Message-ID: <${n < FILES && n % 10 === 9 ? n - 1 : n}@example.com>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Letter number ${n}.`,
    '',
  ].join('\r\n');
  return { text, sha256: createHash('sha256').update(text).digest('hex'), directors };
}

const letters = Array.from({ length: MAILS }, (_, n) => letter(n));

describe(`a process that is killed ${KILLS} times while it works on ${MAILS} mails`, () => {
  const root = mkdtempSync(join(tmpdir(), 'callsheet-mail-crash-'));
  const inbox = join(root, 'inbox');
  const marked = join(root, 'marked');
  let files = 0;
  let store: Store;
  let report = '';

  const deliver = (n: number) => {
    writeFileSync(join(marked, 'tmp', String(n)), letters[n]!.text);
    renameSync(join(marked, 'tmp', String(n)), join(marked, 'cur', `${n}:2,`));
    files++;
  };

  /** Flags all letters of the Maildir, or none of them. */
  const flag = (letter: 'F' | '') => {
    for (const name of readdirSync(join(marked, 'cur')))
      renameSync(join(marked, 'cur', name), join(marked, 'cur', name.replace(/:2,.*$/, `:2,${letter}`)));
  };

  /** Every second file is written under another name first, as careful programs do; every tenth mail comes twice. */
  const drop = (n: number) => {
    if (n >= FILES) return deliver(n);
    const { text } = letters[n]!;
    for (const name of n % 10 === 5 ? [`${n}`, `${n}-again`] : [`${n}`]) {
      const path = join(inbox, `${name}.eml`);
      const first = files++ % 2 === 0 ? path : join(inbox, `.${name}.part`);
      writeFileSync(first, text);
      if (first !== path) renameSync(first, path);
    }
  };

  beforeAll(
    async () => {
      for (const folder of [inbox, ...['new', 'cur', 'tmp'].map((name) => join(marked, name))])
        mkdirSync(folder, { recursive: true });
      for (const [name, text] of Object.entries(CONFIG)) {
        mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
        writeFileSync(join(root, 'config', name), text);
      }
      let dropped = 0;
      // The last mails come with four fifths of the kills; a long loop also gets a slower model, so that work lasts.
      const perLife = MAILS / (KILLS * 0.8);
      const kills = await killLoop({
        worker: 'mail-worker.ts',
        kills: KILLS,
        env: { ROOT: root, LATENCY_MS: String(Math.min(60, 10 + KILLS / 2)) },
        points: ['before-commit', 'after-commit', 'after-effect'],
        lifeMs: 700,
        maxPasses: KILLS > 20 ? 5 : 15,
        onLife(n) {
          const until = Math.min(MAILS, Math.ceil((n + 1) * perLife));
          for (; dropped < until; dropped++) setTimeout(drop, 200 + Math.random() * 900, dropped);
        },
      });
      while (files < MAILS + FILES / 10) await new Promise((resolve) => setTimeout(resolve, 50));
      const end = () =>
        drain('mail-worker.ts', { ROOT: root, LATENCY_MS: '2', MAILS: String(MAILS), FILES: String(files) });
      await end();
      const more = await killLoop({
        worker: 'mail-worker.ts',
        kills: Math.ceil(KILLS * 0.6),
        env: { ROOT: root, LATENCY_MS: '10' },
        points: ['before-commit', 'after-commit'],
        isOnlyInside: true,
        lifeMs: 700,
        maxPasses: FLAGGED,
        onLife: (n) => flag(n % 2 === 0 ? 'F' : ''),
      });
      flag('F');
      await end();
      store = openSqlite({ dir: join(root, 'data') });
      const [runs, messages] = [await store.count('run'), await store.count('message')];
      const changes = (await store.list('mail')).reduce((sum, { rev }) => sum + rev, 0);
      report = `${describeKills(kills)}; ${MAILS} mails in ${files} files, ${runs} runs, ${messages} messages; while flags changed (${changes} seen) ${describeKills(more)}`;
      process.stderr.write(`mail loop: ${report}\n`);
    },
    KILLS * 6000 + 120_000,
  );

  afterAll(async () => {
    await store?.close();
    rmSync(root, { recursive: true, force: true });
  });

  test('has taken every mail exactly once', async () => {
    const rows = await store.list('mail');
    const taken = rows.map((row) => storedMail(row).providerId);
    expect(taken.toSorted()).toEqual(letters.map(({ sha256 }) => sha256).toSorted());
    expect(await store.count('mailContent')).toBe(MAILS);
  });

  test('has the flags that letters have in the end', async () => {
    for (const row of await store.list('mail', { where: [['account', '=', 'marked']] }))
      expect(storedMail(row).summary.labels).toEqual(['\\Flagged']);
  });

  test('has started exactly the runs that the filters say, also for flags, and completed them', async () => {
    for (const row of await store.list('mail')) {
      const runs = (await store.list('run', { where: [['mail', '=', row.id]] })).map((run) => recordOf(run).run);
      const { directors } = letters.find(({ sha256 }) => sha256 === storedMail(row).providerId)!;
      expect(runs.map(({ directorId }) => directorId).toSorted()).toEqual(directors);
      expect(runs.filter(({ status }) => status !== 'completed')).toEqual([]);
    }
  });

  test('has left every item exactly once in the workspace of each run', async () => {
    for (const row of await store.list('run')) {
      const items = await listItems(store, recordOf(row).run.workspaceId);
      expect(items.map(({ label }) => label).toSorted()).toEqual(LABELS);
    }
  });

  test('has valid transcripts, with every call answered once', async () => {
    expect(await brokenTranscripts(store)).toEqual([]);
  });

  test('has nothing left to do', async () => {
    expect(await leftOpen(store)).toEqual([]);
  });
});

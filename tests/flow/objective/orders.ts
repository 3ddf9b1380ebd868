import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { objectiveOf } from '../../../engine/src/run/objective/objective-rows.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { brokenTranscripts, leftOpen } from '../faults.ts';

const CONFIG: Readonly<Record<string, string>> = {
  'settings.yaml': 'fetch: { everySeconds: 1 }\nruns: { concurrency: 8 }\n',
  'apis/main.yaml': 'id: main\nprovider: openai\nmodel: test\napiKey: ${env:KEY}\n',
  'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
  'directors/autopilot.yaml':
    'id: autopilot\nname: Autopilot\nmode: objective\napiConfigId: main\ntools: [mail]\npermissions: { allow: [mail_read, mail_draft] }\n',
  'filters/all.yaml': 'id: all\nfield: Subject\nregex: ^Order\ndirectorId: autopilot\n',
};

/** The folders of the processes: a config, and an inbox that is empty. */
export function prepare(root: string): void {
  mkdirSync(join(root, 'inbox'), { recursive: true });
  for (const [name, text] of Object.entries(CONFIG)) {
    mkdirSync(dirname(join(root, 'config', name)), { recursive: true });
    writeFileSync(join(root, 'config', name), text);
  }
}

/** Puts a mail into the inbox that starts an objective. */
export function dropOrder(root: string, n: number): void {
  const mail = [
    `From: Client ${n} <client${n}@example.com>`,
    'To: me@example.org',
    `Subject: Order ${n}`,
    'Date: Mon, 05 Jan 2026 10:00:00 +0000',
    `Message-ID: <${n}@example.com>`,
    '',
    `Order number ${n}.`,
    '',
  ];
  writeFileSync(join(root, 'inbox', `${n}.eml`), mail.join('\r\n'));
}

/** What holds once all is over, whatever happened to the processes: each objective was reached, and each step happened once. */
export function testOutcome(
  world: () => { readonly store: Store; readonly root: string; readonly mails: number },
): void {
  test('has reached every objective', async () => {
    const { store, mails } = world();
    const objectives = (await store.list('objective')).map(objectiveOf);
    expect(objectives.map(({ status, outcome }) => `${status} ${outcome}`)).toEqual(Array(mails).fill('done reached'));
  });

  test('has left exactly one draft for each mail', () => {
    const { root, mails } = world();
    const folder = join(root, 'drafts');
    const drafts = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    const to = drafts.map((name) => /^To: (.*)$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '');
    expect(to.map((address) => /client\d+/.exec(address)?.[0]).toSorted()).toEqual(
      Array.from({ length: mails }, (_, n) => `client${n}`).toSorted(),
    );
  });

  test('tells each step once', async () => {
    for (const { history } of (await world().store.list('objective')).map(objectiveOf)) {
      const lines = history.map(({ text }) => text);
      const once = (part: string) =>
        expect(
          lines.filter((line) => line.includes(part)),
          lines.join('\n'),
        ).toHaveLength(1);
      ['Asked the user', 'The user answered', 'lies in Drafts', 'The user sent', 'A reply', 'is reached'].forEach(once);
    }
  });

  test('has valid transcripts, with every call answered once', async () => {
    expect(await brokenTranscripts(world().store)).toEqual([]);
  });

  test('has nothing left to do', async () => {
    expect(await leftOpen(world().store)).toEqual([]);
  });
}

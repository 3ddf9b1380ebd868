import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../engine/src/base/log.ts';
import { type App, openApp } from '../../engine/src/app/app.ts';
import { listMemories } from '../../engine/src/memory/memory-rows.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { readMessages } from '../../engine/src/run/thread.ts';
import { root } from '../available.ts';

let dir: string;
let app: App;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-remembers-'));
  cpSync(join(root, 'config'), join(dir, 'config'), { recursive: true });
  mkdirSync(join(dir, 'inbox'));
  // No local model either: the scripted one answers.
  rmSync(join(dir, 'config/apis/local.yaml'));
  const main = 'id: main\nprovider: openai\nmodel: gpt-5-mini\napiKey: ${env:OPENAI_API_KEY}\nfallback: [offline]\n';
  writeFileSync(join(dir, 'config/apis/main.yaml'), main);
  const options = { configDir: join(dir, 'config'), dataDir: join(dir, 'data'), watch: false };
  app = await openApp({ ...options, env: () => undefined, log: silentLogger });
  await app.engine.start();
});
afterEach(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Takes a mail in; returns what the psychologist read and said in the run that it starts. */
async function take(name: string, from: string, text: string) {
  const file = join(dir, 'inbox', `${name}.eml`);
  const head = `From: ${from}\r\nTo: alex@example.org\r\nSubject: ${name}\r\nMessage-ID: <${name}@example.com>\r\n`;
  writeFileSync(file, `${head}Date: Mon, 16 Nov 2026 09:12:00 +0000\r\n\r\n${text}\r\n`);
  utimesSync(file, new Date(0), new Date(0));
  await app.fetcher.fetch();
  const isOpen = async () => {
    const rows = await app.deps.store.list('run');
    return rows.length === 0 || rows.some((row) => !['completed', 'failed'].includes(row.status));
  };
  while (await isOpen()) await new Promise((resolve) => setImmediate(resolve));
  const [row] = await app.deps.store.list('run', { order: [['id', 'desc']], limit: 1 });
  if (row === undefined) throw new Error('no run');
  expect(recordOf(row).run).toMatchObject({ status: 'completed', scripted: true });
  const threads = await app.deps.store.list('thread', {
    where: [
      ['run', '=', row.id],
      ['agent', '=', 'psychologist'],
    ],
  });
  return readMessages(app.deps.store, threads[0]?.id ?? '');
}

test('the shipped psychologist remembers across mails of one sender, without a key and without a network', async () => {
  const ann = 'Ann Lee <ann@example.com>';
  const first = await take('proofs', ann, 'This is the third time that I ask for the proofs. Unacceptable.');
  expect(first.at(-1)?.content).toContain(`Moods of earlier mails of ${ann}: 0.`);
  const other = await take('thanks', 'Ben <ben@example.com>', 'I am delighted.');
  expect(other.at(-1)?.content).toContain('Moods of earlier mails of Ben <ben@example.com>: 0.');
  const second = await take('proofs-again', ann, 'The proofs are here, thank you.');
  expect(second.at(-1)?.content).toContain(`Moods of earlier mails of ${ann}: 1.`);
  const recalled = second.filter(({ role }) => role === 'user').map(({ content }) => content ?? '');
  expect(recalled).toHaveLength(2);
  expect(recalled[0]).toMatch(/\(shared, .*\):\n<<MEMORY-[^]*\*\*Angry\.\*\*[^]*not instructions to follow\.$/);
  const memories = await listMemories(app.deps.store, { now: 0, where: [['scope', '=', 'shared']] });
  expect(
    memories.map(({ scope, directorId, agentId, trust, tags }) => [scope, directorId, agentId, trust, tags]),
  ).toEqual([
    ['shared', 'client-manager', 'psychologist', 'untrusted', [ann]],
    ['shared', 'client-manager', 'psychologist', 'untrusted', ['Ben <ben@example.com>']],
    ['shared', 'client-manager', 'psychologist', 'untrusted', [ann]],
  ]);
});

import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../engine/src/app/app.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { recordOf } from '../../engine/src/run/run.ts';
import { readMessages } from '../../engine/src/run/thread.ts';
import { listItems } from '../../engine/src/workspace/items.ts';
import { root } from '../available.ts';
import { PATIENCE_MS } from '../next-try.ts';

test('the shipped responder quotes a document in its draft, without a key and without a network', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-reads-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of ['config', 'documents']) cpSync(join(root, name), join(dir, name), { recursive: true });
  // No local model either: the scripted one answers.
  rmSync(join(dir, 'config/apis/local.yaml'));
  const main = 'id: main\nprovider: openai\nmodel: gpt-5-mini\napiKey: ${env:OPENAI_API_KEY}\nfallback: [offline]\n';
  writeFileSync(join(dir, 'config/apis/main.yaml'), main);
  mkdirSync(join(dir, 'inbox'));
  cpSync(join(root, 'samples/01-invoice-question.eml'), join(dir, 'inbox/a.eml'));
  utimesSync(join(dir, 'inbox/a.eml'), new Date(0), new Date(0));
  const options = { configDir: join(dir, 'config'), dataDir: join(dir, 'data'), watch: false };
  const app = await openApp({ ...options, env: () => undefined, log: silentLogger });
  onTestFinished(() => app.close());
  await app.engine.start();
  await app.fetcher.fetch();
  const { store } = app.deps;
  const openRun = async () => (await store.list('run')).find(({ status }) => status !== 'completed');
  for (const began = Date.now(); (await openRun()) !== undefined || (await store.list('run')).length === 0;) {
    if (Date.now() - began > PATIENCE_MS) throw new Error(`the run is ${(await openRun())?.status}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const [row] = await store.list('run', { limit: 1 });
  if (row === undefined) throw new Error('no run');
  const items = await listItems(store, recordOf(row).run.workspaceId);
  const draft = items.find(({ label }) => label === 'Reply draft');
  expect(draft?.data).toContain('Proof corrections: two rounds are included; each further round is 30.00.');
  const threads = await store.list('thread', { where: [['agent', '=', 'responder']] });
  const messages = await readMessages(store, threads[0]?.id ?? '');
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? (one.tool_calls ?? []) : []));
  expect(calls.map(({ function: { name } }) => name)).toEqual([
    'filesystem_retrieve',
    'workspace_add_item',
    'todo_add',
  ]);
});

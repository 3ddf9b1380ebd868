/**
 * The process that the loop of group chats kills: a person who writes in chats, and participants who mention each other until the limit
 * of rounds.
 */
import { join } from 'node:path';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { openApp } from '../../../engine/src/app/app.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { chatOfRow, lastSeq } from '../../../engine/src/chat/chat-rows.ts';
import { playModels } from '../../run/harness.ts';
import { doomedProbe, given, someTime } from '../doomed.ts';
import { FIRST, MESSAGES, NAMES, SECOND, SUMMARY } from './expected.ts';

const JANE = { id: 'jane', name: 'Jane' };
const SAYS: Readonly<Record<string, string>> = { Ann: 'over to @bob', Bob: 'over to @ann', Cleo: 'I am done' };

const root = given('ROOT');
const latencyMs = Number(given('LATENCY_MS'));
const url = process.env['DATABASE_URL'];
const shared = {
  env: () => undefined,
  log: silentLogger,
  redactor: createRedactor(),
  version: '0',
  ownDir: join(root, 'data'),
};
const app = await openApp({
  ...(url !== undefined && { storeHandle: await openSharedStore({ ...shared, url }), role: 'start' }),
  configDir: join(root, 'config'),
  dataDir: join(root, 'data'),
  env: () => 'sk-test-key',
  log: silentLogger,
  watch: false,
  models: playModels(async ({ messages }) => {
    await someTime(latencyMs);
    const prompt = String(messages.at(-1)?.content);
    if (prompt.startsWith('You write the summary')) return { content: SUMMARY };
    const [, name = ''] = /^You are (.*) \(@/m.exec(prompt) ?? [];
    return { content: SAYS[name] ?? 'Who am I?' };
  }),
  probe: doomedProbe(process.env),
});
await app.start();
app.notices.start();
process.stdout.write('ready\n');

/** What the person writes next: each message once, however often the process dies. */
async function write(id: string): Promise<boolean> {
  const { store } = app.deps;
  const count = await lastSeq(store, id);
  if (count === 0) await app.chats.say(id, FIRST, JANE);
  if (count === MESSAGES.afterFirst) await app.chats.say(id, SECOND, JANE);
  return count >= MESSAGES.all;
}

for (;;) {
  await someTime(20);
  const chats = (await app.deps.store.list('chat')).map(chatOfRow);
  if (chats.length < Number(given('CHATS'))) {
    const participants = NAMES.map((displayName) => ({ displayName, apiConfigId: 'main', persona: '' }));
    await app.chats.create({ title: `Chat ${chats.length}`, participants }, JANE);
    continue;
  }
  let isOver = true;
  for (const { id } of chats) isOver = (await write(id)) && isOver;
  if (
    process.env['DRAIN'] === '1' &&
    isOver &&
    (await app.deps.store.list('chatRound', { where: [['status', '=', 'open']] })).length === 0 &&
    (await app.deps.store.list('chatRound', { where: [['status', '=', 'summarising']] })).length === 0
  )
    break;
}
await app.close();
process.exit(0);

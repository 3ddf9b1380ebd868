/**
 * The process that the loop of group chats kills: a person who writes in chats, and participants who mention each other until the limit
 * of rounds.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { openApp } from '../../../engine/src/app/app.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { chatOfRow, lastSeq } from '../../../engine/src/chat/chat-rows.ts';
import type { Recogniser } from '../../../engine/src/guard/privacy/recogniser.ts';
import { playModels } from '../../run/harness.ts';
import { doomedProbe, given, someTime } from '../doomed.ts';
import { BOSSES, FIRST, MESSAGES, NAMES, PEOPLE, SECOND, SUMMARY } from './expected.ts';

const JANE = { id: 'jane', name: 'Jane' };
const SAYS: Readonly<Record<string, string>> = { Ann: 'over to @bob by', Bob: 'over to @ann by', Cleo: 'I am done' };

/** Finds the people of the chats. */
const recogniser: Recogniser = {
  recognise: async (text) =>
    [...text.matchAll(new RegExp(PEOPLE.join('|'), 'g'))].map(({ 0: name, index }) => ({
      ...{ start: index, end: index + name.length, kind: 'person' as const, text: name },
    })),
  close: async () => {},
};

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
    const sent = JSON.stringify(messages);
    const [, name = ''] = /^You are (.*) \(@/m.exec(prompt) ?? [];
    const isSummary = prompt.startsWith('You write the summary');
    if ((isSummary || name in BOSSES) && PEOPLE.some((one) => sent.includes(one)))
      appendFileSync(join(root, 'leaks'), `${sent}\n`);
    if (isSummary) return { content: SUMMARY };
    const [, boss = ''] = /Your boss is (\S+)\./.exec(sent) ?? [];
    return { content: `${SAYS[name] ?? 'Who am I?'} ${boss}`.trim() };
  }),
  recogniser,
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
    const participants = NAMES.map((displayName) => ({
      ...{ displayName, persona: '' },
      ...(displayName in BOSSES ? { agentId: displayName.toLowerCase() } : { apiConfigId: 'main' }),
    }));
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

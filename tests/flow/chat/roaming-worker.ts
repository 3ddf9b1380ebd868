/** The process that dies while participants of chats work in folders, and while a person decides about their changes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../../../engine/src/app/app.ts';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { Chat } from '../../../engine/src/chat/chat.ts';
import { chatOfRow, lastSeq, readMessages } from '../../../engine/src/chat/chat-rows.ts';
import { createModels } from '../../../engine/src/model/models.ts';
import { given, someTime } from '../doomed.ts';
import { DECISIONS, NAMES, reachedFile, type Window, WINDOWS } from './roaming-windows.ts';

const JANE = { id: 'jane', name: 'Jane' };
const root = given('ROOT');
const isReached = (window: Window) => existsSync(join(root, reachedFile(window)));
const variables: Readonly<Record<string, string>> = {
  ...{ PATH: join(root, 'programs'), HOME: root, FAKE_DIR: root, FAKE_DO: 'edits' },
};
const env = (name: string) => variables[name];
const redactor = createRedactor();
const app = await openApp({
  ...{ configDir: join(root, 'config'), dataDir: join(root, 'data'), env, log: silentLogger, redactor, watch: false },
  models: createModels({ resolve: () => undefined, redactor, clock: systemClock, log: silentLogger, env }),
  probe(point) {
    const isLast = existsSync(join(root, 'hold')) && isReached('storing');
    if (isLast && point === 'before-commit') process.kill(process.pid, 'SIGKILL');
  },
});
await app.start();
app.notices.start();
process.stdout.write('ready\n');

async function openChats(): Promise<void> {
  for (const title of NAMES) {
    const workspaceDir = join(root, 'work', title);
    const roaming = { enabled: true, workspaceDir, mode: WINDOWS[title], confirmed: true };
    await app.chats.create({ title, participants: [{ displayName: 'Bob', apiConfigId: 'tool', roaming }] }, JANE);
  }
}

const deciding = new Set<string>();
/** Does what the person does next in a chat; true once there is nothing more to do. */
async function goOn({ id, title }: Chat): Promise<boolean> {
  const { store } = app.deps;
  const window = title as Window;
  const isLast = window === 'storing' && existsSync(join(root, 'hold'));
  if (isLast && !NAMES.every((one) => one === window || isReached(one))) return false;
  if ((await lastSeq(store, id)) === 0) await app.chats.say(id, '@bob go', JANE);
  const changes = (await readMessages(store, id, { limit: 10 })).at(-1)?.meta.changesId;
  const decision = DECISIONS[window];
  if (decision === undefined) return (await lastSeq(store, id)) > 1;
  if (changes === undefined || deciding.has(id)) return false;
  if ((await app.roaming.changes(id, changes)).status !== 'open') return true;
  deciding.add(id);
  void app.roaming.decide(id, changes, { decision, by: JANE.id }).finally(() => deciding.delete(id));
  return false;
}

if ((await app.deps.store.list('chat')).length === 0) await openChats();
for (;;) {
  await someTime(30);
  let isOver = true;
  for (const row of await app.deps.store.list('chat')) isOver = (await goOn(chatOfRow(row))) && isOver;
  const open = await app.deps.store.list('chatRound', { where: [['status', '=', 'open']] });
  if (isOver && open.length === 0) break;
}
await app.close();
process.exit(0);

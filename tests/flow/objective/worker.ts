/**
 * The process that the loop of objectives kills: mails that start objectives, roles that answer from what they read alone, and a user
 * who answers, sends each draft and gets a reply.
 */
import { join } from 'node:path';
import { isoTime } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { openApp } from '../../../engine/src/app/app.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { openQuestion } from '../../../engine/src/run/ask/question.ts';
import { isOpenObjective, type Objective, type WakeNote } from '../../../engine/src/run/objective/objective.ts';
import { objectiveOf } from '../../../engine/src/run/objective/objective-rows.ts';
import { wakeChanges } from '../../../engine/src/run/objective/wake.ts';
import { playModels } from '../../run/harness.ts';
import { doomedProbe, given, someTime } from '../doomed.ts';

const UNDERSTOOD = { summary: 'A mail waits.', dates: [], names: [], openQuestions: [], wishes: [] };

/** What a role answers. */
function answerOf({ messages }: ModelRequest): object | string {
  const text = messages.map(({ content }) => content ?? '').join('\n');
  if (text.includes('You are the intake'))
    return text.includes('nobody has said it yet') ? { ...UNDERSTOOD, userQuery: 'Answer it' } : UNDERSTOOD;
  if (text.includes('You write one mail')) return 'Thank you for your mail.';
  return text.includes('Reason of this wake: reply')
    ? { action: 'finish', reason: 'there is an answer', result: 'They have answered.' }
    : { action: 'draft', reason: 'the mail waits', instructions: 'thank' };
}

const root = given('ROOT');
const dataDir = join(root, process.env['DATA'] ?? 'data');
const latencyMs = Number(given('LATENCY_MS'));
const url = process.env['DATABASE_URL'];
const shared = {
  env: () => undefined,
  log: silentLogger,
  redactor: createRedactor(),
  version: '0',
  ownDir: dataDir,
};
let requests = 0;
const app = await openApp({
  ...(url !== undefined && { storeHandle: await openSharedStore({ ...shared, url }), role: 'start' }),
  configDir: join(root, 'config'),
  dataDir,
  env: () => 'sk-test-key',
  log: silentLogger,
  watch: false,
  models: playModels(async (request) => {
    requests++;
    await someTime(latencyMs);
    const said = answerOf(request);
    return { content: typeof said === 'string' ? said : JSON.stringify(said) };
  }),
  probe: doomedProbe(process.env),
});
await app.start();
app.fetcher.start();
process.stdout.write('ready\n');

/** The user, and those who get the mails. Each does each thing once, however often the process dies. */
async function live(objective: Objective): Promise<void> {
  const { store, clock } = app.deps;
  const happens = (why: WakeNote['why'], key: string) =>
    store.apply(wakeChanges(objective.id, key, { why, at: isoTime(clock.now()) }, clock.now())).then(
      () => app.engine.queued(),
      (error: unknown) => {
        if (!(error instanceof EngineError && error.code === 'STORE_CONFLICT')) throw error;
      },
    );
  // The user answers each question once, in one of the processes.
  const question = objective.waitingFor === 'answer' ? await openQuestion(store, objective.id) : undefined;
  if (question !== undefined)
    await app.engine
      .message(objective.id, { text: 'Answer it kindly', by: 'user', questionId: question.id })
      .catch(() => {});
  if (objective.waitingFor === 'draft') await happens('sent', 'sent');
  if (objective.waitingFor === 'reply') await happens('reply', 'reply');
}

for (;;) {
  await someTime(20);
  const objectives = (await app.deps.store.list('objective')).map(objectiveOf);
  for (const objective of objectives.filter(isOpenObjective)) await live(objective);
  const isOver = objectives.length >= Number(given('MAILS')) && !objectives.some(isOpenObjective);
  if (process.env['DRAIN'] === '1' && isOver) break;
}
await app.close();
process.stdout.write(`${requests} requests\n`);
process.exit(0);

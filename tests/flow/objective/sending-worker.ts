/**
 * The process that the loop of sending objectives kills. Each objective writes to a client, follows up once, and gets a reply then.
 * `HOURS` is how far its clock is ahead: so much time has passed between two lives.
 */
import { join } from 'node:path';
import { isoTime, systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { openApp } from '../../../engine/src/app/app.ts';
import type { Mailbox } from '../../../engine/src/mail/mailbox.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { openQuestion } from '../../../engine/src/run/ask/question.ts';
import { isOpenObjective, type Objective } from '../../../engine/src/run/objective/objective.ts';
import { objectiveOf } from '../../../engine/src/run/objective/objective-rows.ts';
import { wakeChanges } from '../../../engine/src/run/objective/wake.ts';
import { playModels } from '../../run/harness.ts';
import { doomedProbe, given, someTime } from '../doomed.ts';

const UNDERSTOOD = { summary: 'A mail waits.', dates: [], names: [], openQuestions: [], wishes: [] };

/** What a role answers, from what it reads alone. */
function answerOf({ messages }: ModelRequest): object | string {
  const text = messages.map(({ content }) => content ?? '').join('\n');
  if (text.includes('You are the intake'))
    return text.includes('nobody has said it yet') ? { ...UNDERSTOOD, userQuery: 'Answer it' } : UNDERSTOOD;
  if (text.includes('You write one mail')) return 'Thank you for your mail.';
  if (text.includes('Reason of this wake: reply'))
    return { action: 'finish', reason: 'there is an answer', result: 'They have answered.' };
  const isFollowUp = text.includes('Reason of this wake: date');
  const wasSent = text.includes('The mail was sent');
  return wasSent && !isFollowUp
    ? { action: 'waitForReply', reason: 'they were written to' }
    : { action: 'draft', reason: 'the mail waits', instructions: 'thank' };
}

const root = given('ROOT');
const aheadMs = Number(given('HOURS')) * 3_600_000;
const clock = { ...systemClock, now: () => Date.now() + aheadMs };
const probe = doomedProbe(process.env);
const app = await openApp({
  configDir: join(root, 'config'),
  dataDir: join(root, 'data'),
  env: () => 'sk-test-key',
  log: silentLogger,
  watch: false,
  clock,
  models: playModels(async (request) => {
    await someTime(5);
    const said = answerOf(request);
    return { content: typeof said === 'string' ? said : JSON.stringify(said) };
  }),
  probe,
});

/** The same mailbox, with a narrow place where a mail is out and that is not on record. */
function doomed(mailbox: Mailbox): Mailbox {
  return {
    ...mailbox,
    send: (mail, options = {}) =>
      mailbox.send(mail, {
        ...options,
        async onSent() {
          probe('in-effect');
          await options.onSent?.();
        },
      }),
  };
}
const { open } = app.mailService;
Object.assign(app.mailService, { open: async (...args: Parameters<typeof open>) => doomed(await open(...args)) });

await app.start();
app.fetcher.start();
process.stdout.write('ready\n');

const { store } = app.deps;
/** The user answers each question, and the client replies once the follow-up has left. */
async function live({ id, waitingFor, followUp }: Objective): Promise<void> {
  const question = waitingFor === 'answer' ? await openQuestion(store, id) : undefined;
  if (question !== undefined)
    await app.engine.message(id, { text: 'Answer it kindly', by: 'user', questionId: question.id }).catch(() => {});
  if (waitingFor !== 'reply' || followUp.sent === 0) return;
  try {
    const now = clock.now();
    await store.apply(wakeChanges(id, 'reply', { why: 'reply', at: isoTime(now) }, now));
    app.engine.queued();
  } catch (error) {
    // It has replied before.
    if (!(error instanceof EngineError && error.code === 'STORE_CONFLICT')) throw error;
  }
}

/** Nothing happens before time passes: the first mail is out, and its follow-up is not due. */
const isQuiet = ({ status, waitingFor, followUp }: Objective) =>
  !isOpenObjective({ status }) ||
  (waitingFor === 'reply' && followUp.sent === 0 && Date.parse(followUp.nextAt ?? '') > clock.now());

for (let looks = 1; ; looks++) {
  await someTime(20);
  const objectives = (await store.list('objective')).map(objectiveOf);
  for (const objective of objectives.filter(isOpenObjective)) await live(objective);
  if (process.env['DRAIN'] !== '1') continue;
  if (objectives.length >= Number(given('MAILS')) && objectives.every(isQuiet)) break;
  // For whoever has to find out why it does not end.
  if (looks % 500 === 0)
    for (const { history, ...one } of objectives.filter((objective) => !isQuiet(objective)))
      process.stdout.write(`${JSON.stringify(one)}\n${history.map(({ text }) => text).join('\n')}\n`);
}
await app.close();
process.exit(0);

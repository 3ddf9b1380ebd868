import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { SentWatch } from '../../../engine/src/intake/sent/sent-watch.ts';
import { retryRun } from '../../../engine/src/run/lifecycle/retry.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { type ObjectiveStage, objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const ALWAYS = '{ start: "00:00", end: "24:00", days: [mon, tue, wed, thu, fri, sat, sun] }';
const KEYS = `followUp: { afterHours: 2, max: 2, workingHours: ${ALWAYS} }, sendDrafts: never, maxWakes: 3`;
const understood = { summary: 'Ann was asked.', dates: [], names: [], openQuestions: [], wishes: [] };

let clock: SimulatedClock;
let stage: ObjectiveStage;
let watch: SentWatch;
beforeAll(async () => {
  clock = new SimulatedClock(Date.parse('2026-11-02T09:00:00Z'));
  stage = await objectiveStage(KEYS, { clock });
  for (const name of ['sent', 'drafts']) mkdirSync(join(stage.root, name), { recursive: true });
  watch = new SentWatch(stage.app.deps);
});
afterAll(() => stage.close());
beforeEach(() => {
  stage.answer = (role, data) => {
    if (role === 'intake') return understood;
    if (role === 'writer') return 'What do you think?';
    return data.includes('Your last decision was not carried out')
      ? { action: 'waitForReply', reason: 'the draft lies there' }
      : { action: 'draft', reason: 'it is time', instructions: 'ask' };
  };
});

// An open objective makes each look reach back to its beginning.
afterEach(async () => {
  const [row] = await stage.app.deps.store.list('objective', { order: [['id', 'desc']], limit: 1 });
  await stage.app.engine.orderObjective(row?.id ?? '', { type: 'FINISH', by: 'user' });
});

const until = (state: (objective: Objective) => boolean) => untilMoved(stage, clock, state);
const drafts = () => readdirSync(join(stage.root, 'drafts'));

async function looks(): Promise<void> {
  await watch.look('box');
  stage.app.engine.queued();
}

/** The user sends the draft from the mail program. */
function sends({ draft }: Objective): void {
  const file = join(stage.root, 'sent', `${clock.now()}.eml`);
  renameSync(join(stage.root, draft?.ref ?? ''), file);
  utimesSync(file, clock.now() / 1000, clock.now() / 1000);
}

/** An objective that has ended with an error while the draft of its first follow-up lies in Drafts. */
async function failed(thread: string): Promise<Objective> {
  const mail = { thread, from: `${thread}@example.com`, labels: ['Autopilot'], text: 'Do you want it?' };
  await stage.fetch(stage.mail('1', mail));
  const { id } = await until(({ waitingFor, threads }) => waitingFor === 'answer' && threads[0]?.threadId === thread);
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  sends(await until(({ waitingFor }) => waitingFor === 'draft'));
  await looks();
  await until(({ waitingFor }) => waitingFor === 'reply');
  await clock.advance(3 * HOUR);
  await until(({ waitingFor }) => waitingFor === 'draft');
  await looks();
  await stage.app.engine.message(id, { text: 'Hurry', by: 'user' });
  return until(({ status }) => status === 'error');
}

async function retried({ id }: Objective, waitingFor: Objective['waitingFor'] = 'reply'): Promise<Objective> {
  const { run } = await retryRun(stage.app.deps, id, 'local');
  stage.app.engine.queued();
  return until((one) => one.id === run.id && one.waitingFor === waitingFor);
}

test('an objective that is run again keeps the draft that lies in Drafts, and its sending counts as a follow-up', async () => {
  const over = await failed('kept');
  expect(over).toMatchObject({ error: { code: 'LIMIT_STEPS' }, draft: { isFollowUp: true }, followUp: { sent: 0 } });
  const lying = drafts();
  const again = await retried(over);
  expect(again).toMatchObject({ follows: over.id, draft: over.draft });
  expect(stage.asked.at(-1)?.data).toContain('a draft lies in Drafts already, and the user has not sent it');
  expect(drafts()).toEqual(lying);
  sends(again);
  await looks();
  const waits = await until(({ draft, waitingFor }) => draft === null && waitingFor === 'reply');
  expect(waits.followUp).toMatchObject({ sent: 1, nextAt: expect.any(String) });
  expect(waits.lastSent?.ref).not.toBe(over.lastSent?.ref);
});

test('a draft that the user sends before its objective is run again was sent, and not deleted', async () => {
  const over = await failed('sent');
  sends(over);
  await clock.advance(HOUR);
  watch = new SentWatch(stage.app.deps);
  const { id } = await retried(over);
  await looks();
  const waits = await until(({ draft, waitingFor }) => draft === null && waitingFor === 'reply');
  expect(waits).toMatchObject({ id, followUp: { sent: 1 } });
  expect(waits.history.map(({ text }) => text)).toContain('The user sent the draft');
});

test('the draft of a follow-up that the user sends while the objective asks something counts as one', async () => {
  const over = await failed('asks');
  stage.answer = (role) =>
    role === 'intake' ? understood : { action: 'askUser', reason: 'test', question: 'What now?' };
  sends(await retried(over, 'answer'));
  await looks();
  const asks = await until(({ draft, wakes, question }) => draft === null && wakes === 2 && question !== null);
  expect(asks.followUp.sent).toBe(1);
  expect(stage.asked.at(-1)?.data).toContain('Follow-ups that have left: 1 of 2.');
});

test('a draft that the user deletes after its objective is run again is noticed', async () => {
  const over = await failed('gone');
  const again = await retried(over);
  stage.answer = (role) =>
    role === 'intake' ? understood : { action: 'askUser', reason: 'test', question: 'What now?' };
  rmSync(join(stage.root, again.draft?.ref ?? ''));
  await looks();
  await clock.advance(HOUR / 10);
  await looks();
  const asks = await until(({ question }) => question === 'What now?');
  expect(asks.history.map(({ text }) => text)).toContain('The user deleted the draft without sending it');
});

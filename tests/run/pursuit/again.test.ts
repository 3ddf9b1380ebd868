import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { retryRun } from '../../../engine/src/run/lifecycle/retry.ts';
import { type ObjectiveStage, objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const ALWAYS = '{ start: "00:00", end: "24:00", days: [mon, tue, wed, thu, fri, sat, sun] }';
const KEYS = `followUp: { afterHours: 2, max: 1, workingHours: ${ALWAYS} }, sendDrafts: allow, maxWakes: 3`;
const understood = { summary: 'Ann was asked.', dates: [], names: [], openQuestions: [], wishes: [] };

const clock = new SimulatedClock(Date.parse('2026-11-02T09:00:00Z'));
let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage(KEYS, { clock });
});
afterAll(() => stage.close());

test('an objective that is run again has its follow-ups behind it, and its wakes before it', async () => {
  stage.answer = (role, data) => {
    if (role === 'intake') return understood;
    if (role === 'writer') return 'What do you think?';
    return data.includes('No more may leave')
      ? { action: 'waitForReply', reason: 'no more may leave' }
      : { action: 'draft', reason: 'it is time', instructions: 'ask' };
  };
  const outbox = () => readdirSync(join(stage.root, 'outbox')).length;
  await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text: 'Do you want it?' }));
  const { id } = await untilMoved(stage, clock, ({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  const first = await untilMoved(stage, clock, ({ waitingFor }) => waitingFor === 'reply');
  await clock.advance(3 * HOUR);
  const followed = await untilMoved(stage, clock, ({ followUp }) => followUp.sent === 1);
  expect(followed.lastSent?.ref).not.toBe(first.lastSent?.ref);
  await clock.advance(3 * HOUR);
  const over = await untilMoved(stage, clock, ({ status }) => status === 'error');
  expect(over.error?.code).toBe('LIMIT_STEPS');
  const sent = outbox();

  const { run } = await retryRun(stage.app.deps, id, 'local');
  stage.app.engine.queued();
  const again = await untilMoved(stage, clock, (one) => one.id === run.id && one.waitingFor === 'reply');
  expect(again).toMatchObject({
    ...{ follows: id, userQuery: 'Get an answer', wakes: 1, lastSent: over.lastSent },
    followUp: { sent: 1, max: 1 },
  });
  stage.answer = (role) =>
    role === 'intake' ? understood : { action: 'draft', reason: 'it is time', instructions: 'ask' };
  await clock.advance(3 * HOUR);
  const asks = await untilMoved(stage, clock, ({ waitingFor }) => waitingFor === 'answer');
  expect(asks.question).toContain('the planner decided several times what the rules do not permit');
  expect(stage.asked.at(-1)?.data).toContain('Follow-ups that have left: 1 of 1.');
  expect(outbox()).toBe(sent);
});

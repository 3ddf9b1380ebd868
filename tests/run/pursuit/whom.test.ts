import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { listApprovals } from '../../../engine/src/guard/approval.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { type ObjectiveStage, objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const ALWAYS = '{ start: "00:00", end: "24:00", days: [mon, tue, wed, thu, fri, sat, sun] }';
const KEYS = `followUp: { afterHours: 2, max: 2, workingHours: ${ALWAYS} }, sendDrafts: allow`;
const understood = { summary: 'Bob knows the price.', dates: [], names: [], openQuestions: [], wishes: [] };

const clock = new SimulatedClock(Date.parse('2026-11-02T09:00:00Z'));
let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage(KEYS, { clock });
});
afterAll(() => stage.close());

const until = (state: (objective: Objective) => boolean) => untilMoved(stage, clock, state);

const letters = (folder: string) =>
  readdirSync(join(stage.root, folder)).map((name) => readFileSync(join(stage.root, folder, name), 'utf8'));

test('a follow-up on a mail to somebody new goes to them, and never to who wrote the labelled mail', async () => {
  stage.answer = (role, data) => {
    if (role === 'intake') return { ...understood, userQuery: 'Ask Bob for a price' };
    if (role !== 'planner') return 'What do you think?';
    return data.includes('Reason of this wake: date')
      ? { action: 'draft', reason: 'silence', instructions: 'ask again' }
      : { action: 'draft', reason: 'Bob knows', instructions: 'ask', to: ['bob@example.net'], subject: 'Price' };
  };
  await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text: 'Please ask Bob for a price.' }));
  const { id } = await until(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Ask Bob', by: 'user' });
  await until(({ waitingFor }) => waitingFor === 'approval');
  const [asked] = await listApprovals(stage.app.deps.store, id, 'pending');
  await stage.app.engine.decide(asked?.id ?? '', { decision: 'allow', by: 'user' });
  await until(({ waitingFor }) => waitingFor === 'reply');
  clock.advance(3 * HOUR);
  await until(({ history }) => history.some(({ text }) => text === 'Writes a follow-up: silence'));
  await until(({ waitingFor }) => waitingFor !== null && waitingFor !== 'reply');
  const written = [...letters('outbox'), ...letters('drafts')];
  expect(written.filter((mail) => /^To: bob@example\.net/m.test(mail)).length).toBeGreaterThan(1);
  expect(written.filter((mail) => mail.includes('ann@example.com>') || /^To: .*ann@/m.test(mail))).toEqual([]);
});

test('a mail that comes before the user has answered keeps the proposal, and a person who ends it is named', async () => {
  stage.answer = (role, data) => {
    if (role !== 'intake') return { action: 'askUser', reason: 'test', question: 'Which paper?' };
    return data.includes('My proposal') || data.includes('second mail')
      ? understood
      : { ...understood, userQuery: 'Order it' };
  };
  await stage.fetch(stage.mail('1', { thread: 'two', labels: ['Autopilot'], text: 'We have paper.' }));
  const { id } = await until(({ threads, question }) => threads[0]?.threadId === 'two' && question !== null);
  await stage.fetch(stage.mail('2', { thread: 'two', text: 'This is the second mail.' }));
  const asks = await until(({ wakes, question }) => wakes === 2 && question !== null);
  expect(asks.proposal).toBe('Order it');
  await stage.app.engine.message(id, { text: 'A4', by: 'user' });
  await until(({ question }) => question === 'Which paper?');
  await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'user' });
  const over = await until(({ status }) => status === 'done');
  expect(over.history.at(-1)?.text).toBe('The user ended the objective as reached');
});

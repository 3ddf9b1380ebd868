import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isoTime, SimulatedClock } from '../../../engine/src/base/clock.ts';
import { listApprovals, readApproval } from '../../../engine/src/guard/approval.ts';
import type { Models } from '../../../engine/src/model/model.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { runsLeftByOutage } from '../../../engine/src/run/lifecycle/outage.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { type ObjectiveStage, objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-02T09:00:00Z');
const ALWAYS = '{ start: "00:00", end: "24:00", days: [mon, tue, wed, thu, fri, sat, sun] }';
const KEYS = `followUp: { afterHours: 2, max: 2, workingHours: ${ALWAYS} }, sendDrafts: allow`;
const understood = { summary: 'Ann was asked.', dates: [], names: [], openQuestions: [], wishes: [] };

const clock = new SimulatedClock(START);
let stage: ObjectiveStage;
let broken: string | undefined;
let isReachable = true;

/** Models that no longer say that they are there, once the test says so. */
const reachable = (models: Models): Models => ({
  ...models,
  open: (api) => ({
    ...models.open(api),
    available: async () => (isReachable ? { ok: true } : { ok: false, why: 'it is down' }),
  }),
});

beforeAll(async () => {
  stage = await objectiveStage(KEYS, { clock }, reachable);
});
afterAll(() => stage.close());
beforeEach(() => {
  broken = undefined;
  isReachable = true;
  stage.asked.length = 0;
  stage.answer = (role) => {
    if (role === broken) throw new ModelError('MODEL_UNAVAILABLE', 'the server is down', {});
    if (role === 'intake') return understood;
    return role === 'planner' ? { action: 'draft', reason: 'it is time', instructions: 'ask' } : 'What do you think?';
  };
});

const until = (state: (objective: Objective) => boolean) => untilMoved(stage, clock, state);
const left = () => runsLeftByOutage(stage.app.deps.store, isoTime(START));
const stopped = (id: string) => until((one) => one.id === id && /stopped for now/.test(one.question ?? ''));

/** An objective of a message that an outage at its planner has stopped. */
async function outage(): Promise<string> {
  broken = 'planner';
  const id = await stage.begin('autopilot', 'Wait for Ann');
  await stopped(id);
  return id;
}

test('an objective goes on where an outage stopped it: its follow-up leaves, and its question is withdrawn', async () => {
  await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text: 'Do you want it?' }));
  const { id } = await until(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  await until(({ waitingFor }) => waitingFor === 'reply');
  broken = 'writer';
  await clock.advance(3 * HOUR);
  await stopped(id);
  expect((await stage.run(id)).outage).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(await left()).toEqual([id]);
  const [question] = await listApprovals(stage.app.deps.store, id, 'pending');

  broken = undefined;
  stage.asked.length = 0;
  await stage.app.engine.goOn(id, 'anna');
  const followed = await until(({ followUp, waitingFor }) => followUp.sent === 1 && waitingFor === 'reply');
  expect(stage.asked.map(({ role }) => role)).toEqual(['planner', 'writer']);
  expect(stage.asked[0]?.data).toContain('Reason of this wake: date');
  const story = followed.history.map(({ text }) => text);
  expect(story).toContain('Goes on after the outage of its models, as ordered by anna; the question was withdrawn');
  expect(story.filter((line) => line.includes('its recipient got one today'))).toEqual([]);
  expect(followed).toMatchObject({ question: null, unread: [] });
  const lapsed = await readApproval(stage.app.deps.store, question?.id ?? '');
  expect(lapsed?.status).toBe('lapsed');
  expect(await left()).toEqual([]);
  await expect(stage.app.engine.goOn(id, 'anna')).rejects.toMatchObject({ code: 'RUN_NOT_FAILED' });
  await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'user' });
});

/** An objective whose first follow-up is due, while `role` has no model. */
async function followUpStopped(role: string): Promise<string> {
  const thread = `stopped${clock.now()}`;
  const mail = { thread, from: `${thread}@example.com`, labels: ['Autopilot'], text: 'Do you want it?' };
  await stage.fetch(stage.mail('1', mail));
  const { id } = await until(({ waitingFor, threads }) => waitingFor === 'answer' && threads[0]?.threadId === thread);
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  await until(({ waitingFor }) => waitingFor === 'reply');
  broken = role;
  await clock.advance(3 * HOUR);
  await stopped(id);
  broken = undefined;
  return id;
}

test.each(['planner', 'writer'])(
  'a follow-up whose %s an outage stopped still counts as one where the user answers in words',
  async (role) => {
    const id = await followUpStopped(role);
    await stage.app.engine.message(id, { text: 'Go on, and be kind', by: 'user' });
    const followed = await until((one) => one.id === id && one.waitingFor === 'reply');
    expect(followed.followUp.sent).toBe(1);
    expect(stage.asked.findLast((one) => one.role === 'planner')?.data).toContain('Go on, and be kind');
    await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'user' });
  },
);

test('a mail after an outage is no follow-up where somebody has answered meanwhile', async () => {
  const id = await followUpStopped('planner');
  const { threads } = await stage.objective(id);
  await stage.fetch(stage.mail('2', { thread: threads[0]?.threadId ?? '', text: 'Yes, I do.' }));
  const answered = await until((one) => one.id === id && one.waitingFor === 'reply');
  expect(answered.followUp.sent).toBe(0);
  await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'user' });
});

test('a follow-up that a pause has interrupted counts as one when it leaves', async () => {
  stage.delay = async (role) => {
    if (role !== 'planner' || (await stage.objective(id)).wakes !== 3) return;
    stage.delay = () => Promise.resolve();
    await stage.app.engine.orderObjective(id, { type: 'PAUSE', by: 'user' });
  };
  const thread = 'paused';
  await stage.fetch(
    stage.mail('1', { thread, from: 'bob@example.com', labels: ['Autopilot'], text: 'Do you want it?' }),
  );
  const { id } = await until(({ waitingFor, threads }) => waitingFor === 'answer' && threads[0]?.threadId === thread);
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  await until(({ waitingFor }) => waitingFor === 'reply');
  await clock.advance(3 * HOUR);
  await until(({ paused, status }) => paused && status === 'waiting');
  await stage.app.engine.orderObjective(id, { type: 'RESUME', by: 'user' });
  const followed = await until((one) => one.id === id && one.waitingFor === 'reply');
  expect(followed.followUp.sent).toBe(1);
  await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'user' });
});

test('an objective that cannot reach its models when it wakes is one of an outage, too', async () => {
  stage.answer = (role) =>
    role === 'intake' ? understood : { action: 'askUser', reason: 'test', question: 'Which paper?' };
  const id = await stage.begin('autopilot', 'Get paper');
  await until((one) => one.id === id && one.question === 'Which paper?');
  expect(await left()).toEqual([]);
  isReachable = false;
  await stage.app.engine.message(id, { text: 'A4', by: 'user' });
  await stopped(id);
  expect(await left()).toEqual([id]);
  isReachable = true;
  await stage.app.engine.goOn(id, 'anna');
  await until((one) => one.id === id && one.question === 'Which paper?');
  expect(stage.asked.at(-1)?.data).toMatch(/The user said at .*: A4/);
});

test.each([
  ['asks something else', { action: 'askUser', reason: 'test', question: 'Shall I?' }],
  ['got an answer that is none', { action: 'dance' }],
])('an objective that %s waits on for its user', async (_name, answer) => {
  stage.answer = (role) => (role === 'intake' ? understood : answer);
  const id = await stage.begin('autopilot', 'Wait for Ann');
  const asks = await until((one) => one.id === id && one.question !== null);
  expect(await left()).not.toContain(id);
  await expect(stage.app.engine.goOn(id, 'anna')).rejects.toMatchObject({ code: 'RUN_NOT_FAILED' });
  expect((await stage.objective(id)).question).toBe(asks.question);
});

test('an objective that the user has answered after an outage is not one of it any more', async () => {
  const id = await outage();
  stage.answer = (role) =>
    role === 'intake' ? understood : { action: 'askUser', reason: 'test', question: 'Which paper?' };
  await stage.app.engine.message(id, { text: 'Go on', by: 'user' });
  await until((one) => one.id === id && one.question === 'Which paper?');
  expect(await left()).not.toContain(id);
  expect(await stage.run(id)).not.toHaveProperty('outage');
});

test('an objective that the outage stops again comes after the others', async () => {
  const ids = [await outage(), await outage()] as const;
  await clock.advance(HOUR);
  await stage.app.engine.goOn(ids[0], 'anna');
  await stage.until(ids[0], ({ waitingFor }) => waitingFor === 'answer');
  expect((await stage.objective(ids[0])).wakes).toBe(2);
  expect((await left()).filter((id) => ids.includes(id))).toEqual([ids[1], ids[0]]);
});

test('a paused objective does not go on after an outage until it is resumed', async () => {
  const id = await outage();
  await stage.app.engine.orderObjective(id, { type: 'PAUSE', by: 'user' });
  expect(await left()).not.toContain(id);
  await expect(stage.app.engine.goOn(id, 'anna')).rejects.toMatchObject({ code: 'CONFLICT' });
  await stage.app.engine.orderObjective(id, { type: 'RESUME', by: 'user' });
  expect((await stage.objective(id)).question).toMatch(/stopped for now/);
  expect(await left()).toContain(id);
  stage.answer = (role) =>
    role === 'intake' ? understood : { action: 'finish', reason: 'test', result: 'All is done.' };
  await stage.app.engine.goOn(id, 'anna');
  await until((one) => one.id === id && one.status === 'done');
});

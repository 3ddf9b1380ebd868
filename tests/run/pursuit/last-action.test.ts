import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { type ObjectiveStage, objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const understood = { summary: 'Ann offers.', dates: [], names: [], openQuestions: [], wishes: [] };

const clock = new SimulatedClock(Date.parse('2026-11-02T09:00:00Z'));
let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage(undefined, { clock });
});
afterAll(() => stage.close());

let decision: object = {};
beforeEach(() => {
  decision = { action: 'waitForReply', reason: 'Ann has to answer' };
  stage.answer = (role) => (role === 'intake' ? understood : role === 'planner' ? decision : 'We accept.');
});

const until = (state: (objective: Objective) => boolean) => untilMoved(stage, clock, state);
const timeOf = ({ lastActionTime }: Objective) => Date.parse(lastActionTime ?? '');

/** An objective that has done nothing but wait. */
async function waiting(): Promise<Objective> {
  const id = await stage.begin('autopilot', 'Accept the offer');
  const found = await until((one) => one.id === id && one.waitingFor === 'reply');
  expect(found.lastActionTime).toBeNull();
  return found;
}

const isOver = ({ status }: Objective) => status === 'done' || status === 'error';
test.each([
  ['asks', { action: 'askUser', question: 'Shall I?' }, ({ question }: Objective) => question === 'Shall I?'],
  [
    'drafts',
    { action: 'draft', instructions: 'accept', to: ['ann@example.com'], subject: 'Offer' },
    ({ waitingFor }: Objective) => waitingFor === 'draft',
  ],
  ['finishes', { action: 'finish', result: 'All is done.' }, isOver],
  ['gives up', { action: 'giveUp', result: 'It cannot be done.' }, isOver],
])('the last action is the one by which the planner %s', async (_name, action, isReached) => {
  const { id } = await waiting();
  await clock.advance(HOUR);
  decision = { reason: 'test', ...action };
  const from = clock.now();
  await stage.app.engine.message(id, { text: 'Go on', by: 'user' });
  const acted = await until((one) => one.id === id && isReached(one));
  expect(timeOf(acted)).toBeGreaterThanOrEqual(from);
  expect(timeOf(acted)).toBeLessThanOrEqual(clock.now());
});

test('a tool call is an action; a wake, a wait and an order of a person are none', async () => {
  const { id } = await waiting();
  const call = { tool: 'workspace_add_item', arguments: '{"label":"x","data":"y"}' };
  let calls = 0;
  stage.answer = (role) =>
    role === 'intake' ? understood : calls++ === 0 ? { action: 'callTool', reason: 'note it', ...call } : decision;
  await stage.app.engine.message(id, { text: 'Note it', by: 'user' });
  const called = await until((one) => one.id === id && one.wakes === 2 && one.waitingFor === 'reply');
  expect(called.lastActionTime).not.toBeNull();
  await clock.advance(HOUR);
  await stage.app.engine.message(id, { text: 'Wait on', by: 'user' });
  const woken = await until((one) => one.wakes === 3 && one.waitingFor === 'reply');
  await clock.advance(HOUR);
  await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'user' });
  const over = await until(isOver);
  expect([woken.lastActionTime, over.lastActionTime]).toEqual([called.lastActionTime, called.lastActionTime]);
});

test('the planner reads which tools it may call, and what its call has answered', async () => {
  const { id } = await waiting();
  const call = { tool: 'workspace_add_item', arguments: '{"label":"Findings","data":"y"}' };
  const read: string[] = [];
  stage.answer = (role, data) => {
    if (role === 'intake') return understood;
    return read.push(data) === 1 ? { action: 'callTool', reason: 'note it', ...call } : decision;
  };
  await stage.app.engine.message(id, { text: 'Note it', by: 'user' });
  await until((one) => one.id === id && one.waitingFor === 'reply' && read.length === 2);
  const [before = '', after = ''] = read;
  expect(before).toMatch(/- workspace_add_item\(.*label/);
  expect(before).not.toContain('- mail_send(');
  expect(before).not.toContain('What your calls have answered');
  expect(after).toMatch(/What your calls have answered[^]*RESULT[^]*workspace_add_item \{"label":"Findings"[^]*"id"/);
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { director, type ObjectiveStage, objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const ALWAYS = '{ start: "00:00", end: "24:00", days: [mon, tue, wed, thu, fri, sat, sun] }';
const KEYS = `followUp: { afterHours: 2, max: 1, workingHours: ${ALWAYS} }, sendDrafts: allow`;

const clock = new SimulatedClock(Date.parse('2026-11-02T09:00:00Z'));
let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage(KEYS, { clock });
});
afterAll(() => stage.close());

const understood = { summary: 'Ann was asked.', dates: [], names: [], openQuestions: [], wishes: [] };
beforeEach(() => {
  stage.asked.length = 0;
  stage.answer = (role) => {
    if (role === 'intake') return { ...understood, userQuery: 'Get an answer' };
    if (role === 'planner') return { action: 'draft', reason: 'it is time', instructions: 'ask' };
    return 'What do you think?';
  };
});

const until = (state: (objective: Objective) => boolean) => untilMoved(stage, clock, state);

/** Starts an objective on a thread, whose first mail was sent to Ann. */
async function pursue(thread: string, to = 'ann@example.com'): Promise<Objective> {
  const own = { thread, from: 'me@example.org', to, text: 'Do you want it?' };
  // The mailbox holds it as sent: its From alone would not do.
  mkdirSync(join(stage.root, 'sent'), { recursive: true });
  const head = `From: me@example.org\r\nTo: ${to}\r\nSubject: Offer\r\nMessage-ID: <${thread}-1@example.com>\r\n`;
  writeFileSync(join(stage.root, 'sent', `${thread}.eml`), `${head}\r\nDo you want it?`);
  await stage.fetch(stage.mail('1', { ...own, labels: ['Autopilot'] }));
  const { id } = await until(({ waitingFor, threads }) => waitingFor === 'answer' && threads[0]?.threadId === thread);
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  return until(({ waitingFor }) => waitingFor === 'reply');
}

const sent = (to: string) =>
  readdirSync(join(stage.root, 'outbox'))
    .map((name) => readFileSync(join(stage.root, 'outbox', name), 'utf8'))
    .filter((mail) => mail.includes(`To: ${to}`)).length;

test('a mail on a thread whose last mail is own goes to those who got it, and no follow-up leaves above the limit', async () => {
  await pursue('own', 'bob@example.com');
  expect(sent('bob@example.com')).toBe(1);
  clock.advance(3 * HOUR);
  const followed = await until(({ followUp }) => followUp.sent === 1);
  expect(followed.history.map(({ text }) => text)).toContain('Writes a follow-up: it is time');
  await until(({ waitingFor }) => waitingFor === 'reply');
  expect(sent('bob@example.com')).toBe(2);
  clock.advance(3 * HOUR);
  const asks = await until(({ waitingFor }) => waitingFor === 'answer');
  expect(asks.question).toContain('the planner decided several times what the rules do not permit');
  expect(stage.asked.at(-1)?.data).toContain('no more follow-ups may leave: ask the user, finish or give up');
  expect(sent('bob@example.com')).toBe(2);
});

test('a new mail to somebody who has not answered is a follow-up, and none leaves above the limit', async () => {
  const again = { to: ['Carl <Carl@example.com>'], subject: 'Re: Offer' };
  stage.answer = (role, data) => {
    if (role === 'intake') return { ...understood, userQuery: 'Get an answer' };
    const isFirst = !data.includes('wake: date');
    if (role === 'planner') return { action: 'draft', reason: 'chase', instructions: 'ask', ...(!isFirst && again) };
    return 'What do you think?';
  };
  const { id } = await pursue('again', 'carl@example.com');
  clock.advance(3 * HOUR);
  await until((one) => one.id === id && one.followUp.sent === 1 && one.waitingFor === 'reply');
  expect(sent('Carl <Carl@example.com>')).toBe(1);
  clock.advance(72 * HOUR);
  const asks = await until((one) => one.id === id && one.waitingFor === 'answer');
  expect(asks.question).toContain('the planner decided several times what the rules do not permit');
  expect(sent('Carl <Carl@example.com>')).toBe(1);
});

test('a new mail that the user has just asked for is no follow-up', async () => {
  const { id } = await pursue('asked', 'dora@example.com');
  const again = { to: ['dora@example.com'], subject: 'Another matter' };
  stage.answer = (role) => {
    if (role === 'intake') return understood;
    return role === 'planner' ? { action: 'draft', reason: 'asked', instructions: 'ask', ...again } : 'And this?';
  };
  await stage.app.engine.message(id, { text: 'Ask her about the other matter too', by: 'user' });
  const told = await until((one) => one.id === id && one.wakes === 3 && one.waitingFor === 'reply');
  expect(told.followUp.sent).toBe(0);
  expect(sent('dora@example.com')).toBe(2);
});

test('own mail whose copy in Sent went to others is followed up to nobody', async () => {
  const head =
    'From: me@example.org\r\nTo: carol@example.com\r\nSubject: Offer\r\nMessage-ID: <other-1@example.com>\r\n';
  writeFileSync(join(stage.root, 'sent', 'other.eml'), `${head}\r\nDo you want it?`);
  const own = { thread: 'other', from: 'me@example.org', to: 'mallory@example.com', text: 'Do you want it?' };
  await stage.fetch(stage.mail('1', { ...own, labels: ['Autopilot'] }));
  const { id } = await until(({ waitingFor, threads }) => waitingFor === 'answer' && threads[0]?.threadId === 'other');
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  const left = await until(({ waitingFor }) => waitingFor === 'draft' || waitingFor === 'reply');
  expect(left.history.at(-1)?.text).toMatch(/^The mail was not sent: /);
  expect(sent('carol@example.com') + sent('mallory@example.com')).toBe(0);
});

test('one recipient gets one follow-up within 24 hours from all objectives together', async () => {
  await pursue('first');
  clock.advance(3 * HOUR);
  await until(({ followUp }) => followUp.sent === 1);
  await pursue('second');
  expect(sent('ann@example.com')).toBe(3);
  clock.advance(3 * HOUR);
  const waits = await until(({ history }) => history.some(({ text }) => text.includes('its recipient got one today')));
  expect(waits.followUp).toMatchObject({ sent: 0 });
  await until(({ waitingFor }) => waitingFor === 'reply');
  expect(sent('ann@example.com')).toBe(3);
  clock.advance(22 * HOUR);
  await until(({ followUp }) => followUp.sent === 1);
  expect(sent('ann@example.com')).toBe(4);
});

test('a wake that reaches its budget asks the user, and the next one has a budget of its own', async () => {
  stage.write(director(KEYS, 'budget: { maxIterations: 3 }'));
  await stage.restart();
  stage.answer = (role) => {
    if (role === 'intake') return { ...understood, userQuery: 'Get an answer' };
    return { action: 'callTool', reason: 'look', tool: 'workspace_add_item', arguments: '{"label":"x","data":"y"}' };
  };
  await stage.fetch(stage.mail('1', { thread: 'dear', labels: ['Autopilot'] }));
  const { id } = await until(({ question }) => question !== null);
  for (const wakes of [2, 3]) {
    const requests = stage.asked.length;
    await stage.app.engine.message(id, { text: 'Go on', by: 'user' });
    const asks = await until((one) => one.wakes === wakes && one.question !== null);
    expect(asks.question).toMatch(/^I have stopped for now: .*budget\.maxIterations/);
    expect(stage.asked.length - requests).toBeLessThanOrEqual(3);
  }
});

test('an objective that would wake more often than it may ends with an error that says so', async () => {
  stage.write(director(`${KEYS}, maxWakes: 1`));
  await stage.restart();
  await stage.fetch(stage.mail('1', { thread: 'often', labels: ['Autopilot'] }));
  const { id } = await until(({ waitingFor, threads }) => waitingFor === 'answer' && threads[0]?.threadId === 'often');
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  const over = await until(({ status }) => status === 'error');
  expect(over).toMatchObject({ outcome: null, error: { code: 'LIMIT_STEPS' } });
  expect(over.history.at(-1)?.text).toBe(
    'The objective ended with an error: stopped after 1 wakes (objective.maxWakes)',
  );
});

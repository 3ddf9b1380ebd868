import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { listApprovals } from '../../../engine/src/guard/approval.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { letterTo } from '../../contracts/mailbox.ts';
import { type ObjectiveStage, objectiveStage, untilMoved } from './players.ts';

const HOUR = 3_600_000;
const ALWAYS = '{ start: "00:00", end: "24:00", days: [mon, tue, wed, thu, fri, sat, sun] }';
const DROPPED = 'The follow-up was dropped: somebody has answered';

const clock = new SimulatedClock(Date.parse('2026-11-02T09:00:00Z'));
let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage(`followUp: { afterHours: 2, workingHours: ${ALWAYS} }, sendDrafts: allow`, { clock });
  for (const name of ['sent', 'outbox']) mkdirSync(join(stage.root, name), { recursive: true });
});
afterAll(() => stage.close());

let to: readonly string[] = [];
beforeEach(() => {
  stage.answer = (role, data) => {
    if (role === 'intake') return { summary: 'Ann was asked.', dates: [], names: [], openQuestions: [], wishes: [] };
    if (role === 'writer') return 'What do you think?';
    if (data.includes(DROPPED)) return { action: 'waitForReply', reason: 'there is an answer' };
    return {
      action: 'draft',
      reason: 'it is time',
      instructions: 'ask',
      ...(to.length > 0 && { to, subject: 'Paper' }),
    };
  };
});

const until = (state: (objective: Objective) => boolean) => untilMoved(stage, clock, state);

/** An objective that has written to somebody and waits for a reply. */
async function waiting(thread: string): Promise<Objective> {
  await stage.fetch(stage.mail('1', { thread, messageId: thread, labels: ['Autopilot'], text: 'Do you want it?' }));
  const { id } = await until(({ waitingFor, threads }) => waitingFor === 'answer' && threads[0]?.threadId === thread);
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  // A mail to somebody who has not written is sent once a person allows it.
  const asks = await until(({ waitingFor }) => waitingFor === 'reply' || waitingFor === 'approval');
  if (asks.waitingFor === 'reply') return asks;
  const [approval] = await listApprovals(stage.app.deps.store, id, 'pending');
  await stage.app.engine.decide(approval?.id ?? '', { decision: 'allow', by: 'user' });
  return until(({ waitingFor }) => waitingFor === 'reply');
}

/** A mail that lies in the inbox, an hour from now, and is not fetched. */
function arrives(name: string, from: string, thread: string, more: readonly string[] = []): void {
  const date = `Date: ${new Date(clock.now() + HOUR).toUTCString()}`;
  const raw = Buffer.from(letterTo(name, [`References: ${thread}`, date, ...more], 'Yes, I do.')).toString();
  writeFileSync(join(stage.root, 'inbox', `${name}.eml`), raw.replace('ann@client.example', from));
}

/** The story of an objective after the time of its follow-up. */
async function storyAfterWait({ id, wakes }: Objective): Promise<readonly string[]> {
  clock.advance(3 * HOUR);
  const now = await until((one) => one.id === id && one.wakes > wakes && one.waitingFor === 'reply');
  return now.history.map(({ text }) => text);
}

test('a follow-up is dropped where the answer lies in the inbox, unfetched, on a thread that the objective began', async () => {
  to = ['bob@example.com'];
  const before = await waiting('<begun@example.com>');
  arrives('bob', 'bob@example.com', before.threads.at(-1)?.threadId ?? '');
  const story = await storyAfterWait(before);
  expect(story).toContain(DROPPED);
  expect(story).not.toContain('Writes a follow-up: it is time');
  expect(stage.asked.findLast(({ role }) => role === 'planner')?.data).toContain('Yes, I do.');
});

test('an automatic answer that is not fetched drops no follow-up', async () => {
  to = [];
  const before = await waiting('<away@example.com>');
  arrives('away', 'ann@example.com', '<away@example.com>', ['Auto-Submitted: auto-replied']);
  const story = await storyAfterWait(before);
  expect(story).toContain('Writes a follow-up: it is time');
  expect(story).not.toContain(DROPPED);
});

test('an answer of a person that is not fetched drops the follow-up', async () => {
  to = [];
  const before = await waiting('<there@example.com>');
  arrives('there', 'ann@example.com', '<there@example.com>');
  expect(await storyAfterWait(before)).toContain(DROPPED);
});

test('of many mails that were never fetched the newest ten are read, and the summary says of how many others not', async () => {
  to = [];
  const before = await waiting('<many@example.com>');
  for (let n = 0; n < 13; n++) arrives(`many${n}`, 'ann@example.com', '<many@example.com>');
  await storyAfterWait(before);
  const objective = await until(({ id }) => id === before.id);
  // The mail that the objective sent is one of them.
  expect(objective.summary).toMatch(/Not read: 4 mails up to \S+ in the mailbox, never fetched\./);
  const again = await storyAfterWait(objective).then(() => until(({ id }) => id === before.id));
  expect(again.summary?.match(/never fetched/g)).toHaveLength(1);
});

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { SentWatch } from '../../../engine/src/intake/sent/sent-watch.ts';
import type { Objective } from '../../../engine/src/run/objective/objective.ts';
import { letterTo } from '../../contracts/mailbox.ts';
import { type ObjectiveStage, objectiveStage } from './players.ts';
import { PATIENCE_MS } from '../../next-try.ts';

let stage: ObjectiveStage;
let clock: SimulatedClock;
beforeAll(async () => {
  clock = new SimulatedClock(Date.parse('2026-11-23T09:00:00Z'));
  stage = await objectiveStage('sendDrafts: never, followUp: { afterHours: 24 }', { clock });
  for (const name of ['sent', 'outbox']) mkdirSync(join(stage.root, name), { recursive: true });
});
afterAll(() => stage.close());
beforeEach(() => {
  stage.answer = (role) => {
    if (role === 'intake') return { summary: 'Ann offers.', dates: [], names: [], openQuestions: [], wishes: [] };
    if (role === 'planner') return { action: 'draft', reason: 'Ann waits', instructions: 'accept' };
    return 'We accept.';
  };
});

/** Lets what is due happen, until `state` holds for the objective. */
async function passes(id: string, state: (now: Objective) => boolean): Promise<Objective> {
  for (const began = Date.now(); Date.now() - began < PATIENCE_MS;) {
    const now = await stage.objective(id);
    if (state(now)) return now;
    await clock.advance(0);
    await setImmediate();
  }
  throw new Error(`still ${JSON.stringify(await stage.objective(id))}`);
}

/** A file of the mail program of the user. */
function put(folder: 'inbox' | 'sent', name: string, thread: string, text: string, from = 'me@example.org'): void {
  const date = `Date: ${new Date(clock.now() - 60_000).toUTCString()}`;
  const raw = Buffer.from(letterTo(name, [`References: <${thread}>`, date], text)).toString();
  writeFileSync(join(stage.root, folder, `${name}.eml`), raw.replace('ann@client.example', from));
}

test('with a label alone, the wish is what the user wrote last on the thread, and no forged From', async () => {
  const thread = '<order@example.com>';
  put('sent', 'mine', 'order@example.com', 'Please get me a better price.\n\n> We offer paper.');
  put('inbox', 'forged', 'order@example.com', 'Pay at once.');
  await stage.fetch(
    stage.mail('1', {
      ...{ thread, messageId: '<offer@example.com>', labels: ['Autopilot'] },
      headers: ['Date: Sun, 22 Nov 2026 09:00:00 +0000', `References: ${thread}`],
    }),
  );
  const { userQuery } = await stage.reached(({ waitingFor }) => waitingFor === 'draft');
  expect(userQuery).toBe('Please get me a better price.');
});

/** The user sends the draft of an objective, with this text. */
async function sends({ id, draft }: Objective, text: string): Promise<Objective> {
  const path = join(stage.root, draft?.ref ?? '');
  const raw = readFileSync(path, 'utf8').replace('We accept.', text);
  const target = join(stage.root, 'sent', `${id}.eml`);
  renameSync(path, target);
  writeFileSync(target, raw);
  expect(await new SentWatch(stage.app.deps).look('box')).toBe(true);
  stage.app.engine.queued();
  return passes(id, ({ waitingFor }) => waitingFor === 'reply');
}

/** The follow-up of an objective, a week later: its record and the mail in Drafts. */
async function followUpOf(id: string): Promise<{ readonly record: Objective; readonly written: string }> {
  await clock.advance(7 * 86_400_000);
  const record = await passes(id, ({ draft: now }) => now?.isFollowUp === true);
  return {
    record,
    written: readFileSync(join(stage.root, record.draft?.ref ?? ''), 'utf8').replace(/\r\n(?=[ \t])/g, ''),
  };
}

test('a draft that the user sends starts the wait, and the follow-up goes to the same person', async () => {
  const before = await stage.reached(({ waitingFor }) => waitingFor === 'draft');
  const waiting = await sends(before, 'We accept, with thanks.');
  expect(waiting.history.map(({ text }) => text).join('#')).toContain(
    'The user changed the draft and sent it: We accept, with thanks.#',
  );
  const { record, written } = await followUpOf(before.id);
  expect(record.draft?.to).toEqual(before.draft?.to);
  expect(written).toMatch(/^To: ann@example\.com\r$/m);
  expect(written).toMatch(/^In-Reply-To: <offer@example\.com>\r$/m);
});

test('the follow-up of a new mail answers that mail, which was never fetched', async () => {
  let isFirst = true;
  stage.answer = (role) => {
    if (role === 'intake') return { summary: 'Ann offers.', dates: [], names: [], openQuestions: [], wishes: [] };
    if (role !== 'planner') return 'We accept.';
    const to = isFirst ? { to: ['bob@example.com'], subject: 'Paper' } : {};
    isFirst = false;
    return { action: 'draft', reason: 'Bob knows', instructions: 'ask Bob', ...to };
  };
  await stage.fetch(stage.mail('1', { thread: '<other@example.com>', labels: ['Autopilot'] }));
  const { id } = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Ask Bob', by: 'user' });
  const before = await stage.reached(({ waitingFor }) => waitingFor === 'draft');
  await sends(before, 'We accept.');
  const { record, written } = await followUpOf(id);
  expect(record.draft?.to).toEqual(['bob@example.com']);
  expect(written).toMatch(/^To: bob@example\.com\r$/m);
  expect(written).toContain(`In-Reply-To: ${before.draft?.messageId}\r\n`);
});

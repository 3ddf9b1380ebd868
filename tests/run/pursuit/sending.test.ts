import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listApprovals } from '../../../engine/src/guard/approval.ts';
import { orderChanges, wakeChanges } from '../../../engine/src/run/objective/wake.ts';
import type { WakeNote } from '../../../engine/src/run/objective/objective.ts';
import { type ObjectiveStage, objectiveStage } from './players.ts';

let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage('sendDrafts: ask');
});
afterAll(() => stage.close());

const understood = { summary: 'Ann offers paper.', dates: [], names: ['Ann'], openQuestions: [], wishes: [] };
let thread = '';
let count = 0;
beforeEach(() => {
  thread = `thread-${++count}`;
  stage.asked.length = 0;
  stage.answer = (role) => {
    if (role === 'intake') return { ...understood, userQuery: 'Accept' };
    if (role === 'planner') return { action: 'draft', reason: 'Ann waits', instructions: 'accept' };
    return 'We accept.';
  };
});

const files = (folder: 'drafts' | 'outbox') => {
  try {
    return readdirSync(join(stage.root, folder)).filter((name) => name.endsWith('.eml'));
  } catch {
    return [];
  }
};

/** An objective whose draft lies in Drafts, and which asks whether to send it. */
async function asking(): Promise<{ id: string; approvalId: string }> {
  await stage.fetch(stage.mail('1', { thread, labels: ['Autopilot'], text: 'Paper?' }));
  const { id } = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Accept the offer', by: 'user' });
  await stage.reached(({ waitingFor }) => waitingFor === 'approval');
  const [approval] = (await listApprovals(stage.app.deps.store, id, 'pending')).filter(
    ({ tool }) => tool === 'mail_send',
  );
  return { id, approvalId: approval?.id ?? '' };
}

async function happens(id: string, note: Omit<WakeNote, 'at'>): Promise<void> {
  const at = new Date().toISOString();
  await stage.app.deps.store.apply(wakeChanges(id, `${note.why} ${at}`, { ...note, at }, Date.now()));
  stage.app.engine.queued();
}

const pending = async (id: string) => (await listApprovals(stage.app.deps.store, id, 'pending')).length;

test('a draft lies in Drafts while a person is asked whether to send it; sending it takes it out of Drafts', async () => {
  const before = files('outbox').length;
  const { id, approvalId } = await asking();
  expect(files('drafts')).toHaveLength(1);
  expect(files('outbox')).toHaveLength(before);
  await stage.app.engine.decide(approvalId, { decision: 'allow', by: 'user' });
  const sent = await stage.reached(({ waitingFor }) => waitingFor === 'reply');
  expect(sent).toMatchObject({ id, draft: null, followUp: { nextAt: expect.any(String), sent: 0 } });
  expect(files('outbox')).toHaveLength(before + 1);
  expect(files('drafts')).toHaveLength(0);
});

test('own mail that the mailbox does not hold as sent is drafted for the user, and nobody is asked to send it', async () => {
  const own = { from: 'me@example.org', to: 'mallory@example.com', text: 'Do you want it?' };
  await stage.fetch(stage.mail('1', { thread, ...own, labels: ['Autopilot'] }));
  const { id } = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Get an answer', by: 'user' });
  const left = await stage.reached(({ waitingFor }) => waitingFor === 'draft' || waitingFor === 'approval');
  expect(left.waitingFor).toBe('draft');
  expect(left.history.at(-1)?.text).toBe('The mail was not sent: no reply is sent to this mail: it is own mail');
  expect(await pending(id)).toBe(0);
});

test('the approval is withdrawn when the user sends the draft', async () => {
  const { id } = await asking();
  const requests = stage.asked.length;
  await happens(id, { why: 'sent' });
  const waits = await stage.reached(({ waitingFor }) => waitingFor === 'reply');
  expect(waits).toMatchObject({ id, draft: null, followUp: { nextAt: expect.any(String) } });
  expect(await pending(id)).toBe(0);
  expect(stage.asked).toHaveLength(requests);
});

test('a reply withdraws the approval, and the planner decides anew', async () => {
  const { id } = await asking();
  stage.answer = (role) =>
    role === 'planner' ? { action: 'askUser', reason: 'Ann wrote', question: 'Still send it?' } : understood;
  await stage.fetch(stage.mail('2', { thread, text: 'Too late, all paper is gone.' }));
  const asks = await stage.reached(({ question }) => question === 'Still send it?');
  expect(asks).toMatchObject({ id, waitingFor: 'answer' });
  expect(stage.asked.find(({ role, data }) => role === 'intake' && data.includes('all paper is gone'))).toBeDefined();
  expect((await listApprovals(stage.app.deps.store, id, 'pending')).map(({ tool }) => tool)).toEqual(['ask_user']);
});

test('a person who denies the sending leaves the draft in Drafts', async () => {
  const { approvalId } = await asking();
  await stage.app.engine.decide(approvalId, { decision: 'deny', by: 'user', reason: 'not yet' });
  const left = await stage.reached(({ waitingFor }) => waitingFor === 'draft');
  expect(left.history.at(-1)?.text).toContain('a person denied this call: not yet');
});

test('a draft that the user deleted is not made again: the planner has to ask', async () => {
  const { id } = await asking();
  let tries = 0;
  stage.answer = (role) => {
    if (role !== 'planner') return understood;
    return tries++ === 0
      ? { action: 'draft', reason: 'again', instructions: 'accept' }
      : { action: 'askUser', reason: 'deleted', question: 'Why was it deleted?' };
  };
  const before = files('drafts').length;
  await happens(id, { why: 'draftDeleted' });
  await stage.reached(({ question }) => question === 'Why was it deleted?');
  expect(tries).toBe(2);
  expect(stage.asked.at(-1)?.data).toContain('the user deleted the draft, so none is made unasked');
  expect(files('drafts')).toHaveLength(before);
});

test('the label that is removed pauses, and put on again it resumes; a reply meanwhile is read then', async () => {
  const { id } = await asking();
  const order = async (type: 'PAUSE' | 'RESUME') => {
    await stage.app.deps.store.apply(orderChanges(id, { type, by: 'label' }, Date.now()));
    stage.app.engine.queued();
  };
  await order('PAUSE');
  await stage.reached(({ paused }) => paused);
  expect(await pending(id)).toBe(0);
  const requests = stage.asked.length;
  await stage.fetch(stage.mail('2', { thread, text: 'Any news?' }));
  await stage.reached(({ unread }) => unread.length === 1);
  expect(stage.asked).toHaveLength(requests);
  stage.answer = (role) =>
    role === 'planner' ? { action: 'finish', reason: 'done', result: 'All is said.' } : understood;
  await order('RESUME');
  const done = await stage.reached(({ status }) => status === 'done');
  expect(done).toMatchObject({ outcome: 'reached', paused: false });
  expect(done.history.map(({ text }) => text).slice(-5)).toEqual([
    'Paused by the label of the thread',
    'A reply of ann@example.com arrived: Any news?',
    'Resumed by the label of the thread',
    'Intake brought the summary up to date',
    'The objective is reached: All is said.',
  ]);
});

test('a word of the user while the planner decides comes before the decision', async () => {
  await stage.fetch(stage.mail('1', { thread, labels: ['Autopilot'], text: 'Paper?' }));
  const { id } = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  let release = () => {};
  const said = new Promise<void>((resolve) => (release = resolve));
  stage.delay = (role) => (role === 'planner' ? said : Promise.resolve());
  stage.answer = (role, data) => {
    if (role !== 'planner') return understood;
    return data.includes('Stop all this')
      ? { action: 'giveUp', reason: 'the user says so', result: 'Stopped as you said.' }
      : { action: 'draft', reason: 'Ann waits', instructions: 'accept' };
  };
  const before = files('drafts').length;
  await stage.app.engine.message(id, { text: 'Accept the offer', by: 'user' });
  await stage.until(id, () => stage.asked.some(({ role }) => role === 'planner'));
  await stage.app.engine.message(id, { text: 'Stop all this', by: 'user' });
  release();
  const over = await stage.reached(({ status }) => status === 'error');
  expect(over).toMatchObject({
    outcome: 'gaveUp',
    error: { code: 'OBJECTIVE_GIVEN_UP', message: 'Stopped as you said.' },
  });
  expect(files('drafts')).toHaveLength(before);
  stage.delay = () => Promise.resolve();
});

test('a word of the user may replace the draft that lies in Drafts; the one before is withdrawn', async () => {
  const { id } = await asking();
  const first = (await stage.objective(id)).draft?.messageId;
  stage.answer = (role) => {
    if (role === 'intake') return understood;
    return role === 'planner' ? { action: 'draft', reason: 'as you say', instructions: 'be kinder' } : 'With pleasure!';
  };
  await stage.app.engine.message(id, { text: 'Be kinder', by: 'user' });
  const second = await stage.reached(
    ({ waitingFor, draft }) => waitingFor === 'approval' && draft?.messageId !== first && draft !== null,
  );
  expect(second.withdrawn?.map(({ messageId }) => messageId)).toEqual([first]);
  expect(await pending(id)).toBe(1);
});

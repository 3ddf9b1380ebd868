import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectiveOf } from '../../../engine/src/run/objective/objective-rows.ts';
import { type ObjectiveWait, serveObjective } from '../../../engine/src/run/objective/objective.ts';
import { type GivenMail, type ObjectiveStage, objectiveStage } from '../../run/pursuit/players.ts';

const understood = { summary: 'Ann offers paper.', dates: [], names: [], openQuestions: [], wishes: [] };
const drafts = { action: 'draft', reason: 'Ann waits', instructions: 'accept' };
const OWN = { from: 'me@example.org', to: 'ann@example.com' };
const SOON = new Date(Date.now() + 3_600_000).toISOString();

/** What the planner decides, and what the objective waits for then. The writer may write twice an hour. */
const WAITS: readonly { for: ObjectiveWait; decision: object; mail?: GivenMail }[] = [
  { for: 'answer', decision: { action: 'askUser', reason: 'test', question: 'How much?' } },
  { for: 'reply', decision: { action: 'waitForReply', reason: 'Ann has to answer' } },
  { for: 'date', decision: { action: 'waitUntil', reason: 'Ann is away', until: SOON } },
  { for: 'approval', decision: drafts },
  // Nobody may send an answer to mail that only claims to be the user's own.
  { for: 'draft', decision: drafts, mail: OWN },
  { for: 'limit', decision: drafts },
];

let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage('sendDrafts: ask', {
    files: {
      'agents/writer.yaml':
        'id: writer\nname: Writer\nlimits: { requestsPerHour: 2 }\nprompt: [{ role: system, content: You are writer. }]\n',
    },
  });
});
afterAll(() => stage.close());

const served = async () =>
  (await stage.app.deps.store.list('objective', { order: [['id', 'asc']] })).map(objectiveOf).map(serveObjective);

test('an objective that waits says for what, and after a restart it waits for the same and asks no model', async () => {
  for (const { for: wait, decision, mail } of WAITS) {
    stage.answer = (role) => {
      if (role === 'intake') return { ...understood, userQuery: 'Accept' };
      return role === 'planner' ? decision : 'We accept.';
    };
    await stage.fetch(stage.mail('1', { thread: wait, labels: ['Autopilot'], text: 'Paper?', ...mail }));
    const isHere = ({ threads }: { threads: readonly { threadId: string }[] }) => threads[0]?.threadId === wait;
    const { id } = await stage.reached((one) => isHere(one) && one.waitingFor === 'answer');
    await stage.app.engine.message(id, { text: 'Accept it', by: 'user' });
    await stage.reached(
      (one) => isHere(one) && one.waitingFor === wait && (one.question ?? 'How much?') === 'How much?',
    );
  }
  const before = await served();
  expect(before.map(({ status, waitingFor }) => [status, waitingFor])).toEqual(
    WAITS.map(({ for: wait }) => ['waiting', wait]),
  );
  stage.asked.length = 0;
  await stage.restart();
  expect(await served()).toEqual(before);
  // By the time that this mail is read, an objective that goes on would have asked as well.
  await stage.fetch(stage.mail('1', { thread: 'later', labels: ['Autopilot'], text: 'And pens?' }));
  await stage.reached(({ threads, waitingFor }) => threads[0]?.threadId === 'later' && waitingFor === 'answer');
  expect(stage.asked.map(({ role, data }) => [role, data.includes('And pens?')])).toEqual([['intake', true]]);
  expect((await served()).slice(0, before.length)).toEqual(before);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ObjectiveStage, objectiveStage } from './players.ts';

const PLANNER = `id: planner
name: Planner
prompt:
  - { role: system, content: You are planner. }
  - { role: user, content: "Decide about:\\n{{thread}}" }
`;

let stage: ObjectiveStage;
beforeAll(async () => {
  stage = await objectiveStage(undefined, { files: { 'agents/planner.yaml': PLANNER } });
});
afterAll(() => stage.close());
beforeEach(() => (stage.asked.length = 0));

const waits = { action: 'waitForReply', reason: 'Ann has to answer' };
const nothing = { summary: 'Mails.', dates: [], names: [], openQuestions: [], wishes: [] };
/** Mails after which the oldest one is not read whole any more. */
const MORE = 6;
const written = (n: number) => `Date: ${new Date(Date.UTC(2026, 9, 1, 9, n)).toUTCString()}`;

test('{{thread}} holds the whole thread, oldest first, also where it has many mails', async () => {
  stage.answer = (role) => (role === 'intake' ? { ...nothing, userQuery: 'Sum it up' } : waits);
  const mails = Array.from({ length: 60 }, (_, n) =>
    stage.mail(String(n), {
      ...{ thread: 'many', headers: [written(n)], text: `This is fact ${n}.` },
      labels: n === 59 ? ['Autopilot'] : [],
    }),
  );
  await stage.fetch(...mails);
  const { id } = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Sum it up', by: 'user' });
  await stage.reached(({ waitingFor }) => waitingFor === 'reply');
  const planner = stage.asked.findLast(({ role }) => role === 'planner');
  const text = planner?.request.messages.map(({ content }) => content).join('\n') ?? '';
  const facts = [...text.matchAll(/This is fact (\d+)\./g)].map(([, n]) => Number(n));
  expect(facts).toEqual(Array.from({ length: 60 }, (_, n) => n));
  expect(text).not.toContain('older mails are left out');
});

test('of a thread that has grown too long for a model, facts and open questions of the oldest mails survive', async () => {
  // Intake keeps what it reads of them, in a mail or in the record of before.
  stage.answer = (role, data) => {
    if (role !== 'intake') return waits;
    const isKnown = (fact: string) => (data.includes(fact) ? [fact] : []);
    return {
      ...{ summary: isKnown('Ann has 500 sheets').join(' ') || 'Nothing.', wishes: [] },
      ...{ dates: isKnown('24 December'), names: isKnown('Ann Lee'), openQuestions: isKnown('Which colour?') },
      userQuery: 'Get the paper',
    };
  };
  const filling = 'Words that say nothing. '.repeat(400);
  const first = `An offer of paper. ${filling} Ann has 500 sheets. Ann Lee sells them until 24 December. Which colour?`;
  await stage.fetch(stage.mail('first', { thread: 'long', text: first, headers: [written(0)], labels: ['Autopilot'] }));
  const isHere = (threads: readonly { readonly threadId: string }[]) => threads[0]?.threadId === 'long';
  const { id } = await stage.reached((one) => isHere(one.threads) && one.waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Get the paper', by: 'user' });
  const before = await stage.reached((one) => one.id === id && one.waitingFor === 'reply');
  for (let n = 1; n <= MORE; n++) {
    stage.asked.length = 0;
    await stage.fetch(stage.mail(`more${n}`, { thread: 'long', text: `${filling}Mail ${n}.`, headers: [written(n)] }));
    await stage.reached(({ wakes, waitingFor }) => wakes === before.wakes + n && waitingFor === 'reply');
  }
  const [intake] = stage.asked.filter(({ role }) => role === 'intake');
  expect(intake?.data).toContain(`Mail ${MORE}.`);
  // It reads what is new; the planner reads the beginning of what is old, too.
  expect(intake?.data).toContain('the summary has what they say');
  expect(intake?.data).not.toContain(`Mail ${MORE - 1}.`);
  const { messages = [] } = stage.asked.findLast(({ role }) => role === 'planner')?.request ?? {};
  const planner = messages.map(({ content }) => content).join('\n');
  expect(planner).toContain('An offer of paper.');
  expect(planner).not.toContain('sells them until');
  expect(planner.length).toBeLessThan(70_000);
  expect(await stage.objective(id)).toMatchObject({
    summary: 'Ann has 500 sheets',
    constraints: { dates: ['24 December'], names: ['Ann Lee'], openQuestions: ['Which colour?'] },
  });
});

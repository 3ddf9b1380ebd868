import { afterEach, describe, expect, test } from 'vitest';
import { type ObjectiveStage, objectiveStage } from '../../run/pursuit/players.ts';
import { replayRuns } from './replay-runs.ts';

let stage: ObjectiveStage;
afterEach(() => stage.close());

const intake = { summary: 'Ann offers paper.', dates: ['2026-12-01'], names: ['Ann'], openQuestions: [], wishes: [] };
const same = { differences: [], leftOut: [], total: 1 };

/** An objective that a label has begun, which asks what the user wants, and whose draft then lies in Drafts. */
async function drafted(): Promise<string> {
  stage = await objectiveStage();
  stage.answer = (role) => {
    if (role === 'intake') return { ...intake, userQuery: 'Accept the offer' };
    if (role === 'planner') return { action: 'draft', reason: 'Ann waits', instructions: 'accept' };
    return 'Dear Ann, we accept.';
  };
  // By itself: of two mails in one fetch the other may be stored first, and this one would wake the objective.
  await stage.fetch(stage.mail('0', { text: 'Good day.' }));
  await stage.fetch(stage.mail('1', { labels: ['Autopilot'], text: 'We offer paper.' }));
  const { id } = await stage.reached(({ waitingFor }) => waitingFor === 'answer');
  await stage.app.engine.message(id, { text: 'Accept it, but ask for a discount', by: 'user' });
  await stage.reached(({ waitingFor }) => waitingFor === 'draft');
  return id;
}

describe('an objective, replayed under its own config, has no difference', () => {
  test('where its draft waits in Drafts, and where the user has ended it then', async () => {
    const id = await drafted();
    expect(await replayRuns(stage, [id])).toEqual(same);
    await stage.app.engine.orderObjective(id, { type: 'FINISH', by: 'user' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(await replayRuns(stage, [id])).toEqual(same);
  });

  test('where the user has cancelled it', async () => {
    const id = await drafted();
    await stage.app.engine.cancel(id);
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled' });
    expect(await replayRuns(stage, [id])).toEqual(same);
  });

  test('where a message began it, a tool was called, and the planner has finished it', async () => {
    stage = await objectiveStage();
    const actions = [
      { action: 'callTool', reason: 'notes', tool: 'workspace_add_item', arguments: '{"label":"a","data":"x"}' },
      { action: 'askUser', reason: 'to be sure', question: 'Is that all?' },
      { action: 'finish', reason: 'done', result: 'All is well.' },
    ];
    stage.answer = (role) => (role === 'intake' ? intake : (actions.shift() ?? {}));
    const id = await stage.begin('autopilot', 'Take a note');
    await stage.reached(({ waitingFor }) => waitingFor === 'answer');
    await stage.app.engine.message(id, { text: 'Yes', by: 'user' });
    expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
    expect(await replayRuns(stage, [id])).toEqual(same);
  });
});

test('another prompt of a role of an objective is reported as another request', async () => {
  const id = await drafted();
  stage.write({
    'agents/planner.yaml':
      'id: planner\nname: Planner\nprompt: [{ role: system, content: You are planner. Be quick. }]\n',
  });
  const { differences } = await replayRuns(stage, [id]);
  expect(differences).toEqual([
    expect.stringMatching(/^requests: agent planner asks openai test something else: message 2/),
  ]);
});

test('an objective that a reply has woken is left out, and the report says why', async () => {
  const id = await drafted();
  await stage.fetch(stage.mail('2', { text: 'By the way.' }));
  await stage.reached(
    ({ status, history }) => status === 'waiting' && history.filter(({ kind }) => kind === 'wake').length > 1,
  );
  const why = expect.stringContaining('woken or paused by more than answers of a person');
  expect(await replayRuns(stage, [id])).toEqual({ differences: [], leftOut: [{ name: id, why }], total: 0 });
});

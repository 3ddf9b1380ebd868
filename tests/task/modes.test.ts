import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPlan } from '../../engine/src/run/plan/plan-record.ts';
import { readTaskRow, type Task, viewTask } from '../../engine/src/task/task.ts';
import { type ObjectiveStage, objectiveStage } from '../run/pursuit/players.ts';

let stage: ObjectiveStage;
const desk =
  'id: desk\nname: Desk\nmode: plan\napiConfigId: main\nprompt: [{ role: system, content: You are desk. }]\n';
beforeEach(async () => {
  stage = await objectiveStage(undefined, { files: { 'directors/desk.yaml': desk } });
  stage.app.notices.start();
});
afterEach(() => stage.close());

const view = async (id: string) => viewTask(stage.app.deps, await readTaskRow(stage.app.deps.store, id));

async function until(id: string, state: (task: Task) => boolean): Promise<Task> {
  let task = await view(id);
  await expect.poll(async () => state((task = await view(id)))).toBe(true);
  return task;
}

test('a task begins an objective, whose wish is the task, and shows what it waits for', async () => {
  stage.answer = (role) => {
    if (role === 'intake') return { summary: 'x', dates: [], names: [], openQuestions: [], wishes: [] };
    return { action: 'askUser', reason: 'unclear', question: 'Which offer?' };
  };
  const { id } = await stage.app.tasks.add({ title: 'Accept the offer', assignedTo: 'autopilot' }, 'jane');
  const { runId = '', status } = await until(id, ({ waitingFor }) => waitingFor === 'answer');
  expect(status).toBe('running');
  expect(await stage.objective(runId)).toMatchObject({ userQuery: 'Task: Accept the offer', question: 'Which offer?' });
  await stage.app.tasks.cancel(id);
  expect(await view(id)).toMatchObject({ status: 'cancelled' });
  expect(await stage.objective(runId)).toMatchObject({ status: 'done', outcome: 'cancelled' });
});

test('a task is planned, and ends with the answer of the plan', async () => {
  const plan = {
    ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
    steps: [{ title: 'Look around', task: 'Look around.', tool: 'none' }],
  };
  stage.answer = (_role, data) => (data.startsWith('The wish of the user:\n\nTask: Tidy up') ? plan : 'All is tidy.');
  const { id } = await stage.app.tasks.add({ title: 'Tidy up', assignedTo: 'desk' }, 'jane');
  const task = await until(id, ({ status }) => status !== 'pending' && status !== 'running');
  expect(task).toMatchObject({ status: 'completed' });
  expect(await readPlan(stage.app.deps.store, task.runId ?? '')).toBeDefined();
});

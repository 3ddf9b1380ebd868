/**
 * Measures what a waiting objective costs: memory of the process, model requests, and open resources such as timers and connections.
 * Objectives wait for a reply; the app is opened anew and rests before each reading, so that it holds what waiting needs and nothing
 * else. `node bench/durable/objectives.ts [--json] [--objectives=500]`.
 */
import { objectiveStage } from '../../tests/run/pursuit/players.ts';
import { collectGarbage, numberArgument, print } from './figures.ts';

const objectives = numberArgument('objectives', 500);
/** Objectives before the first reading, so that code is compiled and caches are full. */
const WARM = 10;
const REST_MS = 1000;

const stage = await objectiveStage();
stage.answer = (role) =>
  role === 'intake'
    ? { summary: 'Nothing yet.', dates: [], names: [], openQuestions: [], wishes: [] }
    : { action: 'waitForReply', reason: 'Ann has to answer' };

/** Adds waiting objectives, opens the app anew, and reads what it holds at rest. */
async function withMore(count: number) {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await stage.begin('autopilot', `Get answer ${n}`));
  for (const id of ids) await stage.until(id, ({ status }) => status === 'waiting');
  await stage.restart();
  stage.asked.length = 0;
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  return { memory: heapUsed + external, resources, requests: stage.asked.length };
}

try {
  await withMore(WARM);
  const few = await withMore(objectives);
  const many = await withMore(objectives);
  print('objectives', {
    objectives,
    bytesPerWaitingObjective: Math.round((many.memory - few.memory) / objectives),
    openResourcesMore: many.resources - few.resources,
    modelRequests: many.requests,
  });
} finally {
  await stage.close();
}

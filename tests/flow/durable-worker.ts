/**
 * The process that the durability loop kills: runs with agents that share sessions, a model that answers at random, fails
 * and limits, tools that act on a world outside, reminders that fall due, a person who decides, and somebody who cancels.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../engine/src/base/log.ts';
import { openApp } from '../../engine/src/app/app.ts';
import { OPEN_STATUSES } from '../../engine/src/run/run.ts';
import { chance, doomedProbe, given, someTime } from './doomed.ts';
import { World, worldTools } from './outside-world.ts';
import { People } from './people.ts';
import { jobRecogniser, watchedModels } from './private-jobs.ts';
import { randomModels } from './random-model.ts';

const root = given('ROOT');
const latencyMs = Number(given('LATENCY_MS'));
const isControl = process.env['NO_DEDUPE'] === '1';
const isLastLife = process.env['DRAIN'] === '1';
/** The tool within which this life is to die: the model calls it and nothing else, and nobody cancels. */
const fatalTool = process.env['KILL_TOOL'];
const probe = doomedProbe(process.env);
const world = new World(join(root, 'world'));
const pause = () => someTime(latencyMs);
/** What happens in each life that goes on for long enough, so also in the last one. */
const due = new Set(isControl || fatalTool !== undefined ? [] : ['reminder_create', 'notify', 'memory_add', 'pay']);

const app = await openApp({
  configDir: join(root, 'config'),
  dataDir: join(root, 'data'),
  env: () => 'sk-test-key',
  log: silentLogger,
  watch: false,
  models: watchedModels(randomModels({ pause, fails: !isControl, favourite: fatalTool, due }), join(root, 'leaks')),
  recogniser: jobRecogniser,
  probe,
  tools: worldTools({
    world,
    dedupes: !isControl,
    pause,
    // In the control every death must fall on an effect that is taken twice; `fire` never is.
    happened: (tool) => {
      if (fatalTool === undefined ? !isControl || tool !== 'fire' : tool === fatalTool) probe('in-effect');
    },
  }),
});
const { store } = app.deps;
const people = new People(app, world, { neglected: isControl ? 0 : 1 });
const resumed = await app.engine.start();
// The schedule is due in every life.
for (const { director } of await store.list('schedule'))
  await store.apply([{ op: 'update', table: 'schedule', key: { director }, set: { due: 1 } }]);
app.notices.start();
app.memory.start();
appendFileSync(join(root, 'lives.jsonl'), `${JSON.stringify({ resumed })}\n`);
process.stdout.write('ready\n');

const began = people.beginRuns(Number(given('RUNS')));
for (;;) {
  await someTime(25);
  await people.decideSome();
  if (!isControl && !isLastLife && fatalTool === undefined && chance(0.12)) await people.cancelOne();
  if (!isLastLife) continue;
  await began;
  const open = await store.count('run', [['status', 'in', [...OPEN_STATUSES]]]);
  const due = await store.count('task', [['status', '=', 'pending']]);
  if (open + due + (await store.count('reminder', [['status', '=', 'open']])) === 0) break;
}
await app.memory.idle();
// What was cancelled may still happen outside: wait for it, so that all is on record.
await someTime(4 * latencyMs);
await app.close();

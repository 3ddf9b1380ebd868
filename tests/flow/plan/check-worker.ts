/**
 * The process that dies while the last check of a plan reads the calendar: at pass number `KILL_AFTER` of the point `KILL_POINT`, counted
 * from the answer of the synthesis on. Its model claims a meeting that nobody has scheduled.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { openApp } from '../../../engine/src/app/app.ts';
import { createRun } from '../../../engine/src/run/lifecycle/create.ts';
import { OPEN_STATUSES } from '../../../engine/src/run/run.ts';
import type { ModelRequest } from '../../../engine/src/model/model.ts';
import { nextTry } from '../../next-try.ts';
import { playModels } from '../../run/harness.ts';
import { doomedProbe, given } from '../doomed.ts';

const root = given('ROOT');
const die = doomedProbe(process.env);
let isAnswered = false;

const PLAN = JSON.stringify({
  ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
  steps: [{ title: 'Think', task: 'Think about it.', tool: 'none' }],
});

/** Notes who asks the model, and answers. */
function answer({ messages }: ModelRequest): string {
  const system = messages.map(({ role, content }) => (role === 'system' ? content : '')).join('\n');
  const role = /You are the (\w+)/.exec(system)?.[1] ?? 'synthesis';
  appendFileSync(join(root, 'asked'), `${role}\n`);
  isAnswered = role === 'synthesis';
  if (role === 'planner') return PLAN;
  return role === 'synthesis' ? 'Your lunch is scheduled for tomorrow. Ann likes soup.' : 'Ann likes soup.';
}

const app = await openApp({
  configDir: join(root, 'config'),
  dataDir: join(root, 'data'),
  env: () => 'sk-test-key',
  log: silentLogger,
  watch: false,
  models: playModels((request) => ({ content: answer(request) })),
  probe: (point) => {
    if (isAnswered) die(point);
  },
});
const { store } = app.deps;
await app.engine.start();
if (process.env['DRAIN'] !== '1') {
  const { changes } = await createRun(app.deps, {
    ...{ config: app.config.current(), directorId: 'desk', startedBy: 'test' },
    trigger: { kind: 'message', message: 'what about lunch?' },
  });
  await store.apply(changes);
  app.engine.queued();
}
process.stdout.write('ready\n');
for (let tries = 0; (await store.count('run', [['status', 'in', [...OPEN_STATUSES]]])) > 0; tries++)
  await nextTry(tries);
await app.close();

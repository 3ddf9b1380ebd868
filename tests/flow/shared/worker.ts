/**
 * One of the processes that the loop on a shared store kills. A `worker` has no config folder: all it needs is in the
 * database; a `start` also decides the config and fetches mail, as far as no other process does.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { createLogger } from '../../../engine/src/base/log.ts';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import { openApp } from '../../../engine/src/app/app.ts';
import { openSharedStore } from '../../../engine/src/app/shared-store.ts';
import { doomedProbe, given, someTime } from '../doomed.ts';
import { World, worldTools } from '../outside-world.ts';
import { randomModels } from '../random-model.ts';

const root = given('ROOT');
const isStart = given('ROLE') === 'start';
const latencyMs = Number(given('LATENCY_MS'));
const isControl = process.env['NO_DEDUPE'] === '1';
/** The tool within which this life is to die: the model calls it and nothing else. */
const fatalTool = process.env['KILL_TOOL'];
const probe = doomedProbe(process.env);
const pause = () => someTime(latencyMs);
const redactor = createRedactor();
const write = (line: string) => process.stderr.write(line);
const log = createLogger({ write, clock: systemClock, redactor, level: 'debug', json: false, color: false });
const env = (name: string) => (name === 'KEY' ? 'sk-test-key' : undefined);
const dataDir = join(root, `data-${given('SLOT')}`);

const storeHandle = await openSharedStore({
  ...{ url: given('DATABASE_URL'), env, log, redactor, version: '0' },
  ...(isStart && { ownDir: dataDir }),
});
const app = await openApp({
  configDir: isStart ? join(root, 'config') : join(root, 'none'),
  dataDir,
  env,
  log,
  redactor,
  storeHandle,
  role: isStart ? 'start' : 'worker',
  models: randomModels({ pause, fails: !isControl, favourite: fatalTool }),
  probe,
  tools: worldTools({
    world: new World(join(root, 'world')),
    dedupes: !isControl,
    pause,
    isPrompt: process.env['PROMPT'] === '1',
    happened: (tool) => {
      if (fatalTool === undefined ? !isControl || tool !== 'fire' : tool === fatalTool) probe('in-effect');
    },
  }),
});
// The process freezes between two turns of the event loop. In one turn, the engine checks that it holds the run and a prompt
// tool acts. A process that is stopped between the two acts when it goes on, after another process has acted, and only a key
// at the far side prevents that.
process.on('SIGUSR2', () => {
  writeSync(1, 'freezes\n');
  process.kill(process.pid, 'SIGSTOP');
  writeSync(1, 'goes on\n');
});
process.once('SIGTERM', () => void app.close({ graceMs: 1000 }).then(() => process.exit(0)));
await app.start();
if (isStart) {
  app.fetcher.start();
  app.retention.start();
  app.notices.start();
  app.memory.start();
}
process.stdout.write(`ready ${storeHandle.shared?.worker}\n`);

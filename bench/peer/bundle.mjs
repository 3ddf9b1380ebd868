// Makes the bundle of `driver.ts` as an installation makes that of the engine: after one run with one tool call.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleEngine } from '../../scripts/engine-bundle.mjs';
import { openModelServer } from '../gate/model-server.ts';
import { task } from '../gate/task.ts';

const [manifest] = process.argv.slice(2);
await bundleEngine({ rolldown }, { input: 'bench/peer/driver.ts', prefix: 'peer-', manifest, warmUp: runOnce });

async function runOnce(load) {
  const model = await openModelServer();
  const dir = mkdtempSync(join(tmpdir(), 'callsheet-peer-'));
  const driver = await load('driver.cjs').create({ baseURL: model.baseURL, dir, common: task });
  await driver.run('warm-up', 1);
  await driver.close();
  model.close();
  rmSync(dir, { recursive: true });
}

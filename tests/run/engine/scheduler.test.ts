import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import type { Dependencies } from '../../../engine/src/run/dependencies.ts';
import { Scheduler } from '../../../engine/src/run/engine/scheduler.ts';
import { STORE_RETRY_MS } from '../../../engine/src/store/outage.ts';

test('a run that is queued while the store is being looked at is not forgotten', async () => {
  const looks: ((ids: string[]) => void)[] = [];
  const store = {
    list: () => new Promise((resolve) => looks.push((ids) => resolve(ids.map((id) => ({ id }))))),
  };
  const config = { current: () => ({ settings: { runs: { concurrency: 2 } } }) };
  const begun: string[] = [];
  const scheduler = new Scheduler({ store, config, log: silentLogger } as unknown as Dependencies, async (id) => {
    begun.push(id);
    return true;
  });
  scheduler.queued();
  expect(looks).toHaveLength(1);
  // The look has begun before this run was there, and comes back empty.
  scheduler.queued();
  looks[0]?.([]);
  await expect.poll(() => looks.length).toBe(2);
  looks[1]?.(['run_1']);
  await expect.poll(() => begun).toEqual(['run_1']);
});

test('queued runs are started though the store refuses to list them once', async () => {
  const clock = new SimulatedClock();
  const answers = [Promise.reject(new EngineError('STORE_FAILED', 'away')), Promise.resolve([{ id: 'run_1' }])];
  answers[0]?.catch(() => {});
  let looks = 0;
  const store = { list: () => answers[looks++] ?? Promise.resolve([]) };
  const config = { current: () => ({ settings: { runs: { concurrency: 2 } } }) };
  const begun: string[] = [];
  const deps = { store, config, clock, log: silentLogger } as unknown as Dependencies;
  const scheduler = new Scheduler(deps, async (id) => {
    begun.push(id);
    return true;
  });
  scheduler.queued();
  await expect.poll(() => looks).toBe(1);
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(STORE_RETRY_MS);
  await expect.poll(() => begun).toEqual(['run_1']);
  scheduler.stop();
});

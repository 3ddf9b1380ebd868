import { expect, test } from 'vitest';
import { silentLogger } from '../../../engine/src/base/log.ts';
import type { Dependencies } from '../../../engine/src/run/dependencies.ts';
import { Scheduler } from '../../../engine/src/run/engine/scheduler.ts';

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

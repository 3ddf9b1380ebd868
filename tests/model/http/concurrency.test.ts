import { expect, test } from 'vitest';
import { createConcurrency } from '../../../engine/src/model/http/concurrency.ts';

test('places are given in the order of asking, as they become free', async () => {
  const slots = createConcurrency(1);
  const order: string[] = [];
  const first = await slots.acquire({});
  const rest = ['b', 'c'].map(async (name) => {
    const release = await slots.acquire({});
    order.push(name);
    release();
  });
  first();
  await Promise.all(rest);
  expect(order).toEqual(['b', 'c']);
});

test('one that gives up its turn leaves no gap', async () => {
  const slots = createConcurrency(1);
  const first = await slots.acquire({});
  const controller = new AbortController();
  const gone = slots.acquire({ signal: controller.signal });
  const next = slots.acquire({});
  const reason = new Error('not needed');
  controller.abort(reason);
  await expect(gone).rejects.toBe(reason);
  first();
  (await next)();
  await expect(slots.acquire({})).resolves.toBeTypeOf('function');
});

test('giving a place back twice frees it once', async () => {
  const slots = createConcurrency(1);
  const first = await slots.acquire({});
  first();
  first();
  await slots.acquire({});
  let isTaken = false;
  void slots.acquire({}).then(() => (isTaken = true));
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
});

import { expect, test } from 'vitest';
import { createConcurrency } from '../../../engine/src/model/http/concurrency.ts';

test('places are given in the order of asking, as they become free', async () => {
  const slots = createConcurrency(1);
  const order: string[] = [];
  const first = await slots.take({});
  const rest = ['b', 'c'].map(async (name) => {
    const release = await slots.take({});
    order.push(name);
    release();
  });
  first();
  await Promise.all(rest);
  expect(order).toEqual(['b', 'c']);
});

test('one that gives up its turn leaves no gap', async () => {
  const slots = createConcurrency(1);
  const first = await slots.take({});
  const controller = new AbortController();
  const gone = slots.take({ signal: controller.signal });
  const next = slots.take({});
  const reason = new Error('not needed');
  controller.abort(reason);
  await expect(gone).rejects.toBe(reason);
  first();
  (await next)();
  await expect(slots.take({})).resolves.toBeTypeOf('function');
});

test('giving a place back twice frees it once', async () => {
  const slots = createConcurrency(1);
  const first = await slots.take({});
  first();
  first();
  await slots.take({});
  let isTaken = false;
  void slots.take({}).then(() => (isTaken = true));
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
});

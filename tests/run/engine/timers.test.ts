import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { ModelError } from '../../../engine/src/model/model-error.ts';
import { playModels, setStage } from '../harness.ts';

/** A clock whose next `early` readings are a millisecond behind: the timers of Node may fire that early. */
class EarlyClock extends SimulatedClock {
  early = 0;

  override now(): number {
    return super.now() - (this.early-- > 0 ? 1 : 0);
  }
}

test.each([1, 2, 3, 4, 5, 6])(
  'a timer that falls due while due timers are looked for is not passed over (after %i readings of the clock)',
  async (early) => {
    const clock = new EarlyClock();
    let requests = 0;
    const models = playModels(() => {
      if (requests++ > 0) return { content: 'Done.' };
      throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 20_000 });
    });
    const stage = await setStage({ models, clock });
    try {
      const id = await stage.begin();
      await stage.until(id, ({ status }) => status === 'waiting');
      const { store } = stage.app.deps;
      const [timer] = await store.list('timer', { order: [['due', 'asc']], limit: 1, bodies: false });
      const leftMs = timer!.due - clock.now();
      clock.early = early;
      clock.advance(leftMs);
      for (let n = 0; n < 100; n++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (n % 10 === 9) clock.advance(1);
      }
      expect(await stage.run(id)).toMatchObject({ status: 'completed' });
    } finally {
      await stage.close();
    }
  },
);

test('more timers that are due at once than may fire at once all fire', async () => {
  const clock = new SimulatedClock();
  let isLimited = true;
  const models = playModels(() => {
    if (!isLimited) return { content: 'Done.' };
    throw new ModelError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 20_000 });
  });
  const count = 230;
  const files = { 'settings.yaml': `runs: { concurrency: 64 }\n` };
  const stage = await setStage({ models, clock, files });
  try {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await stage.begin());
    for (const id of ids) await stage.until(id, ({ status }) => status === 'waiting');
    isLimited = false;
    clock.advance(20_000);
    for (const id of ids) expect(await stage.ended(id)).toMatchObject({ status: 'completed' });
  } finally {
    await stage.close();
  }
});

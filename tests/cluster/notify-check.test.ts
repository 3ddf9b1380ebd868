import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../engine/src/base/clock.ts';
import { requireNotify } from '../../engine/src/cluster/notify-check.ts';
import { startPglite } from '../postgres.ts';

let lite: Awaited<ReturnType<typeof startPglite>>;
beforeAll(async () => {
  lite = await startPglite();
});
afterAll(() => lite.stop());

test('a database is taken where what is sent comes back', async () => {
  await requireNotify(lite.database, systemClock);
});

test('a database behind a pooler that swallows messages is refused with what to do', async () => {
  const clock = new SimulatedClock();
  const notify = async () => clock.advance(60_000);
  const refused = requireNotify({ listen: async () => ({ close: async () => {} }), notify }, clock);
  await expect(refused).rejects.toMatchObject({ code: 'STORE_FAILED', hint: expect.stringContaining('session mode') });
});

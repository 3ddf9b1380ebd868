/** A worker of its own: it tells of each look, and of what it sees of it when it comes to life after it was frozen. */
import { systemClock } from '../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../engine/src/base/log.ts';
import { createPgBossQueue } from '../../../engine/src/cluster/queue/pg-boss-queue.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';

const FROZEN_MS = 5_000;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const database = openPg(process.env['DATABASE_URL'] ?? '');
const queue = await createPgBossQueue({ database, clock: systemClock, log: silentLogger });
await queue.work(
  async (job) => {
    // Before the test hears of the look: it may freeze us at once.
    let last = performance.now();
    say({ run: job.runId, job: job.jobId });
    while (!job.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const now = performance.now();
      if (now - last > FROZEN_MS) say({ thawed: job.runId, isHeld: job.isHeld() });
      last = now;
    }
    say({ lost: job.runId, isHeld: job.isHeld() });
  },
  () => 1,
);
say({ ready: true });

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { forPostgres, isFull, longPostgres } from '../../available.ts';
import { startPostgres } from '../../postgres.ts';
import { describeKills, drain, killCount, killLoop } from '../kill-loop.ts';
import { dropOrder, prepare, testOutcome } from './orders.ts';

/** Objectives at least; a new one begins in each life. */
const MAILS = 12;

/** The stores of the loop; `open` gives what is there after it. */
const PLACES = [
  {
    ...{ name: 'a data folder', kills: killCount(4, 30, isFull), isWanted: true, lifeMs: 500, idleMs: 3000 },
    async open(root: string) {
      return { env: {}, store: async () => openSqlite({ dir: join(root, 'data') }), close: async () => {} };
    },
  },
  {
    ...{ name: `PostgreSQL${forPostgres}`, kills: killCount(2, 4, isFull), isWanted: longPostgres !== undefined },
    // A process takes up the work of a dead one after 20 seconds.
    ...{ lifeMs: 2500, idleMs: 40_000 },
    async open() {
      const server = await startPostgres();
      const url = await server.createDatabase();
      const database = openPg(url);
      const close = async () => {
        await database.close();
        await server.remove();
      };
      return { env: { DATABASE_URL: url }, store: () => openPostgres({ database }), close };
    },
  },
];

for (const { name, kills: count, isWanted, lifeMs, idleMs, open } of PLACES)
  describe.skipIf(!isWanted)(`a process that is killed ${count} times while it pursues objectives, on ${name}`, () => {
    const root = mkdtempSync(join(tmpdir(), 'callsheet-objective-crash-'));
    let store: Store;
    let dropped = 0;
    let ground: Awaited<ReturnType<typeof open>>;

    const mails = Math.max(MAILS, count);

    beforeAll(
      async () => {
        prepare(root);
        ground = await open(root);
        const env = { ROOT: root, LATENCY_MS: '10', MAILS: String(mails), ...ground.env };
        const kills = await killLoop({
          ...{ worker: 'objective/worker.ts', kills: count, env, lifeMs, idleMs, maxPasses: 25 },
          points: ['before-commit', 'after-commit', 'after-effect'],
          onLife(n) {
            for (; dropped < (mails * (n + 1)) / count; dropped++) dropOrder(root, dropped);
          },
        });
        await drain('objective/worker.ts', { ...env, LATENCY_MS: '2' });
        store = await ground.store();
        process.stderr.write(`loop of objectives on ${name}: ${describeKills(kills)}\n`);
      },
      count * 45_000 + 120_000,
    );

    afterAll(async () => {
      await store?.close();
      await ground?.close();
      rmSync(root, { recursive: true, force: true });
    });

    testOutcome(() => ({ store, root, mails }));
  });

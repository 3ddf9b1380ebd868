import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { forPostgres, longPostgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { startWorker, workerOf } from '../kill-loop.ts';
import { dropOrder, prepare, testOutcome } from './orders.ts';

const MAILS = 9;
const PROCESSES = 3;
const LIMIT_MS = 240_000;

describe.skipIf(longPostgres === undefined)(
  `three processes that fetch mail and pursue objectives on one PostgreSQL database${forPostgres}`,
  () => {
    const root = mkdtempSync(join(tmpdir(), 'callsheet-objective-shared-'));
    let server: PostgresServer;
    let store: Store;
    let close = async () => {};
    /** Model requests of each process. */
    let requests: number[] = [];

    beforeAll(async () => {
      prepare(root);
      server = await startPostgres();
      const url = await server.createDatabase();
      const shared = { ROOT: root, LATENCY_MS: '30', MAILS: String(MAILS), DATABASE_URL: url, DRAIN: '1' };
      const program = await workerOf('objective/worker.ts');
      const workers = Array.from({ length: PROCESSES }, (_, n) =>
        startWorker(program, { ...shared, DATA: `data${n}` }),
      );
      const timer = setTimeout(() => workers.forEach(({ process }) => process.kill('SIGKILL')), LIMIT_MS);
      await Promise.race([
        Promise.all(workers.map(({ ready }) => ready)),
        Promise.all(workers.map(({ exit }) => exit)),
      ]);
      for (let n = 0; n < MAILS; n++) dropOrder(root, n);
      for (const { exit, output } of workers) {
        const { code, signal } = await exit;
        if (code !== 0) throw new Error(`a worker did not end (code ${code}, signal ${signal}):\n${output()}`);
      }
      clearTimeout(timer);
      requests = workers.map(({ output }) => Number(/^(\d+) requests$/m.exec(output())?.[1]));
      const database = openPg(url);
      store = await openPostgres({ database });
      close = () => store.close().then(() => database.close());
    }, LIMIT_MS + 60_000);

    afterAll(async () => {
      await close();
      await server?.remove();
      rmSync(root, { recursive: true, force: true });
    });

    test('has work for each of them', () => {
      expect(requests.filter((count) => count > 0)).toHaveLength(PROCESSES);
    });

    testOutcome(() => ({ store, root, mails: MAILS }));
  },
);

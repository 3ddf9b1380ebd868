import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { forPostgres, isFull, longPostgres } from '../../available.ts';
import { bundled } from '../../flow/bundled.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { filledFolder, lost } from './endpoints.ts';

const ROWS = 40;
const LENGTH = 2000;
const KILLS = isFull ? 40 : 2;
const PROCESS = 'store/move/move-process.ts';

/** How long a move took when nobody interfered, in milliseconds: the newest time, since the machine may be busy or not. */
let spentMs = 0;

/** Runs the process and kills it so many milliseconds after it began; true where it was faster. */
async function runFor(ms: number, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [await bundled(PROCESS), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  await once(child.stdout, 'data');
  const began = performance.now();
  await Promise.race([wait(ms), closed]);
  child.kill('SIGKILL');
  const [code] = await closed;
  if (code !== 0) return false;
  spentMs = performance.now() - began;
  return true;
}

/** How long the work takes when nobody interferes. */
async function timeOf(...args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [await bundled(PROCESS), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  const began = performance.now();
  await closed;
  return performance.now() - began;
}

describe.skipIf(longPostgres === undefined)(
  `a move that is killed ${KILLS} times half way, there and back${forPostgres}`,
  () => {
    let root: string;
    let filled: string;
    let server: PostgresServer;
    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'callsheet-move-'));
      filled = await filledFolder(root, undefined, ROWS, LENGTH);
      server = await startPostgres();
    }, 60_000);
    afterAll(async () => {
      await server.remove();
      rmSync(root, { recursive: true, force: true });
    });

    /** Opens a store and looks at it; the code of what that is refused with, where it is. */
    async function look(
      open: () => Promise<Store> | Store,
      isWhole: boolean,
    ): Promise<{ code: string; faults: string[] }> {
      try {
        const store = await open();
        const faults = isWhole ? await lost(store, ROWS, LENGTH) : [];
        await store.close();
        return { code: '', faults };
      } catch (error) {
        return { code: (error as { code: string }).code, faults: [] };
      }
    }

    async function lookIn(url: string, isWhole = false): ReturnType<typeof look> {
      const database = openPg(url);
      try {
        return await look(() => openPostgres({ database }), isWhole);
      } finally {
        await database.close();
      }
    }

    const lookAt = (dir: string, isWhole = false) => look(() => openSqlite({ dir }), isWhole);

    test(
      'goes on where it was, and in the end everything is there once',
      async () => {
        const timed = mkdtempSync(join(root, 'timed-'));
        cpSync(filled, timed, { recursive: true });
        spentMs = await timeOf(timed, await server.createDatabase());
        const cuts = { there: 0, back: 0 };
        for (let tries = 0; Math.min(cuts.there, cuts.back) < KILLS && tries < KILLS * 10; tries++) {
          const dir = mkdtempSync(join(root, 'there-'));
          const back = mkdtempSync(join(root, 'back-'));
          cpSync(filled, dir, { recursive: true });
          const url = await server.createDatabase();
          for (let n = 0; !(await runFor(Math.random() * spentMs * (1 + n / 4), dir, url)); n++) {
            const [old, fresh] = [await lookAt(dir), await lookIn(url)];
            if (fresh.code !== 'STORE_HALF_COPIED') continue;
            cuts.there++;
            expect(['STORE_MOVED', '']).toContain(old.code);
          }
          expect([(await lookAt(dir)).code, await lookIn(url, true)]).toEqual([
            'STORE_MOVED',
            { code: '', faults: [] },
          ]);
          for (let n = 0; !(await runFor(Math.random() * spentMs * (1 + n / 4), back, url, 'back')); n++) {
            const [old, fresh] = [await lookIn(url), await lookAt(back)];
            if (fresh.code !== 'STORE_HALF_COPIED') continue;
            cuts.back++;
            expect(['STORE_MOVED', '']).toContain(old.code);
          }
          expect([(await lookIn(url)).code, await lookAt(back, true)]).toEqual([
            'STORE_MOVED',
            { code: '', faults: [] },
          ]);
        }
        expect(Math.min(cuts.there, cuts.back)).toBeGreaterThanOrEqual(KILLS);
      },
      KILLS * 20_000 + 60_000,
    );
  },
);

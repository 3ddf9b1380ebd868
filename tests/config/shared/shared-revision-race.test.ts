import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { EngineError } from '../../../engine/src/base/error.ts';
import { sha256 } from '../../../engine/src/base/json.ts';
import type { StoredDocument } from '../../../engine/src/config/config.ts';
import { openPg } from '../../../engine/src/store/postgres/pool.ts';
import { openPostgres } from '../../../engine/src/store/postgres/postgres-store.ts';
import {
  createSharedRevisionStore,
  type SharedRevisionStore,
} from '../../../engine/src/config/shared/shared-revision-store.ts';
import type { Change, Store } from '../../../engine/src/store/store.ts';
import { forPostgres, isFull, longPostgres } from '../../available.ts';
import { type PostgresServer, startPostgres } from '../../postgres.ts';
import { joinedSignals } from '../../cluster/memory-signals.ts';

const DECISIONS = isFull ? 600 : 80;
const DAY_MS = 86_400_000;
/** So few texts that they are taken up again all the time, and so many that most belong to no revision meanwhile. */
const TEXTS = Array.from({ length: 15 }, (_, n) => `text ${n}`);

describe.skipIf(longPostgres === undefined)(`three processes on one database${forPostgres}`, () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.remove());

  test(
    'that decide, start runs and forget revisions at the same time lose no document that anybody needs',
    async () => {
      const url = await server.createDatabase();
      const stores: Store[] = [];
      const closing: (() => Promise<void>)[] = [];
      for (let i = 0; i < 3; i++) {
        const database = openPg(url);
        const store = await openPostgres({ database });
        stores.push(store);
        closing.push(async () => (await store.close(), await database.close()));
      }
      const [deciding, starting, sweeping] = stores as [Store, Store, Store];
      const claim = { name: 'config', worker: 'a', rev: 1, body: '{}' };
      await deciding.apply([{ op: 'insert', table: 'claim', row: claim }]);
      const [signals] = joinedSignals(1);
      const revisionsOf = (store: Store) =>
        createSharedRevisionStore({ store, clock: systemClock, signals: signals!, worker: 'a' });
      const decided: string[] = [];
      const started: string[] = [];
      const counts = { forgotten: 0, refused: 0 };
      let isDone = false;

      const decide = async () => {
        const revisions = revisionsOf(deciding);
        // On a busy machine the others may come late: decisions go on until each has done something.
        const isIdle = () => counts.forgotten === 0 || started.length === 0;
        for (let number = 1; number <= DECISIONS || (isIdle() && number < 20 * DECISIONS); number++) {
          const documents = randomDocuments();
          const revision = sha256([...documents].map(([name, { hash }]) => name + hash).join());
          // Old enough to be forgotten as soon as nobody has it.
          const at = systemClock.now() - 2 * DAY_MS;
          const facts = { number, at, revision, by: 'a', version: '1.0.0', states: [], problems: [] };
          await revisions.publish(facts, documents);
          decided.push(revision);
          // Else nothing would ever be forgotten: a removal fails where a decision is made meanwhile.
          await wait(Math.random() * 8);
          expect(await isWhole(revisions, revision)).toBe(true);
        }
        isDone = true;
      };
      const start = async () => {
        for (let n = 0; !isDone; n++) {
          // Each time a process that trusts nothing, with one of the last revisions.
          const revision = decided.at(-1 - Math.floor(Math.random() * 4));
          if (revision === undefined) {
            await new Promise(setImmediate);
            continue;
          }
          try {
            const kept = await revisionsOf(starting).keep(revision, new Map(), systemClock.now());
            await starting.apply([...kept, runOf(n, revision)]);
            started.push(revision);
            await wait(Math.random() * 200);
          } catch (error) {
            if (!(error instanceof EngineError) || error.code !== 'STORE_CONFLICT') throw error;
            counts.refused++;
          }
        }
      };
      const sweep = async () => {
        const revisions = revisionsOf(sweeping);
        while (!isDone) {
          const unused = new Set(await revisions.list());
          for (const { director } of await sweeping.list('run')) unused.delete(director);
          counts.forgotten += await revisions.forget([...unused]);
        }
      };
      await Promise.all([decide(), start(), sweep()]);

      const revisions = revisionsOf(deciding);
      for (const id of new Set([...started, decided.at(-1)!])) expect(await isWhole(revisions, id)).toBe(true);
      expect(new Map(Array.from(await revisions.loadGood(), ([name, { hash }]) => [name, hash]))).toEqual(
        (await revisions.loadRevision(decided.at(-1)!, () => false))?.hashes,
      );
      expect(counts.forgotten).toBeGreaterThan(0);
      expect(started.length).toBeGreaterThan(0);
      for (const close of closing) await close();
    },
    DECISIONS * 500 + 30_000,
  );
});

function randomDocuments(): Map<string, StoredDocument> {
  const names = ['agents/a', 'agents/b', 'agents/c'];
  const pick = () => TEXTS[Math.floor(Math.random() * TEXTS.length)]!;
  return new Map(
    names.map((name) => {
      const text = pick();
      return [name, { file: `config/${name}.yaml`, hash: sha256(text), text }];
    }),
  );
}

/** A run that is pinned to a revision, as far as this test looks: it stands where the director does. */
function runOf(n: number, revision: string): Change {
  const id = `run_${String(n).padStart(6, '0')}`;
  return { op: 'insert', table: 'run', row: { id, status: 'queued', director: revision, mail: '', body: '{}' } };
}

async function isWhole(revisions: SharedRevisionStore, id: string): Promise<boolean> {
  const stored = await revisions.loadRevision(id, () => false);
  return stored !== undefined && stored.documents.size === 3;
}

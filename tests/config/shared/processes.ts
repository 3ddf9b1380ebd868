import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import type { Clock } from '../../../engine/src/base/clock.ts';
import { type Fields, type Logger, silentLogger } from '../../../engine/src/base/log.ts';
import type { ConfigService, ToolCatalog } from '../../../engine/src/config/config.ts';
import type { SecretHosts } from '../../../engine/src/config/secrets.ts';
import { openSharedConfig } from '../../../engine/src/config/shared/shared-config.ts';
import { type Claims, createClaims } from '../../../engine/src/cluster/claims.ts';
import {
  CONFIG_CLAIM,
  createSharedRevisionStore,
  type SharedRevisionStore,
} from '../../../engine/src/config/shared/shared-revision-store.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { joinedSignals, type MemorySignals } from '../../cluster/memory-signals.ts';
import { env, type Files, catalog, makeFolder } from '../folder.ts';
import { nextTry } from '../../next-try.ts';

/** What one process of several has, all on one store. */
export interface Machine {
  readonly name: string;
  readonly dir: string;
  /** Stands still where the process is frozen. */
  readonly clock: SimulatedClock;
  readonly signals: MemorySignals;
  readonly claims: Claims;
  readonly revisions: SharedRevisionStore;
  readonly logged: { readonly message: string; readonly fields: Fields }[];
  /** Opens the config; `isFollower` where the process has no folder. */
  open(options?: OpenMachine): Promise<ConfigService>;
  /** Lets time go by here, and waits until what it brought about is done. */
  pass(ms: number): Promise<void>;
}

export interface OpenMachine {
  readonly isFollower?: boolean;
  readonly version?: string;
  readonly catalog?: ToolCatalog;
  readonly clock?: Clock;
  readonly watch?: boolean;
  readonly signal?: AbortSignal;
  readonly secretHosts?: SecretHosts;
}

/** An empty store in memory of the disk, closed when the test is done. */
export async function openStore(): Promise<Store> {
  const dir = await mkdtemp(join(tmpdir(), 'callsheet-share-'));
  const store = openSqlite({ dir, synchronous: 'NORMAL' });
  onTestFinished(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  return store;
}

/** Processes that share a store, each with a config folder of these files. */
export async function makeMachines(folders: readonly Files[], store?: Store): Promise<Machine[]> {
  const shared = store ?? (await openStore());
  const signals = joinedSignals(folders.length);
  return Promise.all(folders.map((files, i) => makeMachine(`host${i}`, files, shared, signals[i]!)));
}

async function makeMachine(name: string, files: Files, store: Store, signals: MemorySignals): Promise<Machine> {
  const { dir } = await makeFolder(files);
  const clock = new SimulatedClock();
  const logged: { message: string; fields: Fields }[] = [];
  const note = (message: string, fields: Fields = {}) => void logged.push({ message, fields });
  const log: Logger = { ...silentLogger, warn: note, error: note };
  const about = { host: name, pid: 1, version: '1.0.0' };
  const claims = createClaims({ store, clock, log, worker: name, about, signals });
  const revisions = createSharedRevisionStore({ store, clock, signals, worker: name });
  onTestFinished(() => claims.close());
  return {
    name,
    dir,
    clock,
    signals,
    claims,
    revisions,
    logged,
    async open({ isFollower = false, version = '1.0.0', watch = false, ...options }: OpenMachine = {}) {
      const leadership = {
        request: (listener: Parameters<Claims['acquire']>[1]) => claims.acquire(CONFIG_CLAIM, listener),
        check: () => claims.refresh(),
      };
      const common = { catalog, clock, ...options, dir, env, log, watch, version, by: name, revisionStore: revisions };
      const config = await openSharedConfig({ ...common, ...(!isFollower && { leadership }) });
      onTestFinished(() => config.close());
      return config;
    },
    async pass(ms) {
      clock.advance(ms);
      await claims.refresh();
      await settled();
    },
  };
}

/** Lets everything that is under way in this process come to its end, as far as it waits for no clock. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until something is so; what it waits for is work on files and the store, never a clock. */
export async function until(isSo: () => boolean, timeMs = 10_000): Promise<void> {
  const end = performance.now() + timeMs;
  for (let tries = 0; !isSo(); tries++) {
    if (performance.now() > end) throw new Error(`it never came to ${isSo.toString()}`);
    await nextTry(tries);
  }
}

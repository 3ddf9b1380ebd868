import { hostname } from 'node:os';
import { errorBody } from '../base/error.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createIds } from '../base/id.ts';
import type { Logger } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import { createPgBossQueue } from '../cluster/queue/pg-boss-queue.ts';
import type { Queue } from '../cluster/queue/queue.ts';
import { Liveness, workerClaim } from '../cluster/liveness.ts';
import type { ClusterDependencies } from '../run/dependencies.ts';
import { createClaims } from '../cluster/claims.ts';
import { requireNotify } from '../cluster/notify-check.ts';
import type { SqlDatabase } from '../store/postgres/sql-database.ts';
import { lockData } from '../store/sqlite/data-lock.ts';
import { checkIdentity } from '../store/postgres/pg-identity.ts';
import { openPg } from '../store/postgres/pool.ts';
import { passwordsIn, withoutPassword } from '../store/postgres/database-url.ts';
import { openPostgres } from '../store/postgres/postgres-store.ts';
import type { Store } from '../store/store.ts';
import { withApply } from '../store/with-apply.ts';
import { openSignals, type Signals } from '../cluster/signals.ts';
import { type StoreHandle, readKey } from './local-store.ts';

interface Options {
  readonly url: string;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly version: string;
  /** The data folder of this process, for its session key and server.json. */
  readonly ownDir?: string;
  readonly clock?: Clock;
  /** Replaces the database of the URL. */
  readonly database?: SqlDatabase;
  /** Called when the store rejects all further writes of this process until a restart. */
  readonly onOutdated?: () => void;
  /** True where a person has confirmed that another database is at the address now. */
  readonly acceptsNewStore?: boolean | undefined;
}

/** Closes resources in reverse order of opening. */
interface Closers {
  push(close: () => unknown): void;
  close(): Promise<void>;
}

/**
 * Opens a PostgreSQL database that several processes share, with its queue, signals and claims. `USAGE` for an invalid URL,
 * `STORE_*` if the database cannot be reached or used. No message contains the password.
 */
export async function openSharedStore(options: Options): Promise<StoreHandle> {
  const { url, log, redactor, version, ownDir, clock = systemClock, database = openPg(url, { log, clock }) } = options;
  for (const password of passwordsIn(url)) redactor.add(password);
  const lock = ownDir === undefined ? undefined : lockData(ownDir, log);
  const worker = createIds(clock).next('worker');
  const closers = createClosers();
  closers.push(() => lock?.release());
  closers.push(() => database.close());
  try {
    const { store, queue } = await openStoreWithQueue({ ...options, clock, database }, closers);
    const address = withoutPassword(url) ?? '';
    const { acceptsNewStore } = options;
    if (ownDir !== undefined) await checkIdentity(database, { dir: ownDir, address, acceptsNewStore });
    await requireNotify(database, clock);
    const signals = await openSignals({ database, clock, log, origin: worker });
    closers.push(() => signals.close());
    const about = { host: hostname(), pid: process.pid, version };
    const claims = createClaims({ store, clock, log, worker, about, signals });
    closers.push(() => claims.close());
    const livenessOf = new Liveness(store, clock).of;
    const by = `${about.host} (process ${about.pid})`;
    return {
      store,
      shared: {
        ...{ worker, queue, ...stepSignals(signals), livenessOf },
        isAlive: () => claims.isHeld(workerClaim(worker)),
      },
      joined: { claims, signals, by, address },
      close: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function createClosers(): Closers {
  const opened: (() => unknown)[] = [];
  return {
    push: (close) => void opened.push(close),
    async close() {
      for (const close of opened.splice(0).reverse()) await close();
    },
  };
}

async function openStoreWithQueue(
  {
    database,
    clock,
    env,
    redactor,
    log,
    onOutdated,
  }: Options & { readonly database: SqlDatabase; readonly clock: Clock },
  closers: Closers,
): Promise<{ store: Store; queue: Queue }> {
  // The store is opened before the queue, whose tables its wakes need: until then there are no wakes.
  let enqueue: Parameters<typeof openPostgres>[0]['onWakes'] = async () => {};
  const onWakes: typeof enqueue = (link, wakes) => enqueue?.(link, wakes) ?? Promise.resolve();
  const opened = await openPostgres({ database, key: readKey(env, redactor, log), log, onWakes });
  const store = guarded(opened, onOutdated);
  closers.push(() => store.close());
  const queue = await createPgBossQueue({ database, clock, log });
  enqueue = (link, wakes) => queue.enqueue(link, wakes);
  closers.push(() => queue.stop());
  return { store, queue };
}

/** Notifications between processes that a run was stepped, sent as signals. */
function stepSignals(signals: Signals): Pick<ClusterDependencies, 'notifyStepped' | 'onStepped'> {
  return {
    notifyStepped: (runId) => signals.send('run', runId),
    onStepped(listener, onGap) {
      const stops = [
        signals.on('run', (id) => (typeof id === 'string' ? listener(id) : onGap())),
        signals.onGap(onGap),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** Wraps a store to call `onOutdated` when the store rejects this process: it could commit nothing, but would keep its jobs. */
function guarded(store: Store, onOutdated: () => void = () => {}): Store {
  return withApply(store, async (changes) => {
    try {
      await store.apply(changes);
    } catch (error) {
      if (errorBody(error).code === 'STORE_OUTDATED') onOutdated();
      throw error;
    }
  });
}

import type { Clock } from '../base/clock.ts';
import { EngineError, errorBody } from '../base/error.ts';
import type { Logger } from '../base/log.ts';
import type { ConfigService, ToolCatalog } from '../config/config.ts';
import { openConfig } from '../config/service.ts';
import { openSharedConfig, type Leadership } from '../config/shared/shared-config.ts';
import { workerClaim } from '../cluster/liveness.ts';
import type { Dependencies, ClusterDependencies } from '../run/dependencies.ts';
import type { RevisionKeeper } from '../run/engine/retention.ts';
import { sweep } from '../run/engine/sweep.ts';
import { createRevisionStore, type RunRevisions } from '../config/revision/revision-store.ts';
import type { SecretHosts, Secrets } from '../config/secrets.ts';
import { CONFIG_CLAIM, createSharedRevisionStore } from '../config/shared/shared-revision-store.ts';
import { readVersion } from './installation.ts';
import type { StoreHandle, ClusterHandle } from './local-store.ts';

/** Role of a process on a shared store. */
export type ProcessRole = 'start' | 'worker' | 'command';

/** How long a command waits for the first published config. */
const CONFIG_WAIT_MS = 10_000;

interface RevisionOptions {
  readonly dir: string;
  readonly dataDir: string;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  readonly watch?: boolean | undefined;
  readonly role?: ProcessRole | undefined;
  readonly secretHosts: SecretHosts;
  /** A config that is open already. Only for a store of one process. */
  readonly config?: ConfigService | undefined;
}

/** Follows changes of other processes until the returned function is called. */
export function followCluster({ live, log }: Dependencies, { signals }: ClusterHandle, secrets: Secrets): () => void {
  const reload = () =>
    void secrets.reload().catch((error: unknown) => log.warn('secrets could not be reloaded', { ...errorBody(error) }));
  const ends = [live.join(signals), signals.on('secrets', reload), signals.onGap(reload)];
  return () => ends.forEach((end) => end());
}

/**
 * Sends heartbeats while this process processes runs. One process at a time also enqueues open runs without a job. Resolves once
 * others can see that this process lives, and calls `onAlive` each time: whoever sees no sign of it takes its runs for those of a
 * dead one. Resolves on abort too.
 */
export function joinCluster(
  { store, log }: Dependencies,
  { worker }: ClusterDependencies,
  { claims }: ClusterHandle,
  { signal, onAlive }: { readonly signal: AbortSignal; readonly onAlive: () => void },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  claims.acquire(workerClaim(worker), {
    onTaken: () => {
      resolve();
      onAlive();
    },
    onLost: () => log.warn('this process sent no heartbeat in time: others may continue its runs'),
  });
  claims.acquire('sweep', {
    onTaken: () =>
      void sweep(store, signal)
        .then((looks) => looks > 0 && log.info('open runs enqueued', { looks }))
        .catch((error: unknown) => log.error('open runs could not be enqueued', { ...errorBody(error) })),
    onLost: () => {},
  });
  return promise;
}

/** Opens the config and the store of its revisions. On a shared store one process publishes the config. */
export async function openRevisions(
  { role = 'command', watch = true, config: opened, ...options }: RevisionOptions,
  { store, shared, joined }: StoreHandle,
): Promise<{ revisions: RunRevisions & RevisionKeeper; config: ConfigService }> {
  const { clock } = options;
  const version = readVersion();
  if (shared === undefined || joined === undefined) {
    const revisions = createRevisionStore(store);
    const config = opened ?? (await openConfig({ ...options, revisionStore: revisions, watch, version }));
    return { revisions, config };
  }
  const { claims, signals, by } = joined;
  const revisions = createSharedRevisionStore({ store, clock, signals, worker: shared.worker });
  const leadership: Leadership = {
    request: (listener) => claims.acquire(CONFIG_CLAIM, listener),
    check: () => claims.refresh(),
  };
  const patience = role === 'command' ? AbortSignal.timeout(CONFIG_WAIT_MS) : undefined;
  const configOptions = {
    ...options,
    revisionStore: revisions,
    by,
    version,
    watch,
    ...(role === 'start' && { leadership }),
  };
  const config = await openSharedConfig({ ...configOptions, ...(patience && { signal: patience }) }).catch(
    (error: unknown) => {
      throw patience?.aborted === true && error === patience.reason ? noConfig() : error;
    },
  );
  return { revisions, config };
}

function noConfig(): EngineError {
  return new EngineError('USAGE', 'the database has no config that this version can use', {
    hint: 'run callsheet start in the folder that contains config/; if a newer version published the config, update this one',
  });
}

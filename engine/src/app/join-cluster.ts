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
import type { Secrets } from '../config/secrets.ts';
import { CONFIG_CLAIM, createSharedRevisionStore } from '../config/shared/shared-revision-store.ts';
import { readVersion } from './installation.ts';
import type { StoreHandle, ClusterHandle } from './local-store.ts';

/** What a process does for the others on the same store. */
export type ProcessRole = 'start' | 'worker' | 'command';

/** How long a command waits for a first decision about the config. */
const CONFIG_WAIT_MS = 10_000;

interface RevisionOptions {
  readonly dir: string;
  readonly catalog: ToolCatalog;
  readonly env: (name: string) => string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  readonly watch?: boolean | undefined;
  readonly role?: ProcessRole | undefined;
}

/** Keeps up with what other processes change. The returned function ends it. */
export function followCluster({ live, log }: Dependencies, { signals }: ClusterHandle, secrets: Secrets): () => void {
  const reload = () =>
    void secrets
      .reload()
      .catch((error: unknown) => log.warn('secrets could not be read again', { ...errorBody(error) }));
  const ends = [live.join(signals), signals.on('secrets', reload), signals.onGap(reload)];
  return () => ends.forEach((end) => end());
}

/** Shows signs of life while this process works runs; one process at a time also looks for runs that nobody looks at. */
export function joinCluster(
  { store, log }: Dependencies,
  { worker }: ClusterDependencies,
  { claims }: ClusterHandle,
  signal: AbortSignal,
): void {
  claims.acquire(workerClaim(worker), {
    onTaken: () => {},
    onLost: () => log.warn('this process has shown no sign of life: others may go on with its runs'),
  });
  claims.acquire('sweep', {
    onTaken: () =>
      void sweep(store, signal)
        .then((looks) => looks > 0 && log.info('open runs are looked at', { looks }))
        .catch((error: unknown) => log.error('open runs could not be looked for', { ...errorBody(error) })),
    onLost: () => {},
  });
}

/** The config, and where its revisions are kept: decided by one process where several share the store. */
export async function openRevisions(
  { role = 'command', watch = true, ...options }: RevisionOptions,
  { store, shared, joined }: StoreHandle,
): Promise<{ revisions: RunRevisions & RevisionKeeper; config: ConfigService }> {
  const { clock } = options;
  const version = readVersion();
  if (shared === undefined || joined === undefined) {
    const revisions = createRevisionStore(store);
    const config = await openConfig({ ...options, revisionStore: revisions, watch, version });
    return { revisions, config };
  }
  const { claims, signals, by } = joined;
  const place = createSharedRevisionStore({ store, clock, signals, worker: shared.worker });
  const leadership: Leadership = {
    request: (listener) => claims.acquire(CONFIG_CLAIM, listener),
    check: () => claims.refresh(),
  };
  const patience = role === 'command' ? AbortSignal.timeout(CONFIG_WAIT_MS) : undefined;
  const ways = { ...options, revisionStore: place, by, version, watch, ...(role === 'start' && { leadership }) };
  const config = await openSharedConfig({ ...ways, ...(patience && { signal: patience }) }).catch((error: unknown) => {
    throw patience?.aborted === true && error === patience.reason ? noConfig() : error;
  });
  return { revisions: place, config };
}

function noConfig(): EngineError {
  return new EngineError('USAGE', 'the database holds no config that this version can use', {
    hint: 'callsheet start, in the folder that holds config/, brings one; where a newer version did, update this one',
  });
}

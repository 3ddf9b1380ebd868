import type { Secrets } from '../../config/secrets.ts';
import type { Engine } from '../../run/engine/engine.ts';
import type { EngineDependencies } from '../../run/mode/mode.ts';
import { followCluster, joinCluster } from '../join-cluster.ts';
import type { StoreHandle } from '../local-store.ts';
import type { AccountServices } from './account-services.ts';

interface Closable {
  close(): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

/** The rooms of an app that start or end with it. */
export interface LivingRooms extends Pick<
  AccountServices,
  'mailWorkers' | 'calendarWorkers' | 'sentCopies' | 'connections'
> {
  readonly deps: EngineDependencies;
  readonly engine: Engine;
  readonly fetcher: Closable;
  readonly retention: Stoppable;
  readonly searchIndexer: Stoppable;
  readonly notices: Stoppable;
  readonly config: Closable;
  readonly filterPool: Closable;
  readonly secrets: Secrets;
  readonly memory: Closable;
  readonly files: Closable;
  readonly mcpServers: Closable & { open(): void };
  readonly roaming: { sweep(): Promise<void> };
}

/** `start` and `close` of an app. On a shared store, follows the changes of other processes until `close`. */
export function lifecycleOf(
  rooms: LivingRooms,
  storeHandle: StoreHandle,
): { start(): Promise<number>; close(options?: { graceMs: number }): Promise<void> } {
  const { deps, engine, fetcher, retention, config, secrets } = rooms;
  const { shared, joined } = storeHandle;
  const stopFollowing = joined === undefined ? () => {} : followCluster(deps, joined, secrets);
  const stopping = new AbortController();
  return {
    async start() {
      const options = { signal: stopping.signal, onAlive: () => engine.lookAgain() };
      if (shared !== undefined && joined !== undefined) await joinCluster(deps, shared, joined, options);
      if (stopping.signal.aborted) return 0;
      rooms.sentCopies.start();
      rooms.mcpServers.open();
      // Before a turn begins again.
      await rooms.roaming.sweep();
      return engine.start();
    },
    async close(options) {
      stopping.abort();
      stopFollowing();
      // Before the fetcher: a later change of the config would open accounts again.
      await config.close();
      await retention.stop();
      await rooms.searchIndexer.stop();
      await rooms.notices.stop();
      await rooms.sentCopies.stop();
      await fetcher.close();
      await engine.stop(options);
      await rooms.mcpServers.close();
      deps.telemetry?.close();
      const threads = [
        rooms.mailWorkers,
        rooms.calendarWorkers,
        rooms.filterPool,
        rooms.files,
        deps.models,
        deps.recogniser,
      ];
      await Promise.all(threads.map((one) => one.close()));
      await rooms.connections.close();
      await rooms.memory.close();
      await storeHandle.close();
    },
  };
}

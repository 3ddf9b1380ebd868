import { sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { type ClaimHolder, holderOf } from '../cluster/claim-row.ts';
import { readQueueStats } from '../cluster/queue/queue-stats.ts';
import type { PublishedConfig } from '../config/shared/published-config.ts';
import { createSharedRevisionStore } from '../config/shared/shared-revision-store.ts';
import type { SqlConnection } from '../store/postgres/sql-database.ts';
import type { Store } from '../store/store.ts';

/** Time between two readings of claims. Heartbeats are 5 s apart, so a claim without one in between is dead. */
const BETWEEN_MS = 6_500;
/** Prefix of the claim on an account. */
export const ACCOUNT_CLAIM = 'account ';

/** The holder of a claim. Two readings decide whether it is alive, since clocks are not compared. */
export interface WatchedHolder {
  readonly holder: ClaimHolder;
  readonly isAlive: boolean;
}

/** State of the processes on a shared store. */
export interface ClusterReport {
  readonly watched: readonly WatchedHolder[];
  /** The published config; undefined before the first one. */
  readonly decision: PublishedConfig | undefined;
  readonly queue: Awaited<ReturnType<typeof readQueueStats>>;
}

/** Reads the state; takes some seconds if there are claims. */
export async function readCluster(link: SqlConnection, store: Store, clock: Clock): Promise<ClusterReport> {
  const signals = { send: () => {}, on: () => () => {}, onGap: () => () => {} };
  const [watched, decision, queue] = await Promise.all([
    watchClaims(store, clock),
    createSharedRevisionStore({ store, clock, signals, worker: '' }).newest(),
    readQueueStats(link),
  ]);
  return { watched, decision, queue };
}

async function watchClaims(store: Store, clock: Clock): Promise<WatchedHolder[]> {
  const held = (await store.list('claim')).filter(({ worker }) => worker !== '');
  if (held.length > 0) await sleep(BETWEEN_MS, { clock });
  const after = new Map((await store.list('claim')).map((row) => [row.name, row]));
  return held.flatMap((row) => {
    const now = after.get(row.name);
    const holder = holderOf(now ?? row);
    return holder === undefined ? [] : [{ holder, isAlive: now !== undefined && now.rev !== row.rev }];
  });
}

/** The live process that fetches an account, or undefined. */
export function fetcherOf({ watched }: Pick<ClusterReport, 'watched'>, accountId: string): ClaimHolder | undefined {
  return watched.find(({ holder, isAlive }) => isAlive && holder.name === `${ACCOUNT_CLAIM}${accountId}`)?.holder;
}

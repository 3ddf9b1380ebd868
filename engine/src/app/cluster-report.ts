import { sleep } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import { type ClaimHolder, holderOf } from '../cluster/claim-row.ts';
import { readQueueStats } from '../cluster/queue/queue-stats.ts';
import type { PublishedConfig } from '../config/shared/published-config.ts';
import { createSharedRevisionStore } from '../config/shared/shared-revision-store.ts';
import type { SqlConnection } from '../store/postgres/sql-database.ts';
import type { Store } from '../store/store.ts';

/** Holders of claims show a sign of life every 5 s: who has shown none between two looks this far apart is not there. */
const BETWEEN_MS = 6_500;
/** Claims on accounts begin with it. */
export const ACCOUNT_CLAIM = 'account ';

/** Who holds what, seen twice: only that tells who lives, since no clocks are compared. */
export interface WatchedHolder {
  readonly holder: ClaimHolder;
  readonly isAlive: boolean;
}

/** What the processes on one store do for each other. */
export interface ClusterReport {
  readonly watched: readonly WatchedHolder[];
  /** What all of them run; undefined before the first decision. */
  readonly decision: PublishedConfig | undefined;
  readonly queue: Awaited<ReturnType<typeof readQueueStats>>;
}

/** Looks at them; takes some seconds where anybody holds anything. */
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

/** Whoever fetches an account and shows signs of life. */
export function fetcherOf({ watched }: Pick<ClusterReport, 'watched'>, accountId: string): ClaimHolder | undefined {
  return watched.find(({ holder, isAlive }) => isAlive && holder.name === `${ACCOUNT_CLAIM}${accountId}`)?.holder;
}

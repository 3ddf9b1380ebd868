import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { PublishedConfig } from '../../config/shared/published-config.ts';
import { readQueueStats } from '../../cluster/queue/queue-stats.ts';
import { workerClaim } from '../../cluster/liveness.ts';
import { type ClaimHolder, holderOf } from '../../cluster/claim-row.ts';
import type { SqlConnection } from '../../store/postgres/sql-database.ts';
import { CONFIG_CLAIM, createSharedRevisionStore } from '../../config/shared/shared-revision-store.ts';
import type { Store } from '../../store/store.ts';
import { type Check, fail, fine, warn } from './check.ts';

/** Holders of claims show a sign of life every 5 s: who has shown none between two looks this far apart is not there. */
const BETWEEN_MS = 6_500;
/** Nobody waits this long for a worker that has room. */
const LONG_MS = 60_000;
const ACCOUNT = 'account ';

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
  return watched.find(({ holder, isAlive }) => isAlive && holder.name === `${ACCOUNT}${accountId}`)?.holder;
}

/** Who works, who decides the config, who fetches, what waits. */
export function checkShared({ watched, decision, queue }: ClusterReport, version: string): Check[] {
  const workers = watched.filter(({ holder }) => holder.name === workerClaim(holder.worker));
  const living = workers.filter(({ isAlive }) => isAlive);
  return [
    checkWorkers(workers, version),
    checkQueue(queue, living.length),
    checkDecider(watched, decision),
    ...checkFetching(watched),
  ];
}

function checkWorkers(workers: readonly WatchedHolder[], version: string): Check {
  const living = workers.filter(({ isAlive }) => isAlive).map(({ holder }) => holder);
  const gone = workers.filter(({ isAlive }) => !isAlive).map(({ holder }) => nameOf(holder));
  const left = gone.length === 0 ? '' : `; without a sign of life: ${gone.join(', ')}`;
  if (living.length === 0)
    return warn('workers', `no process works runs${left}`, 'start one: callsheet start, or callsheet worker');
  const names = living.map((holder) => `${nameOf(holder)}, version ${holder.version ?? 'unknown'}`);
  const text = `${living.length} at work: ${names.join('; ')}${left}`;
  const versions = new Set([version, ...living.map((holder) => holder.version)]);
  if (versions.size === 1) return fine('workers', text);
  return warn(
    'workers',
    `${text}; this is version ${version}`,
    'bring all of them to one version: docs/scaling.md says how',
  );
}

function checkQueue(queue: ClusterReport['queue'], workers: number): Check {
  if (queue === undefined) return fine('queue', 'it has no tables yet; the first start makes them');
  const { ready, oldestMs, deferred, active } = queue;
  const text = `${ready} due, ${deferred} for later, ${active} in hand`;
  if (ready === 0 || oldestMs < LONG_MS) return fine('queue', text);
  const hint = workers === 0 ? 'start a worker' : 'start more workers, or raise runs.concurrency; see also the limits';
  return warn('queue', `${text}; the oldest has been due for ${Math.round(oldestMs / 1000)} s`, hint);
}

function checkDecider(watched: readonly WatchedHolder[], decision: PublishedConfig | undefined): Check {
  const holder = watched.find(({ holder: { name }, isAlive }) => name === CONFIG_CLAIM && isAlive)?.holder;
  const start = 'run callsheet start in the folder that holds config/';
  if (decision === undefined) return warn('config of all', 'nobody has decided one yet', start);
  const { revision, by, version, problems } = decision;
  const text = `revision ${revision.slice(0, 12)}, decided by ${by}, version ${version}`;
  if (holder === undefined)
    return warn('config of all', `${text}, which is gone: it runs on, but edits are not taken`, start);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return fine('config of all', text);
  return fail('config of all', `${text}, with ${errors} errors`, 'callsheet validate, at the one who decides');
}

function checkFetching(watched: readonly WatchedHolder[]): Check[] {
  const accounts = watched.filter(({ holder: { name } }) => name.startsWith(ACCOUNT));
  return accounts.map(({ holder, isAlive }) => {
    const check = `fetching ${holder.name.slice(ACCOUNT.length)}`;
    if (isAlive) return fine(check, `by ${nameOf(holder)}`);
    return warn(
      check,
      `by ${nameOf(holder)}, which shows no sign of life`,
      'another callsheet start takes it over in 25 s',
    );
  });
}

function nameOf({ host, pid, worker }: ClaimHolder): string {
  return host === undefined ? worker : `${host} (process ${pid ?? '?'})`;
}

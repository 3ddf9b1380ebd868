import type { PublishedConfig } from '../../config/shared/published-config.ts';
import { workerClaim } from '../../cluster/liveness.ts';
import type { ClaimHolder } from '../../cluster/claim-row.ts';
import { CONFIG_CLAIM } from '../../config/shared/shared-revision-store.ts';
import { ACCOUNT_CLAIM, type ClusterReport, type WatchedHolder } from '../../app/cluster-report.ts';
import { type Check, fail, fine, warn } from './check.ts';

/** A job that waits longer than this means that the workers are busy or absent. */
const LONG_MS = 60_000;

/** Checks the processes on a shared database: workers, queue, config, fetched accounts. */
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
  const left = gone.length === 0 ? '' : `; no heartbeat from: ${gone.join(', ')}`;
  if (living.length === 0)
    return warn('workers', `no worker is running${left}`, 'run callsheet start or callsheet worker');
  const names = living.map((holder) => `${nameOf(holder)}, version ${holder.version ?? 'unknown'}`);
  const text = `${living.length} running: ${names.join('; ')}${left}`;
  const versions = new Set([version, ...living.map((holder) => holder.version)]);
  if (versions.size === 1) return fine('workers', text);
  return warn(
    'workers',
    `${text}; this command is version ${version}`,
    'update all to one version: see docs/scaling.md',
  );
}

function checkQueue(queue: ClusterReport['queue'], workers: number): Check {
  if (queue === undefined) return fine('queue', 'no tables yet; the first start creates them');
  const { ready, oldestMs, deferred, active } = queue;
  const text = `${ready} due, ${deferred} scheduled, ${active} active`;
  if (ready === 0 || oldestMs < LONG_MS) return fine('queue', text);
  const hint = workers === 0 ? 'start a worker' : 'start more workers, or raise runs.concurrency; check the limits too';
  return warn('queue', `${text}; the oldest has been due for ${Math.round(oldestMs / 1000)} s`, hint);
}

function checkDecider(watched: readonly WatchedHolder[], decision: PublishedConfig | undefined): Check {
  const holder = watched.find(({ holder: { name }, isAlive }) => name === CONFIG_CLAIM && isAlive)?.holder;
  const start = 'run callsheet start in the folder that contains config/';
  if (decision === undefined) return warn('config of all', 'no process has published a config', start);
  const { revision, by, version, problems } = decision;
  const text = `revision ${revision.slice(0, 12)}, published by ${by}, version ${version}`;
  if (holder === undefined)
    return warn(
      'config of all',
      `${text}, which is not running: the config stays in use, but edits have no effect`,
      start,
    );
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return fine('config of all', text);
  return fail(
    'config of all',
    `${text}, with ${errors} errors`,
    'run callsheet validate where the config is published',
  );
}

function checkFetching(watched: readonly WatchedHolder[]): Check[] {
  const accounts = watched.filter(({ holder: { name } }) => name.startsWith(ACCOUNT_CLAIM));
  return accounts.map(({ holder, isAlive }) => {
    const check = `fetching ${holder.name.slice(ACCOUNT_CLAIM.length)}`;
    if (isAlive) return fine(check, `by ${nameOf(holder)}`);
    return warn(
      check,
      `by ${nameOf(holder)}, which sends no heartbeat`,
      'another callsheet start takes over within 25 s',
    );
  });
}

function nameOf({ host, pid, worker }: ClaimHolder): string {
  return host === undefined ? worker : `${host} (process ${pid ?? '?'})`;
}

import type { PublishedConfig } from '../../config/shared/published-config.ts';
import { workerClaim } from '../../cluster/liveness.ts';
import type { ClaimHolder } from '../../cluster/claim-row.ts';
import { CONFIG_CLAIM } from '../../config/shared/shared-revision-store.ts';
import { ACCOUNT_CLAIM, type ClusterReport, type WatchedHolder } from '../../app/cluster-report.ts';
import { type Check, fail, fine, warn } from './check.ts';

/** Nobody waits this long for a worker that has room. */
const LONG_MS = 60_000;

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
  const accounts = watched.filter(({ holder: { name } }) => name.startsWith(ACCOUNT_CLAIM));
  return accounts.map(({ holder, isAlive }) => {
    const check = `fetching ${holder.name.slice(ACCOUNT_CLAIM.length)}`;
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

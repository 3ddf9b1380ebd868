import type { Wake } from '../../store/store.ts';
import type { HeldRun, HeldRuns } from './held-run.ts';
import { heldElsewhere, type Lease, leaseChange, type LeaseMode, PRIORITY, wake } from '../lease.ts';
import type { ClusterDependencies } from '../dependencies.ts';
import { OPEN_STATUSES } from '../run.ts';
import type { Step } from '../step/step.ts';
import type { RunState } from '../step/run-state.ts';

/**
 * Makes sure that one process at a time drives a run. Every step moves the run's lease on from the revision that was
 * read with the run; so of two steps that began from the same state only one is committed, whatever the queue does.
 */
export class Leases {
  readonly #shared: ClusterDependencies;
  readonly #heldRuns: HeldRuns;

  constructor(shared: ClusterDependencies, heldRuns: HeldRuns) {
    this.#shared = shared;
    this.#heldRuns = heldRuns;
  }

  /** Whether the lease says that this process holds the run, for the job of `heldRun`. */
  isOurs({ worker, job }: Lease, heldRun: HeldRun | undefined): boolean {
    return heldRun !== undefined && worker === this.#shared.worker && job === heldRun.job.jobId;
  }

  /** Whether this process performs the effects of a step made in this mode. */
  mayAct({ record, lease }: RunState, mode: LeaseMode): boolean {
    const heldRun = this.#heldRuns.get(record.run.id);
    return heldRun !== undefined && (mode === 'take' || this.isOurs(lease, heldRun));
  }

  /**
   * `RUN_ELSEWHERE` where another process holds the run and `mode` is not `command`; retryable while it is unknown
   * whether that process is alive.
   */
  async check({ record, lease }: RunState, mode: LeaseMode): Promise<void> {
    if (mode === 'command') return;
    const runId = record.run.id;
    const heldRun = this.#heldRuns.get(runId);
    if (heldRun === undefined || heldRun.isOver) throw heldElsewhere(runId, lease, false);
    if (this.isOurs(lease, heldRun)) return;
    if (mode !== 'take') throw heldElsewhere(runId, lease, false);
    const { jobId, isRetry } = heldRun.job;
    if (lease.worker === '' || (lease.job === jobId && isRetry)) return;
    const state = await this.#shared.livenessOf(lease.worker);
    if (state !== 'dead') throw heldElsewhere(runId, lease, state === 'unknown');
  }

  /**
   * Adds the lease changes to a step: the holder after the step, and a job for the run where no process holds it.
   * Returns the lease as it is after the commit. A step without changes, launches or a new holder gets none.
   */
  async addChanges(step: Step, mode: LeaseMode): Promise<Lease> {
    const { draft, runState, now } = step;
    const { id, status } = runState.record.run;
    const before = runState.lease;
    const heldRun = this.#heldRuns.get(id);
    const isOurs = heldRun !== undefined && this.mayAct(runState, mode);
    const isHeld = isOurs && mode !== 'release' && (await isBusy(step));
    const ours = isHeld ? { worker: this.#shared.worker, job: heldRun.job.jobId } : { worker: '', job: '' };
    const holder = isOurs ? ours : before;
    const isSame = holder.worker === before.worker && holder.job === before.job;
    if (isSame && draft.changes.length === 0 && step.launches.length === 0) return before;
    if (holder.worker === '') draft.append(...(await this.#nextJob(step, mode, isOurs)));
    const lease = { worker: holder.worker, job: holder.job, rev: before.rev + 1, at: now };
    draft.append(leaseChange(id, before, lease));
    if (holder.worker !== '' || OPEN_STATUSES.some((open) => open === status)) return lease;
    draft.append({ op: 'delete', table: 'lease', where: { run: id } });
    return { worker: '', job: '', rev: 0, at: 0 };
  }

  /**
   * The job that a run without a holder needs: now where it works, or is released while it works; else when its next
   * timer is due.
   */
  async #nextJob(step: Step, mode: LeaseMode, wasOurs: boolean): Promise<Wake[]> {
    const { id } = step.runState.record.run;
    if (step.runState.isBusy || mode === 'release') return [wake(id, 0, PRIORITY.person)];
    if (!wasOurs && step.nextDue === Infinity) return [];
    const due = await nextTimer(step);
    return due === undefined ? [] : [wake(id, due, PRIORITY.begun)];
  }
}

/**
 * Whether machines of the run work, including machines that this step did not load: a repeated step loads only what it
 * needs.
 */
async function isBusy({ deps, runState }: Step): Promise<boolean> {
  const { id, status } = runState.record.run;
  if (runState.isBusy) return true;
  if (!OPEN_STATUSES.some((open) => open === status)) return false;
  const kinds = [...deps.modes].filter(([, { awaits }]) => awaits !== undefined).map(([kind]) => kind);
  const rows = await deps.store.list('machine', {
    where: [
      ['root', '=', id],
      ['kind', 'in', kinds],
      ['status', '=', 'active'],
    ],
    bodies: false,
  });
  return rows.some((row) => !runState.machines.has(row.id));
}

/** Due time of the run's next timer after the commit, in epoch milliseconds; undefined where there is none. */
async function nextTimer({ deps, draft, runState }: Step): Promise<number | undefined> {
  const rows = await deps.store.list('timer', { where: [['root', '=', runState.record.run.id]], bodies: false });
  const due = new Map(rows.map((row) => [`${row.machine}\0${row.name}`, row]));
  for (const change of draft.changes) {
    if (change.op === 'wake' || change.table !== 'timer') continue;
    if (change.op === 'put' || change.op === 'insert') due.set(`${change.row.machine}\0${change.row.name}`, change.row);
    else if (change.op === 'delete') {
      const { machine, name } = change.where;
      for (const [key, row] of due)
        if (row.machine === machine && (name === undefined || row.name === name)) due.delete(key);
    } else {
      const key = `${change.key.machine}\0${change.key.name}`;
      const row = due.get(key);
      if (row !== undefined) due.set(key, { ...row, ...change.set });
    }
  }
  return due.size === 0 ? undefined : Math.min(...Array.from(due.values(), (row) => row.due));
}

import type { Wake } from '../../store/store.ts';
import type { HeldRun, HeldRuns } from './held-run.ts';
import { elsewhere, type Lease, leaseChange, type LeaseMode, PRIORITY, wake } from '../lease.ts';
import type { ClusterDependencies } from '../dependencies.ts';
import { OPEN_STATUSES } from '../run.ts';
import type { Step } from '../step/step.ts';
import type { RunState } from '../step/run-state.ts';

/**
 * Lets one process at a time work a run. Every step moves the run's lease on from the revision that it was read at, so of
 * two steps that began from the same state only one is committed, whatever the queue believes.
 */
export class Leases {
  readonly #shared: ClusterDependencies;
  readonly #heldRuns: HeldRuns;

  constructor(shared: ClusterDependencies, heldRuns: HeldRuns) {
    this.#shared = shared;
    this.#heldRuns = heldRuns;
  }

  /** Whether the lease says that this process works the run. */
  isOurs({ worker, job }: Lease, heldRun: HeldRun | undefined): boolean {
    return heldRun !== undefined && worker === this.#shared.worker && job === heldRun.job.jobId;
  }

  /** Whether this process performs what a step of this manner leaves to do. */
  mayAct({ record, lease }: RunState, mode: LeaseMode): boolean {
    const heldRun = this.#heldRuns.get(record.run.id);
    return heldRun !== undefined && (mode === 'take' || this.isOurs(lease, heldRun));
  }

  /** `RUN_ELSEWHERE` where another process works the run; retryable while it is not known whether that one still lives. */
  async check({ record, lease }: RunState, mode: LeaseMode): Promise<void> {
    if (mode === 'order') return;
    const runId = record.run.id;
    const heldRun = this.#heldRuns.get(runId);
    if (heldRun === undefined || heldRun.isOver) throw elsewhere(runId, lease, false);
    if (this.isOurs(lease, heldRun)) return;
    if (mode !== 'take') throw elsewhere(runId, lease, false);
    const { jobId, isRetry } = heldRun.job;
    if (lease.worker === '' || (lease.job === jobId && isRetry)) return;
    const state = await this.#shared.livenessOf(lease.worker);
    if (state !== 'dead') throw elsewhere(runId, lease, state === 'unknown');
  }

  /**
   * Adds to a step what it means for the lease: who holds the run from here on, and the look that a run needs which nobody
   * holds. Returns the lease as it is once the step is committed. A step that changes nothing adds nothing.
   */
  async seal(step: Step, mode: LeaseMode): Promise<Lease> {
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
    if (holder.worker === '') draft.append(...(await this.#wakes(step, mode, isOurs)));
    const lease = { worker: holder.worker, job: holder.job, rev: before.rev + 1, at: now };
    draft.append(leaseChange(id, before, lease));
    if (holder.worker !== '' || OPEN_STATUSES.some((open) => open === status)) return lease;
    draft.append({ op: 'delete', table: 'lease', where: { run: id } });
    return { worker: '', job: '', rev: 0, at: 0 };
  }

  /** A run that works, or that is let go while it does, needs a look now; a parked one when its next timer is due. */
  async #wakes(step: Step, mode: LeaseMode, wasOurs: boolean): Promise<Wake[]> {
    const { id } = step.runState.record.run;
    if (step.runState.isBusy || mode === 'release') return [wake(id, 0, PRIORITY.person)];
    if (!wasOurs && step.nextDue === Infinity) return [];
    const due = await nextTimer(step);
    return due === undefined ? [] : [wake(id, due, PRIORITY.begun)];
  }
}

/** Whether machines of the run work, also such as this tree has not read: a step that was made anew reads what it needs. */
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

/** When the run's next timer is due once the step is committed. */
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

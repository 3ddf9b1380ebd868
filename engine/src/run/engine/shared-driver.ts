import { EngineError, errorBody } from '../../base/error.ts';
import { begin } from './begin.ts';
import type { Driver } from './driver.ts';
import { HeldRun, type HeldRuns } from './held-run.ts';
import { isElsewhere, leaseLost, readLease } from '../lease.ts';
import type { Dependencies, ClusterDependencies } from '../dependencies.ts';
import type { EffectRunner } from './effect-runner.ts';
import { ClockWatch } from './clock-watch.ts';
import type { RunJob } from '../../cluster/queue/queue.ts';
import { isRefusal } from '../../store/outage.ts';
import type { PersistentSteps } from './persistent-steps.ts';
import type { StepRunner } from './step-runner.ts';
import { deductAbsence, resumeRun } from './resume-run.ts';
import { fireDue } from './timers.ts';
import { OPEN_STATUSES } from '../run.ts';
import type { Row } from '../../store/store.ts';
import type { Step } from '../step/step.ts';

interface SharedDriverDependencies {
  readonly stepRunner: StepRunner;
  readonly steps: PersistentSteps;
  readonly effectRunner: EffectRunner;
  readonly heldRuns: HeldRuns;
}

/**
 * Drives the runs of a store that several processes share. A job from the queue brings a run to this process, which
 * takes it over, performs its effects and fires its timers until the run parks or ends. Then the job ends too; the next
 * timer of a parked run is a job of its own.
 */
export class SharedDriver implements Driver {
  readonly #deps: Dependencies;
  readonly #shared: ClusterDependencies;
  readonly #stepRunner: StepRunner;
  readonly #steps: PersistentSteps;
  readonly #effectRunner: EffectRunner;
  readonly #heldRuns: HeldRuns;
  readonly #clockWatch: ClockWatch;
  /** Runs whose error is in the log already. */
  readonly #logged = new Set<string>();
  #unsubscribe: () => void = () => {};
  #queueStopped: Promise<void> | undefined;
  #isStarted = false;
  #isStopped = false;

  constructor(deps: Dependencies, shared: ClusterDependencies, engine: SharedDriverDependencies) {
    this.#deps = deps;
    this.#shared = shared;
    this.#stepRunner = engine.stepRunner;
    this.#steps = engine.steps;
    this.#effectRunner = engine.effectRunner;
    this.#heldRuns = engine.heldRuns;
    const timers = async () => {
      const lists = [...engine.heldRuns.keys()].map((root) =>
        deps.store.list('timer', { where: [['root', '=', root]], bodies: false }),
      );
      return (await Promise.all(lists)).flat();
    };
    this.#clockWatch = new ClockWatch(deps, engine.steps, { timers });
  }

  async start(): Promise<number> {
    this.#isStarted = true;
    await this.#stepRunner.meters.load(this.#deps.clock.now());
    this.#clockWatch.watch();
    this.#unsubscribe = this.#shared.onStepped(
      (runId) => void this.recheck(runId),
      () => this.lookAgain(),
    );
    const concurrency = () => this.#deps.config.current().settings.runs.concurrency;
    await this.#shared.queue.work((job) => this.#work(job), concurrency);
    return 0;
  }

  /** Nothing to do: new runs are stored together with their jobs. */
  queued(): void {}

  committed(step: Step, isRepeated: boolean): void {
    const { id } = step.runState.record.run;
    const { lease } = step.runState;
    const heldRun = this.#heldRuns.get(id);
    const isOurs = heldRun !== undefined && lease.worker === this.#shared.worker && lease.job === heldRun.job.jobId;
    if (!isOurs && lease.worker !== '') this.#shared.notifyStepped(id);
    if (heldRun === undefined) return;
    heldRun.hasLease = isOurs;
    if (!isOurs && !heldRun.isTakingOver) return heldRun.release();
    if (step.nextDue < heldRun.armedFor) this.#arm(heldRun, step.nextDue);
    if (isRepeated) void this.recheck(id);
  }

  lookAgain(): void {
    for (const runId of this.#heldRuns.keys()) void this.recheck(runId);
  }

  /** Lets a held run go that another process has taken over: nothing else would end its job, and the job keeps a slot. */
  refused(runId: string): void {
    const heldRun = this.#heldRuns.get(runId);
    if (heldRun === undefined || heldRun.isOver) return;
    // A run that is being taken over gets the lease with a later step, or is let go.
    if (heldRun.isTakingOver) heldRun.hasLease = false;
    else this.#giveUp(heldRun);
  }

  /** Lets a held run go that has no lease any more. */
  closed(runId: string): void {
    this.refused(runId);
  }

  /**
   * Reads a held run again: resumes machines that have no running effect, and aborts effects that the run no longer
   * waits for. Resolves with true once that is done; with false where this process no longer holds the run. Never
   * rejects.
   */
  async recheck(runId: string, dueAt = 0): Promise<boolean> {
    const heldRun = this.#heldRuns.get(runId);
    if (heldRun === undefined || heldRun.isOver || this.#isStopped) return false;
    if (heldRun.isTakingOver) {
      // The change may have been committed after the run was read: read it once more.
      heldRun.isRecheckWanted = true;
      heldRun.dueAt = Math.max(heldRun.dueAt, dueAt);
      return heldRun.takenOver;
    }
    try {
      return await this.#steps.repeatWhileRefused(runId, (isRepeated) =>
        this.#stepRunner.run(runId, (step) => resumeRun(step, this.#effectRunner, dueAt), 'take', isRepeated),
      );
    } catch (error) {
      this.#giveUp(heldRun, error);
      return false;
    }
  }

  get working(): number {
    return this.#heldRuns.size;
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#clockWatch.stop();
    for (const heldRun of this.#heldRuns.values()) heldRun.disarm();
    if (this.#isStarted) this.#queueStopped = this.#shared.queue.stop();
  }

  /** Releases the held runs, so that other processes can take them over at once. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#heldRuns.values(), (heldRun) => this.#release(heldRun)));
    await this.#queueStopped;
  }

  async #release(heldRun: HeldRun): Promise<void> {
    try {
      await this.#stepRunner.run(heldRun.job.runId, async () => {}, 'release');
    } catch (error) {
      // The job fails, so the queue delivers it to another process after a while.
      if (!isElsewhere(error)) this.#deps.log.debug('a run could not be released', { ...errorBody(error) });
      this.#giveUp(heldRun);
    }
    heldRun.release();
  }

  async #work(job: RunJob): Promise<void> {
    const { runId } = job;
    for (let known = this.#heldRuns.get(runId); known !== undefined; known = this.#heldRuns.get(runId)) {
      // This job is done only when a held run has been rechecked. A run that is being released at this moment is not
      // rechecked: this job takes it over.
      if (known.mayAct && known.job.jobId !== job.jobId && (await this.recheck(runId, job.dueAt))) return;
      if (this.#isStopped) break;
      if (!known.isOver) this.#giveUp(known);
      if (this.#heldRuns.get(runId) === known) this.#heldRuns.delete(runId);
    }
    if (this.#isStopped) throw new EngineError('BUSY', 'this process is stopping');
    const heldRun = new HeldRun(job);
    this.#heldRuns.set(runId, heldRun);
    job.signal.addEventListener('abort', () => this.#giveUp(heldRun), { once: true });
    // No effect was begun and no timer fired while the job was not confirmed.
    job.onHeldAgain(() => void this.recheck(runId));
    try {
      await this.#takeOver(heldRun);
      await heldRun.ended;
      if (heldRun.isLost) throw leaseLost(runId);
      this.#logged.delete(runId);
    } catch (error) {
      heldRun.endTakingOver(false);
      this.#giveUp(heldRun);
      if (await this.#shouldRedeliver(runId, error)) throw error;
    } finally {
      heldRun.disarm();
      if (this.#heldRuns.get(runId) === heldRun) this.#heldRuns.delete(runId);
    }
  }

  /** Whether a failed job must be delivered again, to this or another process. */
  async #shouldRedeliver(runId: string, error: unknown): Promise<boolean> {
    if (errorBody(error).code === 'NOT_FOUND' && (await this.#rowOf(runId)) === undefined) return false;
    if (isElsewhere(error)) {
      this.#shared.notifyStepped(runId);
      return error.retryable;
    }
    if (!this.#logged.has(runId))
      this.#deps.log.error('a run could not be taken over; the queue delivers it again', {
        run: runId,
        ...errorBody(error),
      });
    this.#logged.add(runId);
    return true;
  }

  /** Takes a run over in its stored state. Rejects where this process cannot do that now. */
  async #takeOver(heldRun: HeldRun): Promise<void> {
    const { runId } = heldRun.job;
    const row = await this.#rowOf(runId);
    if (row === undefined || !OPEN_STATUSES.some((open) => open === row.status)) {
      await this.#dropLease(runId);
      heldRun.endTakingOver(true);
      return heldRun.release();
    }
    const first = row.status === 'queued' ? await begin(this.#deps, runId) : undefined;
    try {
      await deductAbsence(this.#deps, this.#stepRunner, runId);
      do {
        const { dueAt } = heldRun;
        heldRun.isRecheckWanted = false;
        heldRun.dueAt = 0;
        await this.#stepRunner.run(runId, (step) => resumeRun(step, this.#effectRunner, dueAt, first), 'take');
      } while (heldRun.isRecheckWanted);
    } catch (error) {
      if (isElsewhere(error) || isRefusal(error) || isForOthers(error)) throw error;
      // An error of the run or of the engine: the run fails with it, instead of being delivered for ever.
      await this.#steps.fail(runId, error, 'take');
    }
    heldRun.endTakingOver(!heldRun.isLost);
    if (!heldRun.hasLease) heldRun.release();
  }

  /** Deletes the lease of a run that another process has ended after the holder of the lease died. */
  async #dropLease(runId: string): Promise<void> {
    const { store } = this.#deps;
    if ((await readLease(store, runId)).rev > 0)
      await store.apply([{ op: 'delete', table: 'lease', where: { run: runId } }]);
  }

  async #rowOf(runId: string): Promise<Row<'run'> | undefined> {
    return (await this.#deps.store.list('run', { where: [['id', '=', runId]], bodies: false }))[0];
  }

  /** Gives up a held run that another process has, or may have. */
  #giveUp(heldRun: HeldRun, error?: unknown): void {
    const { runId } = heldRun.job;
    if (heldRun.isLost) return;
    heldRun.isLost = true;
    if (error !== undefined && !isElsewhere(error))
      this.#deps.log.warn('a held run is given up; another process takes it over', { run: runId, ...errorBody(error) });
    if (this.#heldRuns.get(runId) === heldRun) {
      this.#effectRunner.abandon(runId);
      this.#stepRunner.forget(runId);
    }
    heldRun.release();
  }

  #arm(heldRun: HeldRun, due: number): void {
    const { clock } = this.#deps;
    heldRun.disarm();
    heldRun.armedFor = due;
    const fireTimers = async () => {
      heldRun.armedFor = Infinity;
      await this.#clockWatch.check();
      if (!heldRun.mayAct || this.#isStopped) return;
      const { runId } = heldRun.job;
      // A clock that was set may have moved the timer away: then this step only waits for it again.
      await this.#steps.settle(runId, (step) => fireDue(step));
    };
    const failed = (error: unknown) => this.#deps.log.error('a timer could not be fired', { ...errorBody(error) });
    heldRun.disarm = clock.delay(() => void fireTimers().catch(failed), Math.max(0, due - clock.now()));
  }
}

/** Whether this version, or this process, cannot read the run, while another process may, or a person must act. */
function isForOthers(error: unknown): boolean {
  return ['MACHINE_VERSION', 'NOT_FOUND', 'CONFIG_TOO_NEW'].includes(errorBody(error).code);
}

import { errorBody } from '../../base/error.ts';
import { begin } from './begin.ts';
import type { Driver } from './driver.ts';
import type { Dependencies } from '../dependencies.ts';
import { ClockWatch } from './clock-watch.ts';
import { resume } from '../turn/resume.ts';
import type { CloseStatus } from '../lifecycle/abandon.ts';
import { isRefusal } from '../../store/outage.ts';
import type { PersistentSteps } from './persistent-steps.ts';
import type { StepRunner, StepWork } from './step-runner.ts';
import { Scheduler } from './scheduler.ts';
import type { Step } from '../step/step.ts';
import { activeMachines } from './resume-run.ts';
import { Timers } from './timers.ts';
import { isDamage } from '../../store/damaged-row.ts';

/** Runs that are resumed at once after a restart. */
const RECOVERY_PAGE = 200;

/**
 * Drives the runs of a store that this process has to itself: its tables hold the timers, the queued runs and the
 * unfinished ones.
 */
export class LocalDriver implements Driver {
  readonly #deps: Dependencies;
  readonly #stepRunner: StepRunner;
  readonly #steps: PersistentSteps;
  readonly #timers: Timers;
  readonly #clockWatch: ClockWatch;
  readonly #scheduler: Scheduler;

  constructor(deps: Dependencies, stepRunner: StepRunner, steps: PersistentSteps) {
    this.#deps = deps;
    this.#stepRunner = stepRunner;
    this.#steps = steps;
    this.#clockWatch = new ClockWatch(deps, steps, { isWorking: () => this.working > 0 });
    this.#timers = new Timers(deps, steps, this.#clockWatch);
    this.#scheduler = new Scheduler(deps, (runId) => this.#begin(runId));
  }

  /** Resumes unfinished runs, then starts queued ones. */
  async start(): Promise<number> {
    await this.#stepRunner.meters.load(this.#deps.clock.now());
    await this.#clockWatch.start();
    let count = 0;
    let after = '';
    for (;;) {
      const rows = await this.#deps.store.list('run', {
        where: [
          ['status', '=', 'running'],
          ['id', '>', after],
        ],
        order: [['id', 'asc']],
        limit: RECOVERY_PAGE,
        bodies: false,
      });
      const counts = await Promise.all(rows.map((row) => this.#recover(row.id)));
      count += counts.reduce((sum, n) => sum + n, 0);
      after = rows.at(-1)?.id ?? '';
      if (rows.length < RECOVERY_PAGE) break;
    }
    await this.#timers.arm();
    this.#scheduler.queued();
    return count;
  }

  queued(): void {
    this.#scheduler.queued();
    void this.#timers.rearm();
  }

  committed(step: Step): void {
    if (step.nextDue < Infinity) void this.#timers.arm(step.nextDue);
    const { id, status } = step.runState.record.run;
    this.#scheduler.statusChanged(id, status);
  }

  /** Never called: no other process has runs of this store. */
  refused(): void {}
  lookAgain(): void {}

  closed(runId: string, status: CloseStatus): void {
    this.#scheduler.statusChanged(runId, status);
  }

  get working(): number {
    return this.#scheduler.working;
  }

  stop(): void {
    this.#scheduler.stop();
    this.#timers.stop();
    this.#clockWatch.stop();
  }

  async close(): Promise<void> {}

  /**
   * Resumes the machines of one run; returns their number. A run that cannot be read stays as it is, and the log names
   * it.
   */
  async #recover(runId: string): Promise<number> {
    const machines = await activeMachines(this.#deps.store, runId);
    const work: StepWork = async (step) => {
      for (const id of machines) await resume(step, id);
    };
    const logUnreadable = (error: unknown) =>
      this.#deps.log.error('a run could not be resumed; it stays as it is', { run: runId, ...errorBody(error) });
    try {
      await this.#stepRunner.run(runId, work);
      return machines.length;
    } catch (error) {
      if (isDamage(error)) await this.#steps.fail(runId, error);
      else if (!isRefusal(error)) logUnreadable(error);
      // The start does not wait for a full disk; only this run does.
      else void this.#steps.persist(runId, work).catch(logUnreadable);
      return 0;
    }
  }

  async #begin(runId: string): Promise<boolean> {
    let work: StepWork | undefined;
    const isReady = await this.#steps.repeatWhileRefused(runId, async () => (work = await begin(this.#deps, runId)));
    const first = work;
    if (!isReady || first === undefined) return false;
    const hasPulse = this.#clockWatch.isPulseDue;
    // With the first step: otherwise the time after a crash would count as time in which the run worked.
    const isBegun = await this.#steps.settle(runId, async (step) => {
      await first(step);
      if (hasPulse) step.draft.append(this.#clockWatch.pulse());
    });
    if (isBegun && hasPulse) this.#clockWatch.stored();
    return isBegun;
  }
}

import { errorBody } from '../../base/error.ts';
import { begin } from './begin.ts';
import { type Driver, fire, type DriverDeps } from './driver.ts';
import type { Dependencies } from '../dependencies.ts';
import { ClockWatch } from './clock-watch.ts';
import { resume } from '../turn/resume.ts';
import { isRefusal, type StepRunner, type StepWork } from './step-runner.ts';
import { Scheduler } from './scheduler.ts';
import type { Step } from '../step/step.ts';
import { Timers } from './timers.ts';

/** Machines taken up at once after a restart. */
const RECOVERY_PAGE = 200;

/** Drives the runs of a store that this process has to itself: timers, queued runs and unfinished ones are its tables. */
export class LocalDriver implements Driver {
  readonly #deps: Dependencies;
  readonly #stepRunner: StepRunner;
  readonly #host: DriverDeps;
  readonly #timers: Timers;
  readonly #clockWatch: ClockWatch;
  readonly #scheduler: Scheduler;

  constructor(deps: Dependencies, stepRunner: StepRunner, host: DriverDeps) {
    this.#deps = deps;
    this.#stepRunner = stepRunner;
    this.#host = host;
    this.#clockWatch = new ClockWatch(deps, { isWorking: () => this.working > 0, advance: host.persist });
    this.#timers = new Timers(deps, {
      fire: (timer) => host.settle(timer.root, (step) => fire(step, timer)),
      beforeWake: () => this.#clockWatch.check(),
    });
    this.#scheduler = new Scheduler(deps, (runId) => this.#begin(runId));
  }

  /** Takes up unfinished runs, then lets queued ones begin. */
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
  }

  committed(step: Step): void {
    if (step.nextDue < Infinity) void this.#timers.arm(step.nextDue);
    const { id, status } = step.runState.record.run;
    this.#scheduler.note(id, status);
  }

  recheck(): void {}

  mayAct(): boolean {
    return true;
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

  /** Takes up the machines of one run. One that cannot be read is left as it is, and named. */
  async #recover(runId: string): Promise<number> {
    const rows = await this.#deps.store.list('machine', {
      where: [
        ['root', '=', runId],
        ['status', '=', 'active'],
      ],
      bodies: false,
    });
    const work: StepWork = async (step) => {
      for (const row of rows) await resume(step, row.id);
    };
    const left = (error: unknown) =>
      this.#deps.log.error('a run could not be taken up; it is left as it is', { run: runId, ...errorBody(error) });
    try {
      await this.#stepRunner.run(runId, work);
      return rows.length;
    } catch (error) {
      if (!isRefusal(error)) left(error);
      // A start does not wait for a full disk; the run does.
      else void this.#host.persist(runId, work).catch(left);
      return 0;
    }
  }

  async #begin(runId: string): Promise<boolean> {
    let work: StepWork | undefined;
    const isReady = await this.#host.whileRefused(runId, async () => (work = await begin(this.#deps, runId)));
    return isReady && work !== undefined && this.#host.settle(runId, work);
  }
}

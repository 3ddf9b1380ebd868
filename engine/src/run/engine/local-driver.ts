import { errorBody } from '../../base/error.ts';
import { begin } from './begin.ts';
import { type Driver, fire, type Ways } from './driver.ts';
import type { Parts } from '../dependencies.ts';
import { Pulse } from './clock-watch.ts';
import { resume } from '../turn/resume.ts';
import { isRefusal, type Roots, type Work } from './step-runner.ts';
import { Scheduler } from './scheduler.ts';
import type { Step } from '../step/step.ts';
import { Timers } from './timers.ts';

/** Machines taken up at once after a restart. */
const RECOVERY_PAGE = 200;

/** Drives the runs of a store that this process has to itself: timers, queued runs and unfinished ones are its tables. */
export class LocalDriver implements Driver {
  readonly #parts: Parts;
  readonly #roots: Roots;
  readonly #ways: Ways;
  readonly #timers: Timers;
  readonly #pulse: Pulse;
  readonly #scheduler: Scheduler;

  constructor(parts: Parts, roots: Roots, ways: Ways) {
    this.#parts = parts;
    this.#roots = roots;
    this.#ways = ways;
    this.#pulse = new Pulse(parts, { isWorking: () => this.working > 0, advance: ways.persist });
    this.#timers = new Timers(parts, {
      fire: (timer) => ways.settle(timer.root, (step) => fire(step, timer)),
      beforeWake: () => this.#pulse.check(),
    });
    this.#scheduler = new Scheduler(parts, (runId) => this.#begin(runId));
  }

  /** Takes up unfinished runs, then lets queued ones begin. */
  async start(): Promise<number> {
    await this.#roots.meters.load(this.#parts.clock.now());
    await this.#pulse.start();
    let count = 0;
    let after = '';
    for (;;) {
      const rows = await this.#parts.store.list('run', {
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
    const { id, status } = step.tree.record.run;
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
    this.#pulse.stop();
  }

  async close(): Promise<void> {}

  /** Takes up the machines of one run. One that cannot be read is left as it is, and named. */
  async #recover(runId: string): Promise<number> {
    const rows = await this.#parts.store.list('machine', {
      where: [
        ['root', '=', runId],
        ['status', '=', 'active'],
      ],
      bodies: false,
    });
    const work: Work = async (step) => {
      for (const row of rows) await resume(step, row.id);
    };
    const left = (error: unknown) =>
      this.#parts.log.error('a run could not be taken up; it is left as it is', { run: runId, ...errorBody(error) });
    try {
      await this.#roots.dispatch(runId, work);
      return rows.length;
    } catch (error) {
      if (!isRefusal(error)) left(error);
      // A start does not wait for a full disk; the run does.
      else void this.#ways.persist(runId, work).catch(left);
      return 0;
    }
  }

  async #begin(runId: string): Promise<boolean> {
    let work: Work | undefined;
    const isReady = await this.#ways.whileRefused(runId, async () => (work = await begin(this.#parts, runId)));
    return isReady && work !== undefined && this.#ways.settle(runId, work);
  }
}

import { EngineError, errorBody } from '../../base/error.ts';
import { isUnreadable } from '../lifecycle/abandon.ts';
import { begin } from './begin.ts';
import type { Driver } from './driver.ts';
import { HeldRun, type HeldRuns } from './held-run.ts';
import { isElsewhere, releaseLease, readLease } from '../lease.ts';
import type { Dependencies, ClusterDependencies } from '../dependencies.ts';
import type { EffectRunner } from './effect-runner.ts';
import { ClockWatch } from './clock-watch.ts';
import type { RunJob } from '../../cluster/queue/queue.ts';
import { isRefusal, type PersistentSteps } from './persistent-steps.ts';
import type { StepRunner } from './step-runner.ts';
import { deductAbsence, takeUp } from './take-up.ts';
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
 * Drives runs of a store that several processes share. A look from the queue brings a run into hand: it is taken up where
 * it stands, its effects are performed and its timers rung here, until it parks or ends. Then the look ends too, and the
 * run's next timer is a look of its own.
 */
export class SharedDriver implements Driver {
  readonly #deps: Dependencies;
  readonly #shared: ClusterDependencies;
  readonly #stepRunner: StepRunner;
  readonly #steps: PersistentSteps;
  readonly #effectRunner: EffectRunner;
  readonly #heldRuns: HeldRuns;
  readonly #clockWatch: ClockWatch;
  /** Runs that could not be read, each told of once. */
  readonly #told = new Set<string>();
  #unhear: () => void = () => {};
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
    this.#unhear = this.#shared.hearStepped(
      (runId) => void this.recheck(runId),
      () => {
        for (const runId of this.#heldRuns.keys()) void this.recheck(runId);
      },
    );
    const concurrency = () => this.#deps.config.current().settings.runs.concurrency;
    await this.#shared.queue.work((job) => this.#look(job), concurrency);
    return 0;
  }

  /** New runs bring their look with them. */
  queued(): void {}

  committed(step: Step, isRepeated: boolean): void {
    const { id } = step.runState.record.run;
    const { lease } = step.runState;
    const heldRun = this.#heldRuns.get(id);
    const isOurs = heldRun !== undefined && lease.worker === this.#shared.worker && lease.job === heldRun.job.jobId;
    if (!isOurs && lease.worker !== '') this.#shared.tellStepped(id);
    if (heldRun === undefined) return;
    heldRun.hasLease = isOurs;
    if (!isOurs && !heldRun.isTaking) return heldRun.release();
    if (step.nextDue < heldRun.armedFor) this.#arm(heldRun, step.nextDue);
    if (isRepeated) void this.recheck(id);
  }

  /**
   * Looks again at a run in hand: takes up what is not under way, and drops what is no longer wanted. True once that is done;
   * false where the run was let go before. Never rejects.
   */
  async recheck(runId: string, dueAt = 0): Promise<boolean> {
    const heldRun = this.#heldRuns.get(runId);
    if (heldRun === undefined || heldRun.isOver || this.#isStopped) return false;
    if (heldRun.isTaking) {
      // What it is to see may have come after it was read.
      heldRun.isAsked = true;
      heldRun.dueAt = Math.max(heldRun.dueAt, dueAt);
      return heldRun.taken;
    }
    try {
      return await this.#steps.whileRefused(runId, (isRepeated) =>
        this.#stepRunner.run(runId, (step) => takeUp(step, this.#effectRunner, dueAt), 'take', isRepeated),
      );
    } catch (error) {
      this.#lose(heldRun, error);
      return false;
    }
  }

  get working(): number {
    return this.#heldRuns.size;
  }

  stop(): void {
    this.#isStopped = true;
    this.#unhear();
    this.#clockWatch.stop();
    for (const heldRun of this.#heldRuns.values()) heldRun.disarm();
    if (this.#isStarted) this.#queueStopped = this.#shared.queue.stop();
  }

  /** Gives back what is in hand, so that another process goes on with it at once. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#heldRuns.values(), (heldRun) => this.#giveBack(heldRun)));
    await this.#queueStopped;
  }

  async #giveBack(heldRun: HeldRun): Promise<void> {
    try {
      await this.#stepRunner.run(heldRun.job.runId, async () => {}, 'release');
    } catch (error) {
      // Its look fails, so the queue gives it to somebody else in a while.
      if (!isElsewhere(error)) this.#deps.log.debug('a run was not given back', { ...errorBody(error) });
      this.#lose(heldRun);
    }
    heldRun.release();
  }

  async #look(job: RunJob): Promise<void> {
    const { runId } = job;
    for (let known = this.#heldRuns.get(runId); known !== undefined; known = this.#heldRuns.get(runId)) {
      // Not over before it is seen: a run that is just being let go is not looked at by who had it.
      if (known.mayAct && known.job.jobId !== job.jobId && (await this.recheck(runId, job.dueAt))) return;
      if (this.#isStopped) break;
      if (!known.isOver) this.#lose(known);
      if (this.#heldRuns.get(runId) === known) this.#heldRuns.delete(runId);
    }
    if (this.#isStopped) throw new EngineError('BUSY', 'this process stops');
    const heldRun = new HeldRun(job);
    this.#heldRuns.set(runId, heldRun);
    job.signal.addEventListener('abort', () => this.#lose(heldRun), { once: true });
    try {
      await this.#take(heldRun);
      await heldRun.ended;
      if (heldRun.isLost) throw releaseLease(runId);
      this.#told.delete(runId);
    } catch (error) {
      heldRun.settle(false);
      this.#lose(heldRun);
      if (await this.#comesBack(runId, error)) throw error;
    } finally {
      heldRun.disarm();
      if (this.#heldRuns.get(runId) === heldRun) this.#heldRuns.delete(runId);
    }
  }

  /** What a look that failed comes to: true where another one is to be tried later, here or by another process. */
  async #comesBack(runId: string, error: unknown): Promise<boolean> {
    if (errorBody(error).code === 'NOT_FOUND' && (await this.#rowOf(runId)) === undefined) return false;
    if (isElsewhere(error)) {
      this.#shared.tellStepped(runId);
      return error.retryable;
    }
    if (!this.#told.has(runId))
      this.#deps.log.error('a run could not be taken up; it is left to others, and tried again', {
        run: runId,
        ...errorBody(error),
      });
    this.#told.add(runId);
    return true;
  }

  /** Takes a run up where it stands. Rejects where that cannot be done here and now. */
  async #take(heldRun: HeldRun): Promise<void> {
    const { runId } = heldRun.job;
    const row = await this.#rowOf(runId);
    if (row === undefined || !OPEN_STATUSES.some((open) => open === row.status)) {
      await this.#dropLease(runId);
      heldRun.settle(true);
      return heldRun.release();
    }
    const first = row.status === 'queued' ? await begin(this.#deps, runId) : undefined;
    try {
      await deductAbsence(this.#deps, this.#stepRunner, runId);
      do {
        const { dueAt } = heldRun;
        heldRun.isAsked = false;
        heldRun.dueAt = 0;
        await this.#stepRunner.run(runId, (step) => takeUp(step, this.#effectRunner, dueAt, first), 'take');
      } while (heldRun.isAsked);
    } catch (error) {
      if (isElsewhere(error) || isRefusal(error) || isForOthers(error)) throw error;
      // A fault of the run, or of ours: it ends with its name, and is not tried for ever.
      const { code, message } = errorBody(error);
      this.#deps.log.error('a run failed on an error of the engine', { run: runId, code, error: message });
      const failure = { code, message };
      await this.#stepRunner.run(runId, (step) => step.send(runId, { type: 'FAIL', at: step.now, failure }), 'take');
    }
    heldRun.settle(!heldRun.isLost);
    if (!heldRun.hasLease) heldRun.release();
  }

  /** Of a run that somebody else has ended after the process had died that held it. */
  async #dropLease(runId: string): Promise<void> {
    const { store } = this.#deps;
    if ((await readLease(store, runId)).rev > 0)
      await store.apply([{ op: 'delete', table: 'lease', where: { run: runId } }]);
  }

  async #rowOf(runId: string): Promise<Row<'run'> | undefined> {
    return (await this.#deps.store.list('run', { where: [['id', '=', runId]], bodies: false }))[0];
  }

  /** Another process has the run, or may have it. */
  #lose(heldRun: HeldRun, error?: unknown): void {
    const { runId } = heldRun.job;
    if (heldRun.isLost) return;
    heldRun.isLost = true;
    if (error !== undefined && !isElsewhere(error))
      this.#deps.log.warn('a run in hand is left to others', { run: runId, ...errorBody(error) });
    if (this.#heldRuns.get(runId) === heldRun) {
      this.#effectRunner.drop(runId);
      this.#stepRunner.forget(runId);
    }
    heldRun.release();
  }

  #arm(heldRun: HeldRun, due: number): void {
    const { clock } = this.#deps;
    heldRun.disarm();
    heldRun.armedFor = due;
    const ring = async () => {
      heldRun.armedFor = Infinity;
      await this.#clockWatch.check();
      if (!heldRun.mayAct || this.#isStopped) return;
      const { runId } = heldRun.job;
      // A clock that was set may have put the timer further away: then this only arms it anew.
      await this.#steps.settle(runId, (step) => fireDue(step));
    };
    const failed = (error: unknown) => this.#deps.log.error('a timer could not be rung', { ...errorBody(error) });
    heldRun.disarm = clock.delay(() => void ring().catch(failed), Math.max(0, due - clock.now()));
  }
}

/** What this version, or this process, cannot read: another one may, or a person has to look. */
function isForOthers(error: unknown): boolean {
  return isUnreadable(error) || ['NOT_FOUND', 'CONFIG_TOO_NEW'].includes(errorBody(error).code);
}

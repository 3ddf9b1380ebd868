import { EngineError, errorBody } from '../../base/error.ts';
import { abandonRun, isUnreadable } from '../lifecycle/abandon.ts';
import { readApproval } from '../../guard/approval.ts';
import { type ApprovalDecision, decideApproval } from '../turn/decide-approval.ts';
import type { Driver, DriverDeps } from './driver.ts';
import type { HeldRuns } from './held-run.ts';
import { isElsewhere } from '../lease.ts';
import { LocalDriver } from './local-driver.ts';
import { measuredIn } from '../step/step-metrics.ts';
import type { Dependencies } from '../dependencies.ts';
import { EffectRunner } from './effect-runner.ts';
import { isRefusal, StepRunner, type StepWork } from './step-runner.ts';
import { entryScope, OPEN_STATUSES } from '../run.ts';
import { SharedDriver } from './shared-driver.ts';
import type { Step } from '../step/step.ts';

/** Pause before an outcome is written again after the store refused it. */
const STORE_RETRY_MS = 1000;

/** Drives all runs: commit, act, recover, queue. */
export class Engine {
  readonly #deps: Dependencies;
  readonly #stepRunner: StepRunner;
  readonly #effectRunner: EffectRunner;
  readonly #driver: Driver;
  /** Nothing new is launched; outcomes are still written. */
  #isStopping = false;
  #isStopped = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const heldRuns: HeldRuns = new Map();
    this.#stepRunner = new StepRunner(deps, heldRuns, (step, isRepeated) => this.#afterCommit(step, isRepeated));
    const host: DriverDeps = {
      settle: (root, work) => this.#settle(root, work),
      persist: (root, work) => this.#persist(root, work),
      whileRefused: (root, attempt) => this.#whileRefused(root, attempt),
    };
    this.#effectRunner = new EffectRunner(deps, {
      settle: host.settle,
      note: (root, work) => this.#stepRunner.run(root, work).catch((error: unknown) => this.#noteFailed(root, error)),
      mayAct: (root) => this.#driver.mayAct(root),
    });
    this.#driver =
      deps.shared === undefined
        ? new LocalDriver(deps, this.#stepRunner, host)
        : new SharedDriver(deps, deps.shared, {
            stepRunner: this.#stepRunner,
            effectRunner: this.#effectRunner,
            heldRuns,
            host,
          });
  }

  /** Takes up unfinished runs, then lets queued ones begin. Returns how many machines were taken up. */
  start(): Promise<number> {
    return this.#driver.start();
  }

  /** Tells that new runs are in the store. */
  queued(): void {
    this.#driver.queued();
  }

  /**
   * Cancels a run and everything under it; one whose machines cannot be read is closed as it lies. `NOT_FOUND`,
   * `RUN_NOT_ACTIVE` where it is over, `STORE_FAILED` where nothing can be written now.
   */
  async cancel(runId: string): Promise<void> {
    try {
      await this.#stepRunner.run(runId, cancelRun);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await this.#stepRunner.run(runId, (step) => abandonRun(step, error));
    }
  }

  /** Answers an approval; see `decide.ts` for its errors. */
  async decide(approvalId: string, decision: ApprovalDecision): Promise<void> {
    const approval = await readApproval(this.#deps.store, approvalId);
    if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
    await this.#stepRunner.run(approval.runId, (step) => decideApproval(step, approvalId, decision));
  }

  /** What works now: for diagnostics and for tests. */
  load(): { working: number; effects: number; inMemory: number } {
    return { working: this.#driver.working, effects: this.#effectRunner.size, inMemory: this.#stepRunner.size };
  }

  /**
   * Stops taking up work and ends what is under way; unfinished runs go on at the next start. Writes get `graceMs` to end
   * by themselves.
   */
  async stop({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    this.#isStopping = true;
    this.#driver.stop();
    await this.#effectRunner.settleDown(graceMs);
    this.#isStopped = true;
    await this.#effectRunner.stop();
    await this.#driver.close();
    await this.#stepRunner.meters.stop();
  }

  #afterCommit(step: Step, isRepeated: boolean): void {
    const { id } = step.runState.record.run;
    for (const hash of step.toolsets) this.#stepRunner.actors.storedToolsets.add(hash);
    for (const effect of step.aborts) this.#effectRunner.abort(effect);
    if (!this.#isStopping && this.#driver.mayAct(id))
      for (const effect of step.launches) this.#effectRunner.start(effect);
    for (const { name, data } of step.notices) this.#deps.live.publish(name, data);
    this.#deps.metrics?.took(measuredIn(step));
    this.#deps.telemetry?.took({ scope: entryScope(step.runState.record), changes: step.draft.changes });
    this.#driver.committed(step, isRepeated);
  }
  /** Brings an outcome into its run; true once it is on disk. Any error but the store's refusal ends the run. */
  async #settle(root: string, work: StepWork): Promise<boolean> {
    try {
      return await this.#persist(root, work);
    } catch (error) {
      await this.#crash(root, error);
      return false;
    }
  }

  /** Advances a run, however long the store refuses; false where the engine was stopped before that. */
  #persist(root: string, work: StepWork): Promise<boolean> {
    return this.#whileRefused(root, () => this.#stepRunner.run(root, work, 'outcome'));
  }

  /** Does something again until the store lets it; false where the engine was stopped before that. */
  async #whileRefused(root: string, attempt: () => Promise<unknown>): Promise<boolean> {
    for (let refusals = 0; !this.#isStopped; refusals++) {
      try {
        await attempt();
        if (refusals > 0) this.#driver.recheck(root);
        return true;
      } catch (error) {
        // Another process goes on with the run: what was brought about here is looked up, or made again, there.
        if (isElsewhere(error)) return false;
        if (!isRefusal(error)) throw error;
        const fields = { run: root, ...errorBody(error) };
        if (refusals === 0) this.#deps.log.error('the store refuses to work; trying again every second', fields);
        await new Promise<void>((resolve) => this.#deps.clock.delay(resolve, STORE_RETRY_MS));
      }
    }
    return false;
  }

  async #crash(root: string, cause: unknown): Promise<void> {
    const { code, message } = errorBody(cause);
    // Somebody deleted it while an effect of it was under way.
    if (code === 'NOT_FOUND' && (await this.#isGone(root))) return;
    this.#deps.log.error('a run failed on an error of the engine', { run: root, code, error: message });
    try {
      const failure = { code, message };
      await this.#persist(root, (step) => step.send(root, { type: 'FAIL', at: step.now, failure }));
    } catch (error) {
      this.#deps.log.error('a run could not be failed; it is left as it is', { run: root, ...errorBody(error) });
    }
  }

  #noteFailed(run: string, error: unknown): void {
    this.#deps.log.warn('what came of a cancelled call could not be written down', { run, ...errorBody(error) });
  }

  async #isGone(runId: string): Promise<boolean> {
    return (await this.#deps.store.get('run', { id: runId }).catch(() => null)) === undefined;
  }
}

async function cancelRun(step: Step): Promise<void> {
  const { id, status } = step.runState.record.run;
  if (!OPEN_STATUSES.some((open) => open === status))
    throw new EngineError('RUN_NOT_ACTIVE', `run "${id}" is ${status} already`);
  await step.send(id, { type: 'CANCEL', at: step.now });
}

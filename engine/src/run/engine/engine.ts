import { EngineError } from '../../base/error.ts';
import { abandonRun, isUnreadable } from '../lifecycle/abandon.ts';
import { readApproval } from '../../guard/approval.ts';
import { type ApprovalDecision, decideApproval } from '../turn/decide-approval.ts';
import type { Driver } from './driver.ts';
import type { HeldRuns } from './held-run.ts';
import { LocalDriver } from './local-driver.ts';
import { measuredIn } from '../step/step-metrics.ts';
import type { EngineDependencies } from '../mode/mode.ts';
import { EffectRunner } from './effect-runner.ts';
import { PersistentSteps } from './persistent-steps.ts';
import { type StepListener, StepRunner } from './step-runner.ts';
import { entryScope, OPEN_STATUSES } from '../run.ts';
import { SharedDriver } from './shared-driver.ts';
import type { Step } from '../step/step.ts';

/** Drives all runs: commit, act, recover, queue. */
export class Engine {
  readonly #deps: EngineDependencies;
  readonly #stepRunner: StepRunner;
  readonly #steps: PersistentSteps;
  readonly #effectRunner: EffectRunner;
  readonly #driver: Driver;

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
    const heldRuns: HeldRuns = new Map();
    const listener: StepListener = { committed: (step, isRepeated) => this.#committed(step, isRepeated) };
    const stepRunner = (this.#stepRunner = new StepRunner(deps, heldRuns, listener));
    const steps = (this.#steps = new PersistentSteps(deps, stepRunner));
    const effectRunner = (this.#effectRunner = new EffectRunner(deps, steps, heldRuns));
    this.#driver =
      deps.shared === undefined
        ? new LocalDriver(deps, stepRunner, steps)
        : new SharedDriver(deps, deps.shared, { stepRunner, steps, effectRunner, heldRuns });
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
    this.#driver.stop();
    await this.#effectRunner.settleDown(graceMs);
    this.#steps.stop();
    await this.#effectRunner.stop();
    await this.#driver.close();
    await this.#stepRunner.meters.stop();
  }

  #committed(step: Step, isRepeated: boolean): void {
    for (const effect of step.aborts) this.#effectRunner.abort(effect);
    for (const effect of step.launches) this.#effectRunner.start(effect);
    for (const { name, data } of step.notices) this.#deps.live.publish(name, data);
    this.#deps.metrics?.record(measuredIn(step));
    this.#deps.telemetry?.record({ scope: entryScope(step.runState.record), changes: step.draft.changes });
    this.#driver.committed(step, isRepeated);
  }
}

async function cancelRun(step: Step): Promise<void> {
  const { id, status } = step.runState.record.run;
  if (!OPEN_STATUSES.some((open) => open === status))
    throw new EngineError('RUN_NOT_ACTIVE', `run "${id}" is ${status} already`);
  await step.send(id, { type: 'CANCEL', at: step.now });
}

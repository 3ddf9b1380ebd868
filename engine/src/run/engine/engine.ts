import { EngineError } from '../../base/error.ts';
import { isUnreadable } from '../lifecycle/abandon.ts';
import { closeUnreadable } from './close-unreadable.ts';
import { readApproval } from '../../guard/approval.ts';
import { type ApprovalDecision, decideApproval } from '../turn/decide-approval.ts';
import type { Driver } from './driver.ts';
import type { HeldRuns } from './held-run.ts';
import { LocalDriver } from './local-driver.ts';
import { measuredIn } from '../step/step-metrics.ts';
import type { EngineDependencies } from '../mode/mode.ts';
import { EffectRunner } from './effect-runner.ts';
import { PersistentSteps } from './persistent-steps.ts';
import type { Meters } from '../../budget/meters.ts';
import { type StepListener, StepRunner } from './step-runner.ts';
import { entryScope, OPEN_STATUSES } from '../run.ts';
import { SharedDriver } from './shared-driver.ts';
import type { Step } from '../step/step.ts';

/** Drives all runs: commits steps, performs their effects, resumes unfinished runs, starts queued ones. */
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
    const effectRunner = (this.#effectRunner = new EffectRunner(deps, steps, heldRuns, stepRunner.meters));
    this.#driver =
      deps.shared === undefined
        ? new LocalDriver(deps, stepRunner, steps)
        : new SharedDriver(deps, deps.shared, { stepRunner, steps, effectRunner, heldRuns });
  }

  /** Counts requests and budgets of this process. */
  get meters(): Meters {
    return this.#stepRunner.meters;
  }

  /** Resumes unfinished runs, then starts queued ones. Resolves with the number of machines that were resumed. */
  start(): Promise<number> {
    return this.#driver.start();
  }

  /** To be called after new runs were stored. */
  queued(): void {
    this.#driver.queued();
  }

  /**
   * Cancels a run and everything under it; a run whose machines cannot be read is closed as it is. `NOT_FOUND`,
   * `RUN_NOT_ACTIVE` where it is over, `STORE_FAILED` where the store cannot be written now.
   */
  async cancel(runId: string): Promise<void> {
    try {
      await this.#stepRunner.run(runId, cancelRun);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await closeUnreadable(this.#deps, this.#stepRunner, { runId, cause: error, status: 'cancelled' });
    }
  }

  /** Answers an approval. Errors as in `decideApproval`. */
  async decide(approvalId: string, decision: ApprovalDecision): Promise<void> {
    const approval = await readApproval(this.#deps.store, approvalId);
    if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
    await this.#stepRunner.run(approval.runId, (step) => decideApproval(step, approvalId, decision));
  }

  /** Current load, for diagnostics and tests. */
  load(): { working: number; effects: number; inMemory: number } {
    return { working: this.#driver.working, effects: this.#effectRunner.size, inMemory: this.#stepRunner.size };
  }

  /**
   * Takes no more work and ends all effects; the next start resumes unfinished runs. Writes get `graceMs` milliseconds
   * to end by themselves. Default: 0.
   */
  async stop({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    this.#driver.stop();
    await this.#effectRunner.drain(graceMs);
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

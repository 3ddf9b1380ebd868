import { EngineError } from '../../base/error.ts';
import { isUnreadable } from '../lifecycle/unreadable.ts';
import { closeUnreadable } from './close-unreadable.ts';
import { readApproval } from '../../guard/approval.ts';
import { type ApprovalDecision, decideApproval, recheckApproval } from '../turn/decide-approval.ts';
import { type AlwaysPlan, planAlways } from '../turn/always.ts';
import { type CallDraft, draftCall } from '../turn/preview-call.ts';
import type { Driver } from './driver.ts';
import type { HeldRuns } from './held-run.ts';
import { LocalDriver } from './local-driver.ts';
import { measuredIn } from '../step/step-metrics.ts';
import type { EngineDependencies } from '../mode/mode.ts';
import { receiveMessage } from '../mode/receive-message.ts';
import type { RunMessage } from '../ask/question.ts';
import { EffectRunner } from './effect-runner.ts';
import type { ObjectiveOrder } from '../objective/objective.ts';
import { orderNow } from '../objective/wake.ts';
import { goOnAfterOutage } from '../pursuit/go-on.ts';
import { PersistentSteps } from './persistent-steps.ts';
import type { Meters } from '../../budget/meters.ts';
import { type StepListener, StepRunner } from './step-runner.ts';
import { entryScope, OPEN_STATUSES } from '../run.ts';
import { SharedDriver } from './shared-driver.ts';
import type { Step } from '../step/step.ts';
import type { Row } from '../../store/store.ts';

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
    const listener: StepListener = {
      committed: (step, isRepeated) => this.#committed(step, isRepeated),
      refused: (runId) => this.#driver.refused(runId),
      closed: (runId, status) => {
        this.#effectRunner.abandon(runId);
        this.#driver.closed(runId, status);
      },
    };
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

  /** To be called after new runs, or wakes of runs, were stored. */
  queued(): void {
    this.#driver.queued();
  }

  /** Begins what was left out while others could take this process for dead. To be called when they cannot any more. */
  lookAgain(): void {
    this.#driver.lookAgain();
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

  /** Answers an approval. Errors as in `decideApproval`; also those that it returns, once they are on disk. */
  async decide(approvalId: string, decision: ApprovalDecision): Promise<void> {
    const approval = await readApproval(this.#deps.store, approvalId);
    if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
    let ended: EngineError | undefined;
    await this.#stepRunner.run(approval.runId, async (step) => {
      ended = await decideApproval(step, approvalId, decision);
    });
    if (ended !== undefined) throw ended;
  }

  /** Gives words of a person or a program to a run, such as the answer to its question. Errors as in `receiveMessage`; `NOT_FOUND`. */
  async message(runId: string, message: RunMessage): Promise<void> {
    await this.#stepRunner.run(runId, (step) => receiveMessage(step, this.#deps.modes, message));
  }

  /** Pauses, resumes or finishes an objective. Errors as in `orderNow`. */
  async orderObjective(id: string, order: Omit<ObjectiveOrder, 'at'>): Promise<void> {
    await this.#stepRunner.run(id, (step) => orderNow(step, order));
  }

  /** Lets an objective go on that an outage of its models has stopped. Errors as in `goOnAfterOutage`. */
  async goOn(id: string, by: string): Promise<void> {
    await this.#stepRunner.run(id, (step) => goOnAfterOutage(step, by));
  }

  /** Ends a pending approval that has expired or holds no longer, and tells others of one that waits too long. */
  async recheckApproval({ id, run }: Pick<Row<'approval'>, 'id' | 'run'>): Promise<void> {
    await this.#stepRunner.run(run, (step) => recheckApproval(step, id));
  }

  /** The call of a pending approval with these arguments, or its own, for the person who decides. Errors as in `draftCall`. */
  async draftCall(approvalId: string, edited?: unknown): Promise<CallDraft> {
    const approval = await readApproval(this.#deps.store, approvalId);
    if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
    return this.#stepRunner.read(approval.runId, (step) => draftCall(step, approvalId, edited));
  }

  /** What "always" would add to the config for a pending approval. Errors as in `planAlways`. */
  async planAlways(approvalId: string, pattern?: string): Promise<AlwaysPlan> {
    const approval = await readApproval(this.#deps.store, approvalId);
    if (approval === undefined) throw new EngineError('NOT_FOUND', `there is no approval "${approvalId}"`);
    return this.#stepRunner.read(approval.runId, (step) => planAlways(step, approvalId, pattern));
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

import { type ErrorBody, errorBody } from '../../base/error.ts';
import { isRefusal, STORE_RETRY_MS } from '../../store/outage.ts';
import { isDamage } from '../../store/damaged-row.ts';
import type { Dependencies } from '../dependencies.ts';
import { isElsewhere, type LeaseMode } from '../lease.ts';
import { closeUnreadable } from './close-unreadable.ts';
import type { StepRunner, StepWork } from './step-runner.ts';

/**
 * Steps that must not be lost: while the store refuses a step (`STORE_FAILED`), it is repeated every second until the
 * engine stops.
 */
export class PersistentSteps {
  readonly #deps: Dependencies;
  readonly #stepRunner: StepRunner;
  #isStopped = false;

  constructor(deps: Dependencies, stepRunner: StepRunner) {
    this.#deps = deps;
    this.#stepRunner = stepRunner;
  }

  /**
   * Commits an outcome to its run; true once it is on disk. False where another process holds the run, or the engine
   * stops. Any error but a refusal of the store ends the run as failed. Never rejects.
   */
  async settle(root: string, work: StepWork): Promise<boolean> {
    try {
      return await this.persist(root, work);
    } catch (error) {
      await this.fail(root, error);
      return false;
    }
  }

  /** As `settle`, but any error except a refusal of the store rejects. */
  persist(root: string, work: StepWork): Promise<boolean> {
    return this.repeatWhileRefused(root, (isRepeated) => this.#stepRunner.run(root, work, 'outcome', isRepeated));
  }

  /**
   * Repeats `attempt` while the store refuses it; true once it has succeeded. False where another process holds the
   * run, or the engine stops. `isRepeated` is true from the second call on. Any other error rejects.
   */
  async repeatWhileRefused(root: string, attempt: (isRepeated: boolean) => Promise<unknown>): Promise<boolean> {
    for (let refusals = 0; !this.#isStopped; refusals++) {
      try {
        await attempt(refusals > 0);
        return true;
      } catch (error) {
        // The process that holds the run looks up the outcome, or performs the effect again.
        if (isElsewhere(error)) return false;
        if (!isRefusal(error)) throw error;
        const fields = { run: root, ...errorBody(error) };
        if (refusals === 0)
          this.#deps.log.error('the store refuses a step; the engine repeats it every second', fields);
        await new Promise<void>((resolve) => this.#deps.clock.delay(resolve, STORE_RETRY_MS));
      }
    }
    return false;
  }

  /** Records the late outcome of a cancelled call, in one attempt: no run waits for it. Never rejects. */
  async record(root: string, work: StepWork): Promise<void> {
    try {
      await this.#stepRunner.run(root, work);
    } catch (error) {
      const fields = { run: root, ...errorBody(error) };
      this.#deps.log.warn('the late outcome of a cancelled call could not be stored', fields);
    }
  }

  /** Ends all repetitions: a step that the store refuses from now on is not repeated. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Ends a run as failed with an error of the engine or the store, and no other run. A run that another version wrote
   * stays as it is. Never rejects.
   */
  async fail(root: string, cause: unknown, mode: LeaseMode = 'outcome'): Promise<void> {
    const { code, message } = errorBody(cause);
    // A person deleted the run while an effect of it was running.
    if (code === 'NOT_FOUND' && (await this.#isGone(root))) return;
    this.#deps.log.error('a run failed with an error of the engine', { run: root, code, error: message });
    try {
      const failure = { code, message };
      await this.repeatWhileRefused(root, (isRepeated) => this.#failOnce(root, failure, mode, isRepeated));
    } catch (error) {
      this.#deps.log.error('a run could not be ended as failed; it stays as it is', { run: root, ...errorBody(error) });
    }
  }

  async #failOnce(root: string, failure: ErrorBody, mode: LeaseMode, isRepeated: boolean): Promise<void> {
    try {
      const work: StepWork = (step) => step.send(root, { type: 'FAIL', at: step.now, failure });
      await this.#stepRunner.run(root, work, mode, isRepeated);
    } catch (error) {
      if (!isDamage(error)) throw error;
      await closeUnreadable(this.#deps, this.#stepRunner, { runId: root, cause: error, status: 'failed', mode });
    }
  }

  async #isGone(runId: string): Promise<boolean> {
    return (await this.#deps.store.get('run', { id: runId }).catch(() => null)) === undefined;
  }
}

import { EngineError, errorBody } from '../../base/error.ts';
import type { Dependencies } from '../dependencies.ts';
import { isElsewhere } from '../lease.ts';
import type { StepRunner, StepWork } from './step-runner.ts';

/** Pause before a step is attempted again after the store refused it. */
const STORE_RETRY_MS = 1000;

/** Steps that must not get lost: each is attempted again every second while the store refuses it, until the engine stops. */
export class PersistentSteps {
  readonly #deps: Dependencies;
  readonly #stepRunner: StepRunner;
  #isStopped = false;

  constructor(deps: Dependencies, stepRunner: StepRunner) {
    this.#deps = deps;
    this.#stepRunner = stepRunner;
  }

  /**
   * Commits an outcome to its run; true once it is on disk. False where another process works the run or the engine stops.
   * Any error but a refusal of the store ends the run as failed. Never rejects.
   */
  async settle(root: string, work: StepWork): Promise<boolean> {
    try {
      return await this.persist(root, work);
    } catch (error) {
      await this.#fail(root, error);
      return false;
    }
  }

  /** As `settle`, but any error except a refusal of the store rejects. */
  persist(root: string, work: StepWork): Promise<boolean> {
    return this.whileRefused(root, (isRepeated) => this.#stepRunner.run(root, work, 'outcome', isRepeated));
  }

  /**
   * Calls `attempt` until the store does not refuse it; true once it has succeeded. False where another process works the run
   * or the engine stops. `isRepeated` is true from the second call on. Any other error rejects.
   */
  async whileRefused(root: string, attempt: (isRepeated: boolean) => Promise<unknown>): Promise<boolean> {
    for (let refusals = 0; !this.#isStopped; refusals++) {
      try {
        await attempt(refusals > 0);
        return true;
      } catch (error) {
        // The process that works the run looks the outcome up, or repeats the effect.
        if (isElsewhere(error)) return false;
        if (!isRefusal(error)) throw error;
        const fields = { run: root, ...errorBody(error) };
        if (refusals === 0) this.#deps.log.error('the store refuses to work; trying again every second', fields);
        await new Promise<void>((resolve) => this.#deps.clock.delay(resolve, STORE_RETRY_MS));
      }
    }
    return false;
  }

  /** Records the late outcome of a cancelled call, in one attempt: no run waits for it. Never rejects. */
  async note(root: string, work: StepWork): Promise<void> {
    try {
      await this.#stepRunner.run(root, work);
    } catch (error) {
      const fields = { run: root, ...errorBody(error) };
      this.#deps.log.warn('what came of a cancelled call could not be written down', fields);
    }
  }

  /** Ends all retries: what the store refuses from now on is not attempted again. */
  stop(): void {
    this.#isStopped = true;
  }

  async #fail(root: string, cause: unknown): Promise<void> {
    const { code, message } = errorBody(cause);
    // A person deleted the run while an effect of it was under way.
    if (code === 'NOT_FOUND' && (await this.#isGone(root))) return;
    this.#deps.log.error('a run failed on an error of the engine', { run: root, code, error: message });
    try {
      const failure = { code, message };
      await this.persist(root, (step) => step.send(root, { type: 'FAIL', at: step.now, failure }));
    } catch (error) {
      this.#deps.log.error('a run could not be failed; it is left as it is', { run: root, ...errorBody(error) });
    }
  }

  async #isGone(runId: string): Promise<boolean> {
    return (await this.#deps.store.get('run', { id: runId }).catch(() => null)) === undefined;
  }
}

/** Whether the store refused to write (`STORE_FAILED`: disk full, folder read-only, server away). Nothing was written. */
export function isRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_FAILED';
}

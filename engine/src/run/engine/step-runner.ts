import { EngineError } from '../../base/error.ts';
import type { CloseStatus } from '../lifecycle/abandon.ts';
import { actionHandler } from './action-handlers.ts';
import { Actors } from '../step/actor.ts';
import type { HeldRuns } from './held-run.ts';
import { isElsewhere, type Lease, type LeaseMode } from '../lease.ts';
import { Leases } from './leases.ts';
import { LocalMeters } from '../../budget/local-meters.ts';
import type { Meters } from '../../budget/meters.ts';
import type { EngineDependencies } from '../mode/mode.ts';
import { type HandleAction, Step } from '../step/step.ts';
import { RunState } from '../step/run-state.ts';

/** Work that advances one run. It may be repeated on freshly read state, so it must change nothing but the step. */
export type StepWork = (step: Step) => Promise<void>;

/** Receives each committed step, before the next step of its run begins. */
export interface StepListener {
  /**
   * Performs what follows from a committed step. `isRepeated`: an earlier attempt failed, because another step had
   * changed what it read or because the store refused it; this process may have missed changes of the run.
   */
  committed(step: Step, isRepeated: boolean): void;
  /** A step of a run was refused with `RUN_ELSEWHERE`: another process holds the run, or may hold it. */
  refused(runId: string): void;
  /** A run was closed by its rows, without a step, since it cannot be read. */
  closed(runId: string, status: CloseStatus): void;
}

/** How often a step is repeated after another step changed what it had read. */
const MAX_CONFLICTS = 5;
/** The same in a chat: up to 20 participants speak at once and add to one map of private values, and one of them gets on each time. */
const MAX_CHAT_CONFLICTS = 50;

/**
 * The one way to advance runs. Each run has one step at a time, and each step is one transaction; after the commit the
 * listener gets the step. Steps of different runs overlap, and share commits.
 */
export class StepRunner {
  readonly actors: Actors;
  readonly meters: Meters;
  readonly #deps: EngineDependencies;
  readonly #handleAction: HandleAction;
  readonly #listener: StepListener;
  readonly #leases: Leases | undefined;
  readonly #heldRuns: HeldRuns;
  readonly #runStates = new Map<string, RunState>();
  readonly #tails = new Map<string, Promise<void>>();

  constructor(deps: EngineDependencies, heldRuns: HeldRuns, listener: StepListener) {
    this.#deps = deps;
    this.#handleAction = actionHandler(deps.modes);
    this.#heldRuns = heldRuns;
    this.#listener = listener;
    this.#leases = deps.shared === undefined ? undefined : new Leases(deps.shared, heldRuns);
    this.actors = new Actors(deps);
    this.meters = deps.meters ?? new LocalMeters(deps.store);
  }

  /** Removes a run from memory: the next step reads it from the store. */
  forget(runId: string): void {
    this.#runStates.delete(runId);
    this.meters.forget(runId);
  }

  /** To be called once the rows of a run were closed without a step. */
  closed(runId: string, status: CloseStatus): void {
    this.forget(runId);
    this.#listener.closed(runId, status);
  }

  /** Number of runs in memory. */
  get size(): number {
    return this.#runStates.size;
  }

  /**
   * Advances a run; resolves once the step is on disk. An error of the work or of the store rejects, and nothing is
   * changed. `RUN_ELSEWHERE` where another process holds the run and `mode` is not `command`. Set `isRepeated` where the
   * store refused an earlier attempt.
   */
  run(runId: string, work: StepWork, mode: LeaseMode = 'command', isRepeated = false): Promise<void> {
    const before = this.#tails.get(runId) ?? Promise.resolve();
    const result = before.then(() => this.#attempt(runId, work, mode, isRepeated));
    const tail = result.catch(() => {});
    this.#tails.set(runId, tail);
    void tail.then(() => {
      if (this.#tails.get(runId) === tail) this.#tails.delete(runId);
    });
    return result;
  }

  /** Answers from the stored state of a run. The step of `work` is never written, and holds up no other step. */
  async read<T>(runId: string, work: (step: Step) => Promise<T>): Promise<T> {
    const runState = await RunState.load(this.#deps, runId);
    return work(new Step(this.#deps, this, runState, this.#handleAction));
  }

  async #attempt(runId: string, work: StepWork, mode: LeaseMode, isRepeated: boolean): Promise<void> {
    // Taking over starts from the stored state, not from the state in memory.
    if (mode === 'take') this.#runStates.delete(runId);
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await this.#commit(runId, work, mode, isRepeated || conflicts > 0);
      } catch (error) {
        const isInChat = this.#runStates.get(runId)?.record.run.trigger.kind === 'chat';
        this.#runStates.delete(runId);
        if (isElsewhere(error)) this.#listener.refused(runId);
        const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
        if (!isConflict || conflicts >= (isInChat ? MAX_CHAT_CONFLICTS : MAX_CONFLICTS)) throw error;
      }
    }
  }

  async #commit(runId: string, work: StepWork, mode: LeaseMode, isRepeated: boolean): Promise<void> {
    const runState = this.#runStates.get(runId) ?? (await RunState.load(this.#deps, runId));
    this.#runStates.set(runId, runState);
    await this.#leases?.check(runState, mode);
    const step = new Step(this.#deps, this, runState, this.#handleAction);
    step.mayAct = this.#leases?.mayAct(runState, mode) ?? true;
    const lease = await this.#write(step, work, mode);
    this.#deps.probe?.('after-commit');
    if (lease !== undefined) runState.lease = lease;
    runState.prune();
    if (!runState.isBusy || this.#leases?.isOurs(runState.lease, this.#heldRuns.get(runId)) === false)
      this.#runStates.delete(runId);
    for (const hash of step.toolsets) this.actors.storedToolsets.add(hash);
    this.#listener.committed(step, isRepeated);
  }

  /** Does the work and commits its changes; returns the lease as it is after the commit. */
  async #write(step: Step, work: StepWork, mode: LeaseMode): Promise<Lease | undefined> {
    try {
      await work(step);
      await step.finish();
      const lease = await this.#leases?.addChanges(step, mode);
      this.#deps.probe?.('before-commit');
      if (step.isMetered) step.draft.append(...this.meters.rows(step.runState.record.run.id));
      await this.#deps.store.apply(step.draft.changes);
      return lease;
    } catch (error) {
      for (const takeBack of step.takeBacks) takeBack();
      throw error;
    }
  }
}

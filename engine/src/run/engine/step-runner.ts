import { EngineError } from '../../base/error.ts';
import { handleAction } from './action-handlers.ts';
import { Cast } from '../step/actor.ts';
import type { Holds } from './held-run.ts';
import type { Lease, Manner } from '../lease.ts';
import { Leases } from './leases.ts';
import { LocalMeters } from '../../budget/local-meters.ts';
import type { Meters } from '../../budget/meters.ts';
import type { Parts } from '../dependencies.ts';
import { Step } from '../step/step.ts';
import { Tree } from '../step/run-state.ts';

/** Work that advances one run. It may be done again on a fresh tree, so it must not change anything but the step. */
export type Work = (step: Step) => Promise<void>;

/** How often a step is tried anew after somebody else changed what it read. */
const MAX_CONFLICTS = 5;

/**
 * The one way to advance runs: per run one step at a time, each committed as a whole; after the commit `onCommit` launches
 * what the step asked for. Steps of different runs overlap, and share commits.
 */
export class Roots {
  readonly cast: Cast;
  readonly meters: Meters;
  readonly #parts: Parts;
  readonly #onCommit: (step: Step, isRepeated: boolean) => void;
  readonly #leases: Leases | undefined;
  readonly #holds: Holds;
  readonly #trees = new Map<string, Tree>();
  readonly #tails = new Map<string, Promise<void>>();

  /** `onCommit` is told whether the step had to be made anew, after somebody else's; `holds` are the runs in hand. */
  constructor(parts: Parts, holds: Holds, onCommit: (step: Step, isRepeated: boolean) => void) {
    this.#parts = parts;
    this.#holds = holds;
    this.#onCommit = onCommit;
    this.#leases = parts.shared === undefined ? undefined : new Leases(parts.shared, holds);
    this.cast = new Cast(parts);
    this.meters = parts.meters ?? new LocalMeters(parts.store);
  }

  /** Drops what is remembered of a run: the next step reads it anew. */
  forget(runId: string): void {
    this.#trees.delete(runId);
    this.meters.forget(runId);
  }

  /** Runs in memory. */
  get size(): number {
    return this.#trees.size;
  }

  /**
   * Advances a run; resolved once the step is on disk. Errors of the work and of the store reject, and change nothing.
   * `RUN_ELSEWHERE` where another process holds the run, and `manner` is none that anybody may step it in.
   */
  dispatch(runId: string, work: Work, manner: Manner = 'order'): Promise<void> {
    const before = this.#tails.get(runId) ?? Promise.resolve();
    const result = before.then(() => this.#attempt(runId, work, manner));
    const tail = result.catch(() => {});
    this.#tails.set(runId, tail);
    void tail.then(() => {
      if (this.#tails.get(runId) === tail) this.#tails.delete(runId);
    });
    return result;
  }

  async #attempt(runId: string, work: Work, manner: Manner): Promise<void> {
    // Who takes a run up looks at what is stored, not at what was remembered.
    if (manner === 'take') this.#trees.delete(runId);
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await this.#commit(runId, work, manner, conflicts > 0);
      } catch (error) {
        this.#trees.delete(runId);
        const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
        if (!isConflict || conflicts >= MAX_CONFLICTS) throw error;
      }
    }
  }

  async #commit(runId: string, work: Work, manner: Manner, isRepeated: boolean): Promise<void> {
    const tree = this.#trees.get(runId) ?? (await Tree.load(this.#parts, runId));
    this.#trees.set(runId, tree);
    await this.#leases?.check(tree, manner);
    const step = new Step(this.#parts, this, tree, handleAction);
    step.mayAct = this.#leases?.mayAct(tree, manner) ?? true;
    const lease = await this.#write(step, work, manner);
    this.#parts.probe?.('after-commit');
    if (lease !== undefined) tree.lease = lease;
    tree.prune();
    if (!tree.isBusy || this.#leases?.isOurs(tree.lease, this.#holds.get(runId)) === false) this.#trees.delete(runId);
    this.#onCommit(step, isRepeated);
  }

  /** Does the work and writes what came of it; returns the lease as it is then. */
  async #write(step: Step, work: Work, manner: Manner): Promise<Lease | undefined> {
    try {
      await work(step);
      await step.finish();
      const lease = await this.#leases?.seal(step, manner);
      this.#parts.probe?.('before-commit');
      if (step.isMetered) step.draft.append(...this.meters.rows(step.tree.record.run.id));
      await this.#parts.store.apply(step.draft.changes);
      return lease;
    } catch (error) {
      for (const takeBack of step.takeBacks) takeBack();
      throw error;
    }
  }
}

/** The disk is full, the folder read-only, the server away: nothing was written, and it may work later. */
export function isRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_FAILED';
}

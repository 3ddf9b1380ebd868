import { EngineError } from '../base/error.ts';
import { handleAction } from './actions.ts';
import { Cast } from './actor.ts';
import { Meters } from './meters.ts';
import type { Parts } from './parts.ts';
import { Step } from './step.ts';
import { Tree } from './tree.ts';

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
  readonly meters = new Meters();
  readonly #parts: Parts;
  readonly #onCommit: (step: Step) => void;
  readonly #trees = new Map<string, Tree>();
  readonly #tails = new Map<string, Promise<void>>();

  constructor(parts: Parts, onCommit: (step: Step) => void) {
    this.#parts = parts;
    this.#onCommit = onCommit;
    this.cast = new Cast(parts);
  }

  /** Runs in memory. */
  get size(): number {
    return this.#trees.size;
  }

  /** Advances a run; resolved once the step is on disk. Errors of the work and of the store reject, and change nothing. */
  dispatch(runId: string, work: Work): Promise<void> {
    const before = this.#tails.get(runId) ?? Promise.resolve();
    const result = before.then(() => this.#attempt(runId, work));
    const tail = result.catch(() => {});
    this.#tails.set(runId, tail);
    void tail.then(() => {
      if (this.#tails.get(runId) === tail) this.#tails.delete(runId);
    });
    return result;
  }

  async #attempt(runId: string, work: Work): Promise<void> {
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await this.#commit(runId, work);
      } catch (error) {
        this.#trees.delete(runId);
        const isConflict = error instanceof EngineError && error.code === 'STORE_CONFLICT';
        if (!isConflict || conflicts >= MAX_CONFLICTS) throw error;
      }
    }
  }

  async #commit(runId: string, work: Work): Promise<void> {
    const tree = this.#trees.get(runId) ?? (await Tree.load(this.#parts, runId));
    this.#trees.set(runId, tree);
    const step = new Step(this.#parts, this, tree, handleAction);
    await work(step);
    await step.finish();
    this.#parts.probe?.('before-commit');
    await this.#parts.store.apply(step.draft.changes);
    this.#parts.probe?.('after-commit');
    tree.prune();
    if (!tree.isBusy) this.#trees.delete(runId);
    this.#onCommit(step);
  }
}

/** The disk is full, the folder read-only, the server away: nothing was written, and it may work later. */
export function isRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_FAILED';
}

import { EngineError } from '../../base/error.ts';
import { type CommitJob, nextBatch } from '../commit-queue.ts';
import { isLost } from './pg-errors.ts';
import type { Change } from '../store.ts';

/**
 * Group commit where a commit takes time: lists that come while one is under way share the next. A list that is at fault does
 * not take the others with it: a batch that fails is halved until it stands alone. What is no list's fault fails all of it.
 */
export class PgCommitQueue {
  readonly #commit: (lists: readonly (readonly Change[])[]) => Promise<void>;
  readonly #jobs: CommitJob[] = [];
  #running: Promise<void> | undefined;

  /** `commit` writes all lists in one transaction, or rejects with an `EngineError` and has written none. */
  constructor(commit: (lists: readonly (readonly Change[])[]) => Promise<void>) {
    this.#commit = commit;
  }

  add(changes: readonly Change[]): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ changes, done, failed });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything added so far is written or has failed. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // What comes within the same turn of the event loop goes along.
    await new Promise(setImmediate);
    while (this.#jobs.length > 0) await this.#write(nextBatch(this.#jobs));
    this.#running = undefined;
  }

  async #write(jobs: readonly CommitJob[]): Promise<void> {
    try {
      await this.#commit(jobs.map(({ changes }) => changes));
      for (const { done } of jobs) done();
    } catch (error) {
      if (jobs.length === 1 || !isListAtFault(error)) return jobs.forEach(({ failed }) => failed(error));
      const half = Math.ceil(jobs.length / 2);
      await this.#write(jobs.slice(0, half));
      await this.#write(jobs.slice(half));
    }
  }
}

/** False for what may pass by itself, and where nobody knows what was written: that is not to be tried again here. */
function isListAtFault(error: unknown): boolean {
  return !(error instanceof EngineError && (error.retryable || isLost(error.cause)));
}

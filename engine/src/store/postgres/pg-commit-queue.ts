import { EngineError } from '../../base/error.ts';
import { type CommitJob, nextBatch } from '../commit-queue.ts';
import { isLost } from './pg-errors.ts';
import type { Change } from '../store.ts';

/**
 * Group commit for a database with slow commits: lists that arrive during a commit share the next one. A bad list does
 * not fail the others: the queue splits a failed batch in halves until the bad list is alone. An error that no list
 * caused fails the whole batch.
 */
export class PgCommitQueue {
  readonly #commit: (lists: readonly (readonly Change[])[]) => Promise<void>;
  readonly #jobs: CommitJob[] = [];
  #running: Promise<void> | undefined;

  /** `commit` writes all lists in one transaction; if it rejects, with an `EngineError`, it has written none. */
  constructor(commit: (lists: readonly (readonly Change[])[]) => Promise<void>) {
    this.#commit = commit;
  }

  /** Resolves once the list is committed; rejects if it was not written, or if nobody can find out. */
  add(changes: readonly Change[]): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ changes, done, failed });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when every list added so far is written or has failed. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Lists of the same turn of the event loop share the first commit.
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

/** False for retryable errors, and for lost connections, after which a second attempt could write the list twice. */
function isListAtFault(error: unknown): boolean {
  return !(error instanceof EngineError && (error.retryable || isLost(error.cause)));
}

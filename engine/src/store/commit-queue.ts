import { EngineError } from '../base/error.ts';
import type { Change } from './store.ts';

/** A list of changes that waits for its commit. */
interface CommitJob {
  readonly changes: readonly Change[];
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Most lists in one commit. More would block the event loop too long: 64 took at most 26 to 30 ms when measured. */
const MAX_LISTS = 64;
/** Most changes in one commit, for the same reason. */
const MAX_CHANGES = 1000;
/** Most characters and bytes of bodies in one commit, so that mails with large attachments do not share one. */
const MAX_BODIES = 32 * 1024 * 1024;

/** Writes all lists in one transaction, at once or by the time the promise resolves; if it fails, it has written none. */
export type Commit = (lists: readonly (readonly Change[])[]) => void | Promise<void>;

/**
 * Group commit: lists that arrive within one turn of the event loop, or while a commit is being written, share a transaction and
 * its fsync. One bad list does not fail the others: the queue splits a failed batch in halves until that list is alone.
 */
export class CommitQueue {
  readonly #commit: Commit;
  readonly #isListAtFault: (error: unknown) => boolean;
  readonly #jobs: CommitJob[] = [];
  /** True from the first list until none waits and nothing is being written. */
  #isBusy = false;
  #isEnded = false;
  #idle: (() => void)[] = [];

  /** An error of which `isListAtFault` is false fails the whole batch. */
  constructor(commit: Commit, isListAtFault: (error: unknown) => boolean = () => true) {
    this.#commit = commit;
    this.#isListAtFault = isListAtFault;
  }

  /**
   * Resolves once the list is committed; rejects if it was not written, or if nobody can find out. `STORE_FAILED` after `end`.
   */
  add(changes: readonly Change[]): Promise<void> {
    return new Promise((done, failed) => {
      if (this.#isEnded) throw new EngineError('STORE_FAILED', 'cannot write to the store: it is closed');
      this.#jobs.push({ changes, done, failed });
      if (!this.#isBusy) this.#schedule();
    });
  }

  /** Resolves when every list added so far is written or has failed. */
  drain(): Promise<void> {
    if (!this.#isBusy) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Resolves when every list is written or has failed, those added meanwhile too, and takes none from then on. */
  async end(): Promise<void> {
    while (this.#isBusy) await this.drain();
    this.#isEnded = true;
  }

  #schedule(): void {
    this.#isBusy = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    const batch = nextBatch(this.#jobs);
    let isFurther = false;
    try {
      const written = this.#commit(batch.map(({ changes }) => changes));
      if (written !== undefined) {
        await written;
        // What waits is written while those that waited for this commit go on.
        isFurther = this.#jobs.length > 0;
        if (isFurther) void this.#flush();
      }
      for (const { done } of batch) done();
    } catch (error) {
      await this.#commitHalves(batch, error);
    }
    if (isFurther) return;
    if (this.#jobs.length > 0) return this.#schedule();
    this.#isBusy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Commits the halves of a batch that has failed with `error`. */
  async #commitHalves(batch: readonly CommitJob[], error: unknown): Promise<void> {
    if (batch.length === 1 || !this.#isListAtFault(error)) return batch.forEach(({ failed }) => failed(error));
    const middle = Math.ceil(batch.length / 2);
    for (const half of [batch.slice(0, middle), batch.slice(middle)])
      try {
        await this.#commit(half.map(({ changes }) => changes));
        for (const { done } of half) done();
      } catch (cause) {
        await this.#commitHalves(half, cause);
      }
  }
}

/** Takes the lists of the next commit out of those that wait: one at least. */
function nextBatch(jobs: CommitJob[]): CommitJob[] {
  let size = 0;
  let bodies = 0;
  let count = 0;
  for (const { changes } of jobs) {
    size += changes.length;
    bodies += changes.reduce((sum, change) => sum + bodyLength(change), 0);
    if (count > 0 && (count >= MAX_LISTS || size > MAX_CHANGES || bodies > MAX_BODIES)) break;
    count++;
  }
  return jobs.splice(0, count);
}

function bodyLength(change: Change): number {
  const row: object =
    change.op === 'insert' || change.op === 'put' ? change.row : change.op === 'update' ? change.set : {};
  return (row as { readonly body?: string | Uint8Array }).body?.length ?? 0;
}

import type { Change } from './store.ts';

/** A list of changes that waits for its commit. */
export interface CommitJob {
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

/**
 * Group commit: lists that arrive within one turn of the event loop share a transaction and its fsync. If the shared
 * transaction fails, the queue commits each list alone, so that one bad list does not fail the others.
 */
export class CommitQueue {
  readonly #commit: (lists: readonly (readonly Change[])[]) => void;
  readonly #jobs: CommitJob[] = [];
  #scheduled = false;
  #idle: (() => void)[] = [];

  /** `commit` writes all lists in one transaction; if it throws, it has written none. */
  constructor(commit: (lists: readonly (readonly Change[])[]) => void) {
    this.#commit = commit;
  }

  /** Resolves once the list is committed; rejects if it was not written. */
  add(changes: readonly Change[]): Promise<void> {
    return new Promise((done, failed) => {
      this.#jobs.push({ changes, done, failed });
      this.#schedule();
    });
  }

  /** Resolves when every list added so far is written or has failed. */
  drain(): Promise<void> {
    if (this.#jobs.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
      if (this.#jobs.length > 0) this.#schedule();
      else for (const resolve of this.#idle.splice(0)) resolve();
    });
  }

  #flush(): void {
    const batch = nextBatch(this.#jobs);
    try {
      this.#commit(batch.map((job) => job.changes));
      for (const job of batch) job.done();
    } catch (error) {
      const only = batch.length === 1 ? batch[0] : undefined;
      if (only !== undefined) only.failed(error);
      else for (const job of batch) this.#commitAlone(job);
    }
  }

  #commitAlone(job: CommitJob): void {
    try {
      this.#commit([job.changes]);
      job.done();
    } catch (error) {
      job.failed(error);
    }
  }
}

/** Takes the lists of the next commit out of those that wait: one at least. */
export function nextBatch(jobs: CommitJob[]): CommitJob[] {
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

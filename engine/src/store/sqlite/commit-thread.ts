import { MAX_DELAY_MS } from '../../base/clock.ts';
import { createPool, type Pool } from '../../base/worker-pool.ts';
import type { Logger } from '../../base/log.ts';
import { EngineError } from '../../base/error.ts';
import type { Sql } from '../sql.ts';
import { type PackedCommit, packChanges } from './packed-commit.ts';
import type { Durability } from './connection.ts';

/** When commits are left to the thread. */
export interface ThreadRule {
  /** Fewest lists of changes in a commit. A smaller one is written sooner without the way to the thread and back. */
  readonly lists: number;
  /** By how many more of the newest commits had so many lists than had not: a server with little to do starts no thread. */
  readonly commits: number;
  /** The module of the thread. */
  readonly entry?: URL | undefined;
}

const RULE: ThreadRule = { lists: 4, commits: 16 };

/** Options of `CommitThread`. */
export interface CommitThreadOptions extends Durability, Pick<PackedCommit, 'file' | 'inode'> {
  readonly rule?: ThreadRule | undefined;
  readonly log: Logger;
}

/**
 * A worker thread with a connection of its own that writes large commits, so that the event loop does not wait for them. It
 * starts under load, and ends when it had nothing to write for a while. It never writes at the same time as the process itself.
 */
export class CommitThread {
  readonly #options: CommitThreadOptions;
  readonly #rule: ThreadRule;
  readonly #pool: Pool<PackedCommit, void>;
  /** How many more of the newest commits were large than were small; at most the number of the rule. */
  #load = 0;
  /** True once no thread is to write any more. */
  #isBroken = false;

  constructor(options: CommitThreadOptions) {
    this.#options = options;
    this.#rule = options.rule ?? RULE;
    this.#pool = createPool({
      entry: this.#rule.entry ?? new URL('./commit-worker.ts', import.meta.url),
      size: 1,
      // A commit is never given up, because it could still be made then.
      timeoutMs: MAX_DELAY_MS,
      maxHeapMb: 512,
      tooCostly: 'INTERNAL',
    });
  }

  /** Counts a commit of so many lists, and says whether it is for the thread. */
  takes(lists: number): boolean {
    if (lists < this.#rule.lists) {
      this.#load = Math.max(0, this.#load - 1);
      return false;
    }
    this.#load = Math.min(this.#rule.commits, this.#load + 1);
    return this.#load >= this.#rule.commits && !this.#isBroken;
  }

  /**
   * Writes changes in one transaction. Resolves with true once they are on disk, and with false if the thread ended or failed, whether or
   * not it had written them; then it takes no more. Rejects with `STORE_*`: nothing is written.
   */
  async commit(changes: readonly Sql[]): Promise<boolean> {
    const { file, inode, synchronous, isSealed, log } = this.#options;
    try {
      await this.#pool.run({ file, inode, synchronous, isSealed, ...packChanges(changes) });
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.code !== 'INTERNAL') throw error;
      // One that has only failed may still hold the database.
      await this.close();
      log.warn('the thread that writes to the store has ended; the process writes by itself from now on', { error });
      return false;
    }
  }

  /** Takes no more commits, and ends the thread. */
  close(): Promise<void> {
    this.#isBroken = true;
    return this.#pool.close();
  }
}

import type { Abortable } from '../../base/abort.ts';
import { MAX_DELAY_MS } from '../../base/clock.ts';
import { createPool, type Pool } from '../../base/worker-pool.ts';
import type { IndexJob, IndexReply, IndexRequest, IndexResults } from './index-jobs.ts';

/** A job that takes longer is given up, and its thread replaced. Opening a file of 50,000 memories takes half a second. */
const TIMEOUT_MS = 60_000;

/** Options of `IndexThread`. */
export interface IndexThreadOptions {
  /** File of the index; `''` for one in memory. */
  readonly file: string;
  /** Called when another thread has taken over, whose index may lack changes. */
  readonly onReplaced: () => void;
}

/** The worker thread that has the index. It starts with the first job. */
export class IndexThread {
  readonly #options: IndexThreadOptions;
  readonly #pool: Pool<IndexRequest, IndexReply>;
  #thread: number | undefined;
  #replacements = 0;

  constructor(options: IndexThreadOptions) {
    this.#options = options;
    this.#pool = createPool({
      entry: new URL('./index-worker.ts', import.meta.url),
      size: 1,
      timeoutMs: TIMEOUT_MS,
      maxHeapMb: 1024,
      idleMs: MAX_DELAY_MS,
      tooCostly: 'INTERNAL',
    });
  }

  /** How often another thread has taken over. */
  get replacements(): number {
    return this.#replacements;
  }

  /** Does a job after those before it. Abort rejects with the signal's reason. */
  async run<K extends IndexJob['kind']>(
    job: Extract<IndexJob, { readonly kind: K }>,
    options: Abortable = {},
  ): Promise<IndexResults[K]> {
    const { thread, value } = await this.#pool.run({ file: this.#options.file, job }, options);
    const isReplaced = this.#thread !== undefined && this.#thread !== thread;
    this.#thread = thread;
    if (isReplaced) {
      this.#replacements++;
      this.#options.onReplaced();
    }
    return value as IndexResults[K];
  }

  async close(): Promise<void> {
    if (this.#thread !== undefined) await this.run({ kind: 'close' }).catch(() => {});
    await this.#pool.close();
  }
}

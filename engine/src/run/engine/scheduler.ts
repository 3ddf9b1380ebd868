import { errorBody } from '../../base/error.ts';
import { STORE_RETRY_MS } from '../../store/outage.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RunStatus } from '../run.ts';

/**
 * Starts queued runs, oldest first, while fewer than `runs.concurrency` runs work. Waiting runs do not count, nor do
 * the agents under a run.
 */
export class Scheduler {
  readonly #deps: Dependencies;
  /** Performs the first step of a queued run; false where that fails. Never rejects. */
  readonly #begin: (runId: string) => Promise<boolean>;
  readonly #working = new Set<string>();
  /** Runs that cannot be read: they stay queued, count as no work, and are tried again at the next start. */
  readonly #unreadable = new Set<string>();
  #mayHaveQueued = true;
  #isPumping = false;
  #isPumpWanted = false;
  #isStopped = false;
  #cancelRetry: () => void = () => {};

  constructor(deps: Dependencies, begin: (runId: string) => Promise<boolean>) {
    this.#deps = deps;
    this.#begin = begin;
  }

  /** Number of runs that work now. */
  get working(): number {
    return this.#working.size;
  }

  /** Records the status of a run after a commit, and starts the next queued run where one has ended or waits. */
  statusChanged(runId: string, status: RunStatus): void {
    if (status === 'running') this.#working.add(runId);
    else if (status !== 'queued' && this.#working.delete(runId)) this.pump();
  }

  /** To be called after new runs were stored. */
  queued(): void {
    this.#mayHaveQueued = true;
    this.pump();
  }

  pump(): void {
    if (!this.#mayHaveQueued || this.#isStopped) return;
    this.#isPumpWanted = true;
    if (!this.#isPumping) void this.#pump();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry();
  }

  /**
   * Starts runs until no more were requested: a run that is queued while the store is read is found by the next pass. Where the
   * store cannot be read it is read again after a second: nothing else may request runs until then.
   */
  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      while (this.#isPumpWanted) {
        this.#isPumpWanted = false;
        await this.#fill();
      }
    } catch (error) {
      this.#deps.log.error('queued runs could not be read; trying again', { ...errorBody(error) });
      this.#cancelRetry();
      if (!this.#isStopped) this.#cancelRetry = this.#deps.clock.delay(() => this.pump(), STORE_RETRY_MS);
    } finally {
      this.#isPumping = false;
    }
  }

  async #fill(): Promise<void> {
    const free = this.#deps.config.current().settings.runs.concurrency - this.#working.size;
    if (free <= 0 || this.#isStopped) return;
    // Runs that are just starting are still `queued` in the store: read past them.
    const rows = await this.#deps.store.list('run', {
      where: [['status', '=', 'queued']],
      order: [['id', 'asc']],
      limit: free + this.#working.size + this.#unreadable.size,
      bodies: false,
    });
    const next = rows.filter(({ id }) => !this.#working.has(id) && !this.#unreadable.has(id)).slice(0, free);
    if (next.length === 0 && !this.#isPumpWanted) this.#mayHaveQueued = false;
    for (const { id } of next) {
      this.#working.add(id);
      void this.#begin(id).then((isBegun) => !isBegun && this.#setAside(id));
    }
  }

  #setAside(runId: string): void {
    if (this.#isStopped || !this.#working.delete(runId)) return;
    this.#unreadable.add(runId);
    this.queued();
  }
}

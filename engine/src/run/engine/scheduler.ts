import { errorBody } from '../../base/error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RunStatus } from '../run.ts';

/**
 * Lets queued runs begin, oldest first, while fewer than `runs.concurrency` of them work. Runs that wait do not count, nor
 * do the agents under a run.
 */
export class Scheduler {
  readonly #deps: Dependencies;
  /** Brings a queued run to its first step; false where that cannot be done. Never rejects. */
  readonly #begin: (runId: string) => Promise<boolean>;
  readonly #working = new Set<string>();
  /** Runs that cannot be read: they stay queued, take no place, and are tried again at the next start. */
  readonly #left = new Set<string>();
  #mayHaveQueued = true;
  #isPumping = false;
  #isPumpWanted = false;
  #isStopped = false;

  constructor(deps: Dependencies, begin: (runId: string) => Promise<boolean>) {
    this.#deps = deps;
    this.#begin = begin;
  }

  /** Runs that work now. */
  get working(): number {
    return this.#working.size;
  }

  /** Notes where a run stands after a commit, and lets the next one in. */
  note(runId: string, status: RunStatus): void {
    if (status === 'running') this.#working.add(runId);
    else if (status !== 'queued' && this.#working.delete(runId)) this.pump();
  }

  /** New runs are queued. */
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
  }

  /** Fills free places until nobody has asked meanwhile: a run that is queued during a look is seen by the next one. */
  async #pump(): Promise<void> {
    this.#isPumping = true;
    try {
      while (this.#isPumpWanted) {
        this.#isPumpWanted = false;
        await this.#fill();
      }
    } catch (error) {
      this.#deps.log.error('queued runs could not be read', { ...errorBody(error) });
    } finally {
      this.#isPumping = false;
    }
  }

  async #fill(): Promise<void> {
    const free = this.#deps.config.current().settings.runs.concurrency - this.#working.size;
    if (free <= 0 || this.#isStopped) return;
    // Runs that are just beginning are still queued in the store: read past them.
    const rows = await this.#deps.store.list('run', {
      where: [['status', '=', 'queued']],
      order: [['id', 'asc']],
      limit: free + this.#working.size + this.#left.size,
      bodies: false,
    });
    const next = rows.filter(({ id }) => !this.#working.has(id) && !this.#left.has(id)).slice(0, free);
    if (next.length === 0 && !this.#isPumpWanted) this.#mayHaveQueued = false;
    for (const { id } of next) {
      this.#working.add(id);
      void this.#begin(id).then((isBegun) => !isBegun && this.#leave(id));
    }
  }

  #leave(runId: string): void {
    if (this.#isStopped || !this.#working.delete(runId)) return;
    this.#left.add(runId);
    this.queued();
  }
}

import { EngineError, errorBody } from '../../base/error.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import { startTask } from '../../task/start-task.ts';
import { DueLoop } from './loop.ts';

/**
 * Starts tasks when they are due, the one with the highest priority first. It waits with the next one until the run of the last one
 * has begun, so that tasks that become due later can still go before those that find no free run.
 */
export class DueTasks extends DueLoop {
  readonly #deps: Dependencies;
  readonly #onRuns: () => void;
  /** Tasks that cannot be read or started: they would stay due for ever. They are tried again after a restart. */
  readonly #setAside = new Set<string>();
  /** The run that was queued last, until it has begun. */
  #queued: string | undefined;

  /** `onRuns` is called after a run was queued. */
  constructor(deps: Dependencies, onRuns: () => void) {
    super(deps, 'tasks');
    this.#deps = deps;
    this.#onRuns = onRuns;
  }

  /** To be called after the status of a run has changed. */
  runChanged(runId: unknown): void {
    if (runId === this.#queued) this.wake();
  }

  /** Returns when the next task is due; Infinity if there is none, or while the last run is queued. */
  protected override async doDue(): Promise<number> {
    while (this.isActive && !(await this.#isHeld())) {
      const id = await this.#nextDue();
      if (id === undefined) return this.#nextTime();
      await this.#start(id);
    }
    return Infinity;
  }

  async #isHeld(): Promise<boolean> {
    const id = this.#queued;
    if (id === undefined) return false;
    const [row] = await this.#deps.store.list('run', { where: [['id', '=', id]], bodies: false });
    if (row?.status === 'queued') return true;
    this.#queued = undefined;
    return false;
  }

  async #nextDue(): Promise<string | undefined> {
    const { store, clock } = this.#deps;
    const rows = await store.list('task', {
      where: [
        ['status', '=', 'pending'],
        ['due', '<=', clock.now()],
      ],
      order: [
        ['priority', 'desc'],
        ['due', 'asc'],
        ['id', 'asc'],
      ],
      limit: 1 + this.#setAside.size,
      bodies: false,
    });
    return rows.find(({ id }) => !this.#setAside.has(id))?.id;
  }

  async #nextTime(): Promise<number> {
    const { store, clock } = this.#deps;
    const [next] = await store.list('task', {
      where: [
        ['status', '=', 'pending'],
        ['due', '>', clock.now()],
      ],
      order: [['due', 'asc']],
      limit: 1,
      bodies: false,
    });
    return next?.due ?? Infinity;
  }

  async #start(id: string): Promise<void> {
    try {
      const row = await this.#deps.store.get('task', { id });
      if (row?.status !== 'pending') return;
      this.#queued = await startTask(this.#deps, row);
      if (this.#queued !== undefined) this.#onRuns();
    } catch (error) {
      // Cancelled, or started by another process, meanwhile.
      if (error instanceof EngineError && error.code === 'STORE_CONFLICT') return;
      if (error instanceof EngineError && error.code === 'STORE_FAILED') throw error;
      this.#setAside.add(id);
      this.#deps.log.error('a task cannot be started', { task: id, ...errorBody(error) });
    }
  }
}

import { EngineError, errorBody } from '../../base/error.ts';
import type { Dependencies } from '../../run/dependencies.ts';
import { liveRunFields } from '../../run/run.ts';
import type { Row } from '../../store/store.ts';
import { followConfig, startScheduled } from '../../task/schedule.ts';
import { DueLoop } from './loop.ts';

/** How long a schedule waits that could not start, in milliseconds. */
const RETRY_MS = 1000;

/**
 * Starts the directors that have a `schedule`, at its times. The next time of each is a row, so that a time that passes while no
 * process runs is made up for, once; and a clock that is set back starts nothing again.
 */
export class DueSchedules extends DueLoop {
  readonly #deps: Dependencies;
  readonly #onRuns: () => void;

  /** `onRuns` is called after a run was queued. */
  constructor(deps: Dependencies, onRuns: () => void) {
    super(deps, 'schedules');
    this.#deps = deps;
    this.#onRuns = onRuns;
  }

  /** Returns when the next schedule is due; Infinity if there is none. */
  protected override async doDue(): Promise<number> {
    const { store, clock } = this.#deps;
    try {
      const changes = await followConfig(this.#deps, store);
      if (changes.length > 0) await store.apply(changes);
    } catch (error) {
      // Another process has followed the config.
      if (!isConflict(error)) throw error;
      return clock.now() + RETRY_MS;
    }
    const rows = await store.list('schedule', { order: [['due', 'asc']] });
    let next = rows.find(({ due }) => due > clock.now())?.due ?? Infinity;
    for (const row of rows) {
      if (row.due > clock.now() || !this.isActive) break;
      next = Math.min(next, await this.#start(row));
    }
    return next;
  }

  /** Starts the run of a schedule; returns when the schedule is to be looked at again. */
  async #start(row: Row<'schedule'>): Promise<number> {
    const { store, clock, live, log } = this.#deps;
    const { director } = row;
    try {
      const { run, changes } = await startScheduled(this.#deps, row);
      this.#deps.probe?.('before-commit');
      await store.apply(changes);
      this.#deps.probe?.('after-commit');
      log.info('a schedule is due', { director, run: run.id });
      live.publish('run', liveRunFields(run));
      this.#onRuns();
      return clock.now();
    } catch (error) {
      if (error instanceof EngineError && error.code === 'STORE_FAILED') throw error;
      if (!isConflict(error)) log.error('a schedule could not start its run', { director, ...errorBody(error) });
      return clock.now() + RETRY_MS;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_CONFLICT';
}

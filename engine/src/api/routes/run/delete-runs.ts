import { EngineError } from '../../../base/error.ts';
import { deleteRun } from '../../../run/lifecycle/delete.ts';
import { OPEN_STATUSES } from '../../../run/run.ts';
import type { Change, Row } from '../../../store/store.ts';
import type { Services } from '../../api.ts';

/** Cancels those of the runs that may still do something, so that nothing comes back to a run that is gone. */
export async function cancelOpenRuns({ engine }: Services, runs: readonly Row<'run'>[]): Promise<void> {
  for (const { id, status } of runs) {
    if (!OPEN_STATUSES.some((open) => open === status)) continue;
    try {
      await engine.cancel(id);
    } catch (error) {
      // It ended by itself, or a version that is not ours wrote it: both can be deleted.
      const isOver =
        error instanceof EngineError && ['RUN_NOT_ACTIVE', 'MACHINE_VERSION', 'NOT_FOUND'].includes(error.code);
      if (!isOver) throw error;
    }
  }
}

/** Deletes runs with all that belongs to them; `also` is committed with the first. */
export async function deleteRuns(
  { deps }: Services,
  ids: readonly string[],
  also: readonly Change[] = [],
): Promise<void> {
  const changes = [...also];
  // Each list is written before the next is made: which run is the last of a workspace depends on it.
  for (const id of ids) {
    await deps.store.apply([...changes.splice(0), ...(await deleteRun(deps.store, id))]);
    deps.live.publish('run', { id, deleted: true });
  }
  await deps.store.apply(changes);
}

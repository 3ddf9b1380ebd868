import { EngineError } from '../../../base/error.ts';
import { deleteRun } from '../../../run/lifecycle/delete.ts';
import { OPEN_STATUSES } from '../../../run/run.ts';
import type { Change, Row } from '../../../store/store.ts';
import type { Services } from '../../api.ts';

/** Cancels the open runs among these, so that no effect refers to a deleted run. */
export async function cancelOpenRuns({ engine }: Services, runs: readonly Row<'run'>[]): Promise<void> {
  for (const { id, status } of runs) {
    if (!OPEN_STATUSES.some((open) => open === status)) continue;
    try {
      await engine.cancel(id);
    } catch (error) {
      // The run ended meanwhile, or another version wrote it: both can be deleted.
      const isOver =
        error instanceof EngineError && ['RUN_NOT_ACTIVE', 'MACHINE_VERSION', 'NOT_FOUND'].includes(error.code);
      if (!isOver) throw error;
    }
  }
}

/** Deletes runs with all their records; `also` is committed with the first. */
export async function deleteRuns(
  { deps }: Services,
  ids: readonly string[],
  also: readonly Change[] = [],
): Promise<void> {
  const changes = [...also];
  // Committed one by one: which run is the last one of a workspace depends on the deletions before.
  for (const id of ids) {
    await deps.store.apply([...changes.splice(0), ...(await deleteRun(deps.store, id))]);
    deps.live.publish('run', { id, deleted: true });
  }
  await deps.store.apply(changes);
}

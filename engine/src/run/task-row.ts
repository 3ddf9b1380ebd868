import { deleteUploadsOf } from '../file/upload/upload-store.ts';
import type { Change, ChangeOf, Reader, Store } from '../store/store.ts';
import { OPEN_STATUSES, type Run } from './run.ts';

/** Rows deleted in one commit. */
const BATCH = 100;

/**
 * The change that tells the task of a run how the run is: `running` until it is over. `before` is the run whose place it takes in
 * a retry. None where the run works on no task, or where another run has taken its place.
 */
export async function taskChange(
  reader: Reader,
  run: Pick<Run, 'id' | 'status' | 'trigger'>,
  before: string = run.id,
): Promise<ChangeOf<'task'>[]> {
  const id = run.trigger.taskId;
  const row =
    id === undefined ? undefined : (await reader.list('task', { where: [['id', '=', id]], bodies: false }))[0];
  if (row?.run !== before) return [];
  const status = OPEN_STATUSES.some((open) => open === run.status) ? 'running' : run.status;
  if (row.status === status && row.run === run.id) return [];
  return [{ op: 'update', table: 'task', key: { id: row.id }, set: { status, run: run.id } }];
}

/** Deletes tasks that ended before they had a run, and were due before `before` (epoch milliseconds). Others go with their run. */
export async function deleteOldTasks(store: Store, before: number): Promise<void> {
  for (;;) {
    const rows = await store.list('task', {
      where: [
        ['status', 'in', ['cancelled', 'failed']],
        ['due', '<', before],
        ['at', '<', before],
        ['run', '=', ''],
      ],
      limit: BATCH,
      bodies: false,
    });
    if (rows.length === 0) return;
    const changes: Change[] = [];
    for (const { id } of rows)
      changes.push({ op: 'delete', table: 'task', where: { id } }, ...(await deleteUploadsOf(store, id)));
    await store.apply(changes);
  }
}

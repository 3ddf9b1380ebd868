import { firstId } from '../../base/id.ts';
import { deleteSession } from '../lifecycle/delete.ts';
import type { Dependencies } from '../dependencies.ts';
import { isSession } from './session.ts';
import { threadOf, unchanged, updateThread } from '../thread.ts';
import { readableRows } from '../../store/readable-rows.ts';

/**
 * Deletes sessions that persons opened, that have been idle since `before` (epoch milliseconds), and that have no runs:
 * nobody ever wrote a message. A session with runs is deleted with the last of them.
 */
export async function deleteEmptySessions({ store }: Pick<Dependencies, 'store'>, before: number): Promise<void> {
  const rows = await readableRows(store, () => {}).list('thread', {
    where: [
      ['id', '<', firstId('th', before)],
      ['kind', '=', 'agent'],
      ['director', '=', ''],
    ],
  });
  for (const record of rows.map(threadOf)) {
    if (!isSession(record) || record.runId !== '' || record.opened.idleSince >= before) continue;
    const runs = await store.list('run', { where: [['id', 'in', record.opened.runs]], bodies: false });
    // Bound to the row that was read: a message that arrives at this moment makes the commit fail.
    if (runs.length === 0) await store.apply([updateThread(record, unchanged(record)), ...deleteSession(record)]);
  }
}

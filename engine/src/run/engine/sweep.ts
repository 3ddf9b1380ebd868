import type { Store, Wake } from '../../store/store.ts';
import { PRIORITY, wake } from '../lease.ts';

/** Rows read at a time, and jobs in one commit. */
const BATCH = 500;

/**
 * Enqueues a job for every run that has something to do: runs that are queued, running, or waiting for a timer. Their
 * jobs usually exist already; after a backup was restored, or a store was moved, they do not. A superfluous job does
 * nothing. Returns how many were enqueued. Abort ends the sweep before the next commit.
 */
export async function sweep(store: Store, signal: AbortSignal): Promise<number> {
  let count = 0;
  const ask = async (wakes: readonly Wake[]) => {
    if (wakes.length > 0 && !signal.aborted) await store.apply(wakes);
    count += wakes.length;
  };
  for (const status of ['queued', 'running'] as const)
    for (let after = ''; !signal.aborted;) {
      const rows = await store.list('run', {
        where: [
          ['status', '=', status],
          ['id', '>', after],
        ],
        order: [['id', 'asc']],
        limit: BATCH,
        bodies: false,
      });
      await ask(rows.map(({ id }) => wake(id, 0, status === 'queued' ? PRIORITY.mail : PRIORITY.begun)));
      after = rows.at(-1)?.id ?? after;
      if (rows.length < BATCH) break;
    }
  for (let after = -1; !signal.aborted;) {
    const rows = await store.list('timer', {
      where: [['due', '>', after]],
      order: [['due', 'asc']],
      limit: BATCH,
      bodies: false,
    });
    const last = rows.at(-1)?.due ?? after;
    const isOver = rows.length < BATCH;
    // A page may end among timers of the same millisecond: that one is read whole.
    const end = isOver ? [] : await store.list('timer', { where: [['due', '=', last]], bodies: false });
    const page = isOver ? rows : [...rows.filter(({ due }) => due < last), ...end];
    const first = new Map<string, number>();
    for (const { root, due } of page) first.set(root, Math.min(due, first.get(root) ?? Infinity));
    await ask(Array.from(first, ([root, due]) => wake(root, due, PRIORITY.begun)));
    if (isOver) break;
    after = last;
  }
  return count;
}

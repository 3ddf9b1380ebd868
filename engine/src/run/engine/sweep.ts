import type { Store, Wake } from '../../store/store.ts';
import { PRIORITY, wake } from '../lease.ts';

/** Rows in one commit. */
const BATCH = 500;

/**
 * Asks for a look at every run that has anything to do: queued, running, or waiting for a time. Their looks are usually there
 * already; after a restored backup, or a move from another store, they are not. A look too many does nothing. Returns how
 * many were asked for.
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
    const first = new Map<string, number>();
    for (const { root, due } of rows) first.set(root, Math.min(due, first.get(root) ?? Infinity));
    await ask(Array.from(first, ([root, due]) => wake(root, due, PRIORITY.begun)));
    const last = rows.at(-1)?.due ?? after;
    if (rows.length < BATCH) break;
    // A page that ends among timers of one millisecond begins the next one with them.
    after = last - 1 > after ? last - 1 : last;
  }
  return count;
}

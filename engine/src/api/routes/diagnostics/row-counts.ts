import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../base/clock.ts';
import type { Condition, Store } from '../../../store/store.ts';

/** Numbers of stored mails, runs, items and conversations. */
export interface RowCounts {
  readonly emails: number;
  readonly runs: number;
  readonly items: number;
  readonly threads: number;
}

type CountedStore = Pick<Store, 'list' | 'count'>;

/** Rows read at a time: a few milliseconds. */
const BATCH = 1000;
/** Counts are used again for this time, in milliseconds. */
const FRESH_MS = 5000;

/**
 * Counts rows in small steps, since counting a large table at once would block the event loop. Callers within five
 * seconds share one count.
 */
export function createRowCounter(store: CountedStore, clock: Clock): () => Promise<RowCounts> {
  let counts: Promise<RowCounts> | undefined;
  let atMs = 0;
  return () => {
    if (counts === undefined || clock.now() - atMs >= FRESH_MS) {
      atMs = clock.now();
      counts = countAll(store);
      counts.catch(() => (counts = undefined));
    }
    return counts;
  };
}

async function countAll(store: CountedStore): Promise<RowCounts> {
  const page = { order: [['id', 'asc']], limit: BATCH, bodies: false } as const;
  const kept: Condition<'mail'> = ['state', '=', 'kept'];
  const emails = await countById((id) => store.list('mail', { ...page, where: [kept, ['id', '>', id]] }));
  const threads = await countById((id) => store.list('thread', { ...page, where: [['id', '>', id]] }));
  // The id of a workspace is the id of a run, so the items of a slice of runs are a range of the item table.
  let items = 0;
  const there: Condition<'item'> = ['deleted', '=', 0];
  let after = '';
  const runs = await countById(async (id) => {
    const rows = await store.list('run', { ...page, where: [['id', '>', id]] });
    const last = rows.at(-1)?.id;
    const upTo: Condition<'item'>[] = last === undefined ? [] : [['workspace', '<=', last]];
    items += await store.count('item', [there, ['workspace', '>', after], ...upTo]);
    after = last ?? after;
    return rows;
  });
  return { emails, runs, items, threads };
}

/** Counts all rows; `load` reads the next ones after an id. */
async function countById(load: (after: string) => Promise<readonly { readonly id: string }[]>): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const rows = await load(after);
    const last = rows.at(-1);
    if (last === undefined) return count;
    count += rows.length;
    after = last.id;
    await setImmediate();
  }
}

import type { Condition, Store } from '../store/store.ts';

/** Rows deleted in one commit. */
const BATCH = 200;

/** Deletes memories that have expired by `now`, and those that were forgotten before `before`; epoch milliseconds. */
export async function deleteOldMemories(
  store: Store,
  { now, before }: { readonly now: number; readonly before: number },
): Promise<void> {
  await deleteWhere(store, [['expires', '<=', now]]);
  await deleteWhere(store, [
    ['deleted', '>', 0],
    ['deleted', '<', before],
  ]);
}

async function deleteWhere(store: Store, where: readonly Condition<'memory'>[]): Promise<void> {
  for (;;) {
    const rows = await store.list('memory', { where, limit: BATCH, bodies: false });
    if (rows.length === 0) return;
    // A memory that was added again or brought back meanwhile stays.
    await store.apply(rows.map(({ id, revision }) => ({ op: 'delete', table: 'memory', where: { id, revision } })));
    if (rows.length < BATCH) return;
  }
}

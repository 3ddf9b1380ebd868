import type { Logger } from '../base/log.ts';
import { errorBody } from '../base/error.ts';
import type { Change, RowChange, Store } from './store.ts';
import { TABLES } from './tables.ts';
import { withApply } from './with-apply.ts';

/**
 * A store that logs each change at level `debug` once it is on disk: the number of its list, the operation, the table, the key
 * and the status, never a body. Lists that were not written are logged with the code of the error.
 */
export function logWrites(store: Store, log: Logger): Store {
  let count = 0;
  return withApply(store, async (changes) => {
    const commit = ++count;
    try {
      await store.apply(changes);
    } catch (error) {
      const { code } = errorBody(error);
      for (const change of changes) log.debug('not stored', { commit, code, ...factsOf(change) });
      throw error;
    }
    for (const change of changes) log.debug('stored', { commit, ...factsOf(change) });
  });
}

function factsOf(change: Change): Readonly<Record<string, unknown>> {
  if (change.op === 'wake') return { op: 'wake', run: change.run, at: change.at };
  const { op, table } = change;
  const values = valuesOf(change);
  const status = 'status' in values ? { status: values['status'] } : {};
  return { op, table, key: keyOf(change), ...status };
}

/** Column values of a change: of the new row, or those that are set or matched. */
function valuesOf(change: RowChange): Readonly<Record<string, unknown>> {
  if (change.op === 'update') return change.set;
  return change.op === 'delete' ? change.where : change.row;
}

/**
 * The key of the row; for a `delete` of several rows what they have in common. Names that an encrypted store seals are left out.
 */
function keyOf(change: RowChange): string {
  const { key, columns }: { key: readonly string[]; columns: Readonly<Record<string, string>> } = TABLES[change.table];
  const from: Readonly<Record<string, unknown>> = change.op === 'update' ? change.key : valuesOf(change);
  const wanted = change.op === 'delete' ? Object.keys(from) : key;
  const isOpen = (name: string) => columns[name] === 'text' || columns[name] === 'int';
  return wanted.map((name) => (isOpen(name) ? String(from[name]) : '…')).join(' ');
}

import { isRecord } from '../base/json.ts';
import { damagedRow, type DamagedRow, describeDamage, isDamage } from './damaged-row.ts';
import type { Key, Query, Reader, Row, Store, TableName } from './store.ts';
import { TABLES } from './tables.ts';

/** Fields without which a row of a table cannot be shown. */
const FIELDS: Partial<Record<TableName, readonly string[]>> = {
  mail: ['summary'],
  run: ['run', 'origin'],
  thread: ['id', 'kind', 'createdAt'],
  message: ['role'],
  event: ['kind', 'runId'],
  entry: ['phase', 'detail'],
  approval: ['id', 'arguments', 'preview'],
  item: ['context', 'mimeType'],
  todo: ['title'],
  toolList: ['tools'],
  memory: ['text', 'provenance'],
  fileChange: ['notebook', 'path'],
  spend: ['apis'],
  chat: ['title', 'participants'],
  chatMessage: ['text', 'authorKind'],
};

/**
 * A view of a reader that leaves out rows that cannot be read, so that one damaged row hides no others. `onDamaged` gets
 * each such row. A page is filled up with the rows after it.
 */
export function readableRows(reader: Reader, onDamaged: (row: DamagedRow) => void): Reader {
  const list = async <T extends TableName>(table: T, query: Query<T> = {}): Promise<Row<T>[]> => {
    for (let extra = 0; ;) {
      const limit = query.limit === undefined ? undefined : query.limit + extra;
      const damaged: DamagedRow[] = [];
      const note = (row: DamagedRow) => void damaged.push(row);
      const found = await reader.list(table, { ...query, ...(limit !== undefined && { limit }), onDamaged: note });
      const total = found.length + damaged.length;
      const rows = query.bodies === false ? found : found.filter((row) => isReadable(table, row, note));
      if (limit === undefined || query.limit === undefined || total < limit || rows.length >= query.limit) {
        damaged.forEach(onDamaged);
        return rows.slice(0, query.limit);
      }
      extra = total - rows.length;
    }
  };
  return {
    list,
    async get<T extends TableName>(table: T, key: Key<T>): Promise<Row<T> | undefined> {
      try {
        const row = await reader.get(table, key);
        return row !== undefined && isReadable(table, row, onDamaged) ? row : undefined;
      } catch (error) {
        if (!isDamage(error)) throw error;
        onDamaged(describeDamage(table, key, error));
        return undefined;
      }
    },
  };
}

/** The same view of a store. */
export function readableStore(store: Store, onDamaged: (row: DamagedRow) => void): Store {
  return {
    ...readableRows(store, onDamaged),
    storage: store.storage,
    apply: (changes) => store.apply(changes),
    count: (table, where) => store.count(table, where),
    lookupKey: (text) => store.lookupKey(text),
    close: () => store.close(),
  };
}

function isReadable<T extends TableName>(table: T, row: Row<T>, onDamaged: (row: DamagedRow) => void): boolean {
  const types: Readonly<Record<string, string>> = TABLES[table].columns;
  if (types['body'] !== 'json' || !('body' in row)) return true;
  try {
    const body: unknown = JSON.parse(String(row.body));
    const missing = FIELDS[table]?.find((field) => !isRecord(body) || body[field] === undefined);
    if (missing !== undefined) throw damagedRow(table, new Error(`it has no ${missing}`));
    return true;
  } catch (error) {
    onDamaged(describeDamage(table, row, error));
    return false;
  }
}

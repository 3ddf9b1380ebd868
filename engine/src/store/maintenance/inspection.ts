import { EngineError, errorBody } from '../../base/error.ts';
import type { Codec } from '../codec.ts';
import { keyOf, readPage } from './row-pages.ts';
import { query, type ScriptDialect, type RawRow, type Script } from './script.ts';
import type { Row, Store } from '../store.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../tables.ts';
import type { DamagedRow } from '../damaged-row.ts';

/** Result of a check of all rows; `isComplete` is false if the check ended before the last row. */
export interface InspectionResult {
  readonly damaged: readonly DamagedRow[];
  readonly checked: number;
  readonly isComplete: boolean;
}

/** A read-only view of a store. Other processes may use the store at the same time. `apply` rejects. */
export interface InspectedStore extends Store {
  /**
   * `found` is the schema version of the store, `known` the one that this version of Callsheet writes. `readableBy` is
   * the oldest schema version whose code can use the store, for databases that processes of several versions may share.
   */
  readonly schema: { readonly found: number; readonly known: number; readonly readableBy?: number };
  /** Faults that the database itself reports; empty if there are none. */
  faults(): Promise<readonly string[]>;
  /** Rows whose body cannot be decrypted or is not JSON: at most 20, within about `timeMs` milliseconds. */
  damagedRows(timeMs: number): Promise<InspectionResult>;
}

const MAX_DAMAGED = 20;
const PAGE_ROWS = 100;

/** Implements `InspectedStore.damagedRows`. */
export function* findDamaged(dialect: ScriptDialect, codec: Codec, timeMs: number): Script<InspectionResult> {
  const until = performance.now() + timeMs;
  const damaged: DamagedRow[] = [];
  let checked = 0;
  for (const table of TABLE_NAMES) {
    // A store with an older schema lacks some tables; the next start adds them.
    if ((yield* query(dialect.hasTable, table)).length === 0) continue;
    let rows: readonly RawRow[] = [];
    do {
      const last = rows.at(-1);
      rows = yield* readPage(dialect, table, last === undefined ? [] : keyOf(table, last), PAGE_ROWS);
      checked += rows.length;
      for (const row of rows) {
        const reason = faultOf(codec, table, row);
        if (reason !== undefined) damaged.push({ table, key: keyOf(table, row).join(' '), reason });
      }
      if (damaged.length >= MAX_DAMAGED || performance.now() > until)
        return { damaged: damaged.slice(0, MAX_DAMAGED), checked, isComplete: false };
    } while (rows.length === PAGE_ROWS);
  }
  return { damaged, checked, isComplete: true };
}

function faultOf(codec: Codec, table: TableName, row: RawRow): string | undefined {
  try {
    const { body } = codec.load(table, row as unknown as Row<TableName>) as { body?: unknown };
    const columns: Readonly<Record<string, string>> = TABLES[table].columns;
    if (columns['body'] === 'json') JSON.parse(String(body));
    return undefined;
  } catch (error) {
    return errorBody(error).message;
  }
}

/** `STORE_FAILED`: the error of `apply` on a store that was opened for inspection. */
export function refuseChange(): EngineError {
  return new EngineError('STORE_FAILED', 'the store was opened for inspection and cannot be changed');
}

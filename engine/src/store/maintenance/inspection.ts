import { EngineError, errorBody } from '../../base/error.ts';
import type { Codec } from '../codec.ts';
import { keyOf, readPage } from './row-pages.ts';
import { query, type ScriptDialect, type RawRow, type Script } from './script.ts';
import type { Row, Store } from '../store.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../tables.ts';

/** A row that cannot be read, by table and key. */
export interface DamagedRow {
  readonly table: string;
  readonly key: string;
  readonly reason: string;
}

/** What a look at all rows has found; `isWhole` is false where it ended before the last. */
export interface InspectionResult {
  readonly damaged: readonly DamagedRow[];
  readonly checked: number;
  readonly isComplete: boolean;
}

/** A look at a store that changes nothing, also beside the processes that work on it. `apply` refuses. */
export interface InspectedStore extends Store {
  /**
   * Version of the schema, the one that this version of Callsheet writes, and, where versions may work side by side, the oldest
   * one whose code can work with what was found.
   */
  readonly schema: { readonly found: number; readonly known: number; readonly readableBy?: number };
  /** What the database itself finds wrong; empty where it is whole. */
  faults(): Promise<readonly string[]>;
  /** Rows whose body cannot be decrypted or is no JSON, 20 at most, checked for until `timeMs` have passed. */
  damagedRows(timeMs: number): Promise<InspectionResult>;
}

const MAX_DAMAGED = 20;
const PAGE_ROWS = 100;

/** As `InspectedStore.damagedRows`. */
export function* findDamaged(dialect: ScriptDialect, codec: Codec, timeMs: number): Script<InspectionResult> {
  const until = performance.now() + timeMs;
  const damaged: DamagedRow[] = [];
  let checked = 0;
  for (const table of TABLE_NAMES) {
    // An older schema lacks some tables; the next start adds them.
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

export function refuseChange(): EngineError {
  return new EngineError('STORE_FAILED', 'the store was opened to be checked at, not to be changed');
}

import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { deleteKeyringRows, putKeyringRow } from './keyring-rows.ts';
import { query, parseJson, type ScriptDialect, type RawRow, type Script, storeJson } from './script.ts';

/** Rows of the table `keyring` that a move writes into the source and the target store. */
export interface MoveMarks {
  /**
   * In the source, from the beginning of the move on, permanently: two open copies of a store would do all work twice.
   */
  moving: { readonly id: string; readonly to: string; readonly at: number };
  /** In the target until the copy is complete; `of` identifies the source store. */
  copy: UnfinishedMove;
  /** In the target once the copy is complete. */
  copied: { readonly id: string; readonly from: string; readonly at: number };
}

/** An incomplete copy: all tables before `table` are copied, and `table` up to the key `after`. */
export interface UnfinishedMove {
  readonly id: string;
  readonly of: string;
  readonly from: string;
  readonly at: number;
  /** Null if all rows are copied and must still be compared. */
  readonly table: string | null;
  readonly after: readonly (string | number)[];
}

/** Reads a mark; undefined if there is none. */
export function* readMark<M extends keyof MoveMarks>(
  dialect: ScriptDialect,
  mark: M,
): Script<MoveMarks[M] | undefined> {
  return markIn(dialect, yield* query('SELECT name, body FROM keyring WHERE name = ?', mark), mark);
}

/** Finds a mark among rows of the table `keyring`; undefined if there is none. */
export function markIn<M extends keyof MoveMarks>(
  dialect: ScriptDialect,
  rows: readonly RawRow[],
  mark: M,
): MoveMarks[M] | undefined {
  const row = rows.find(({ name }) => name === mark);
  return row === undefined ? undefined : (parseJson(dialect, row['body']) as MoveMarks[M]);
}

/** Writes a mark; replaces an earlier mark of the same kind. */
export function* writeMark<M extends keyof MoveMarks>(
  dialect: ScriptDialect,
  mark: M,
  value: MoveMarks[M],
): Script<void> {
  yield* putKeyringRow(mark, storeJson(dialect, value));
}

/** Deletes a mark; no error if there is none. */
export function* dropMark(mark: keyof MoveMarks): Script<void> {
  yield* deleteKeyringRows(mark);
}

/**
 * Throws `STORE_HALF_COPIED` if the store is an incomplete copy, `STORE_MOVED` if it was moved away or is being moved.
 */
export function refuseMoved(dialect: ScriptDialect, rows: readonly RawRow[]): void {
  const copy = markIn(dialect, rows, 'copy');
  if (copy !== undefined)
    throw new EngineError('STORE_HALF_COPIED', `the ${dialect.name} is an incomplete copy of ${copy.from}`, {
      hint: `run the same callsheet migrate command again to complete it`,
    });
  const moving = markIn(dialect, rows, 'moving');
  if (moving === undefined) return;
  const { to, at } = moving;
  throw new EngineError(
    'STORE_MOVED',
    `the store in this ${dialect.name} was moved to ${to}, or is being moved there, since ${isoTime(at)}`,
    {
      hint: 'use the new place; callsheet migrate --reopen opens this one again, if no process uses the other',
    },
  );
}

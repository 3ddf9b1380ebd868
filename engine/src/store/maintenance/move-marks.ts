import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { deleteKeyringRows, putKeyringRow } from './keyring-rows.ts';
import { query, parseJson, type ScriptDialect, type RawRow, type Script, storeJson } from './script.ts';

/** Rows of the table `keyring` that a move from one database to another leaves in both. */
export interface MoveMarks {
  /** In the old place from when the move begins, and for good: a store of which there are two would do everything twice. */
  moving: { readonly id: string; readonly to: string; readonly at: number };
  /** In the new place until it is complete; `of` tells which store it is a copy of. */
  copy: UnfinishedMove;
  /** In the new place from then on. */
  copied: { readonly id: string; readonly from: string; readonly at: number };
}

/** A copy that is not complete. Rows of the tables before `table`, and of `table` up to the key `after`, are there. */
export interface UnfinishedMove {
  readonly id: string;
  readonly of: string;
  readonly from: string;
  readonly at: number;
  /** Null: all rows are there, and are still to be compared, as may be where tables after this one are empty. */
  readonly table: string | null;
  readonly after: readonly (string | number)[];
}

/** A mark, undefined where there is none. */
export function* readMark<M extends keyof MoveMarks>(
  dialect: ScriptDialect,
  mark: M,
): Script<MoveMarks[M] | undefined> {
  return markIn(dialect, yield* query('SELECT name, body FROM keyring WHERE name = ?', mark), mark);
}

/** A mark among rows of the table `keyring`, undefined where there is none. */
export function markIn<M extends keyof MoveMarks>(
  dialect: ScriptDialect,
  rows: readonly RawRow[],
  mark: M,
): MoveMarks[M] | undefined {
  const row = rows.find(({ name }) => name === mark);
  return row === undefined ? undefined : (parseJson(dialect, row['body']) as MoveMarks[M]);
}

/** Writes a mark, in place of the one that was there. */
export function* writeMark<M extends keyof MoveMarks>(
  dialect: ScriptDialect,
  mark: M,
  value: MoveMarks[M],
): Script<void> {
  yield* putKeyringRow(mark, storeJson(dialect, value));
}

/** Removes a mark; that there is none is fine. */
export function* dropMark(mark: keyof MoveMarks): Script<void> {
  yield* deleteKeyringRows(mark);
}

/** Keeps a store from being opened in a place that it leaves, `STORE_MOVED`, or has not come to, `STORE_HALF_COPIED`. */
export function refuseMoved(dialect: ScriptDialect, rows: readonly RawRow[]): void {
  const copy = markIn(dialect, rows, 'copy');
  if (copy !== undefined)
    throw new EngineError('STORE_HALF_COPIED', `the ${dialect.name} is a copy of ${copy.from} that is not complete`, {
      hint: `callsheet migrate completes it: the same command as before`,
    });
  const moving = markIn(dialect, rows, 'moving');
  if (moving === undefined) return;
  const { to, at } = moving;
  throw new EngineError(
    'STORE_MOVED',
    `what this ${dialect.name} holds is being moved to ${to}, or was, since ${isoTime(at)}`,
    {
      hint: 'work with the new place; callsheet migrate --reopen opens this one again, if nobody works in the other',
    },
  );
}

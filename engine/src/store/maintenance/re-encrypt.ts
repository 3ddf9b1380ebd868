import { errorBody } from '../../base/error.ts';
import type { Logger } from '../../base/log.ts';
import { type CipherKey, keyIdOf, KeyRing, NameCipher } from '../cipher.ts';
import { type Bound, type Codec, createCodec, nameColumns } from '../codec.ts';
import {
  dropKeyring,
  isEncrypted,
  type Keyring,
  type Progress,
  readProgress,
  SECRET_NAME,
  writeKeyring,
  writeProgress,
} from './keyring.ts';
import { keyOf, readPage } from './row-pages.ts';
import {
  requireExclusive,
  query,
  queryAll,
  transaction,
  type ScriptDialect,
  type RawRow,
  type Script,
} from './script.ts';
import type { Row } from '../store.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../tables.ts';

/** Rows in one commit. Raw mail lies in pieces of 256 KB, so that a batch stays under 30 MB. */
const BATCH_ROWS = 100;

/** Nothing is done yet. */
const START: Progress = { table: 'meta', after: [] };
const DONE: Progress = { table: null, after: [] };

/** How rows get from one form on the disk to another. */
interface Conversion {
  readonly dialect: ScriptDialect;
  readonly from: Codec;
  readonly to: Codec;
  /** Columns that change. */
  readonly columns: (table: TableName) => readonly string[];
  /** True for a row that was written in the new form already. */
  readonly isDone: (row: RawRow) => boolean;
  readonly log: Logger;
}

/** How many rows were changed, and how many could not be opened and stay as they are. */
export interface ReEncryptedRows {
  readonly rows: number;
  readonly left: number;
}

/**
 * Marks a store of plain text as encrypted from here on; `finishEncryption` does the work. `secret` is what look-up keys
 * follow in plain text, undefined in a store where nothing was kept yet; then `fresh` is taken. Nothing happens where another
 * process was faster.
 */
export function* beginEncryption(
  dialect: ScriptDialect,
  key: CipherKey,
  secret: string | undefined,
  fresh: string,
): Script<void> {
  yield* transaction(function* () {
    if (yield* isEncrypted(dialect)) return;
    if (secret !== undefined) yield* requireExclusive();
    yield* writeKeyring('current', key, secret ?? fresh);
    yield* query('DELETE FROM meta WHERE name = ?', SECRET_NAME);
    if (secret !== undefined) yield* writeProgress(dialect, START);
  });
}

/**
 * Seals what is still in plain text, goes on where a killed process stopped, and rewrites the files, so that they do not hold
 * what was there before.
 */
export function* finishEncryption(dialect: ScriptDialect, { key, secret }: Keyring, log: Logger): Script<void> {
  log.info(`encrypting what the ${dialect.name} holds`);
  const to = createCodec(new KeyRing(key), new NameCipher(secret));
  const columns = (table: TableName) => [...nameColumns(table), ...bodyColumns(table)];
  yield* convertTables({
    dialect,
    from: dialect.plainCodec,
    to: dialect.wrapCodec(to),
    columns,
    isDone: () => false,
    log,
  });
  yield* queryAll(dialect.purgePlain);
  yield* transaction(() => dropKeyring('progress'));
  log.info(`the ${dialect.name} is encrypted`);
}

/** Makes both keys known to the store: from here on either opens it, and new rows are sealed under the new one. */
export function* beginRotation(dialect: ScriptDialect, from: CipherKey, to: CipherKey): Script<void> {
  yield* transaction(function* () {
    yield* requireExclusive();
    yield* writeKeyring('next', from, to.hex);
    yield* writeKeyring('previous', to, from.hex);
    yield* writeProgress(dialect, START);
  });
}

/**
 * Seals every row under the new key, goes on where a killed process stopped, and forgets the old key. A row that cannot be
 * opened is left as it is, and named.
 */
export function* finishRotation(
  dialect: ScriptDialect,
  { key, secret }: Keyring,
  next: CipherKey,
  log: Logger,
): Script<ReEncryptedRows> {
  const codec = dialect.wrapCodec(createCodec(new KeyRing(next, key), new NameCipher(secret)));
  const isDone = (row: RawRow) => keyIdOf(row['body']) === next.id;
  const counts = yield* convertTables({ dialect, from: codec, to: codec, columns: bodyColumns, isDone, log });
  yield* transaction(function* () {
    yield* requireExclusive();
    yield* writeKeyring('current', next, secret);
    yield* dropKeyring('next', 'previous', 'progress');
  });
  yield* queryAll(dialect.purgeSealed);
  return counts;
}

/** Brings all tables to their new form, each batch in a commit with how far it came. */
function* convertTables(conversion: Conversion): Script<ReEncryptedRows> {
  const counts = { rows: 0, left: 0 };
  // A batch and how far it came are lost together or not at all, so that only the last commit, in full, need be waited for.
  yield* queryAll(conversion.dialect.relaxDurability);
  while (yield* transaction(() => convertBatch(conversion, counts)));
  yield* queryAll(conversion.dialect.restoreDurability);
  return counts;
}

/** The next batch; false where nothing is left. How far it is, is read anew: another process may have taken its part. */
function* convertBatch(conversion: Conversion, counts: { rows: number; left: number }): Script<boolean> {
  const progress = yield* readProgress(conversion.dialect);
  const at = TABLE_NAMES.findIndex((name) => name === progress?.table);
  const table = TABLE_NAMES[at];
  if (progress === undefined || table === undefined) return false;
  yield* requireExclusive();
  const following: Progress = at + 1 < TABLE_NAMES.length ? { table: TABLE_NAMES[at + 1]!, after: [] } : DONE;
  const columns = conversion.columns(table);
  // A table whose keys themselves change is taken in one commit; those are small.
  const isWhole = TABLES[table].key.some((column) => columns.includes(column));
  const rows =
    columns.length === 0
      ? []
      : yield* readPage(conversion.dialect, table, progress.after, isWhole ? undefined : BATCH_ROWS);
  for (const row of rows) if (!conversion.isDone(row)) counts[yield* convertRow(table, row, columns, conversion)]++;
  const last = rows.at(-1);
  const isPast = last === undefined || isWhole;
  yield* writeProgress(conversion.dialect, isPast ? following : { table, after: keyOf(table, last) });
  return true;
}

function* convertRow(
  table: TableName,
  row: RawRow,
  columns: readonly string[],
  { from, to, log }: Conversion,
): Script<'rows' | 'left'> {
  let open: Readonly<Record<string, Bound>>;
  try {
    open = { ...from.load(table, row as unknown as Row<TableName>) };
  } catch (error) {
    log.warn('a row was left as it is', { ...errorBody(error) });
    return 'left';
  }
  const set = columns.map((column) => `${column} = ?`).join(', ');
  const where = TABLES[table].key.map((column) => `${column} = ?`).join(' AND ');
  const values = columns.map((column) => to.store(table, column, open[column]!, open));
  yield* query(`UPDATE ${table} SET ${set} WHERE ${where}`, ...values, ...keyOf(table, row));
  return 'rows';
}

function bodyColumns(table: TableName): string[] {
  return 'body' in TABLES[table].columns ? ['body'] : [];
}

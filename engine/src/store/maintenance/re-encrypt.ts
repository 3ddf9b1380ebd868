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

/** Rows in one commit. Raw mail is stored in pieces of 256 KB, so a batch stays under 30 MB. */
const BATCH_ROWS = 100;

/** No row is converted yet. */
const START: Progress = { table: 'meta', after: [] };
const DONE: Progress = { table: null, after: [] };

/** How to convert rows from one codec to another. */
interface Conversion {
  readonly dialect: ScriptDialect;
  readonly from: Codec;
  readonly to: Codec;
  /** Columns that the conversion changes. */
  readonly columns: (table: TableName) => readonly string[];
  /** True if a row is already stored in the new form. */
  readonly isDone: (row: RawRow) => boolean;
  readonly log: Logger;
}

/** `rows`: how many rows were re-encrypted. `left`: how many could not be decrypted and were left unchanged. */
export interface ReEncryptedRows {
  readonly rows: number;
  readonly left: number;
}

/**
 * Marks a store in plain text as encrypted: new rows are sealed from now on, and `finishEncryption` seals the existing
 * rows. `secret` is the existing secret of the store; if it is undefined, the store is empty and `fresh` becomes its
 * secret. Does nothing if another process has marked the store already. `DATA_LOCKED` if the store has rows and another
 * process uses it.
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
 * Seals all rows that are still in plain text. Continues where an interrupted process stopped. Then rewrites the files
 * of the database so that no plain text stays in them.
 */
export function* finishEncryption(dialect: ScriptDialect, { key, secret }: Keyring, log: Logger): Script<void> {
  log.info(`encrypting the rows of the ${dialect.name}`);
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

/**
 * Begins a rotation: writes both keys into the keyring. From then on either key opens the store, and new rows are
 * sealed with the new key. `DATA_LOCKED` if another process uses the store.
 */
export function* beginRotation(dialect: ScriptDialect, from: CipherKey, to: CipherKey): Script<void> {
  yield* transaction(function* () {
    yield* requireExclusive();
    yield* writeKeyring('next', from, to.hex);
    yield* writeKeyring('previous', to, from.hex);
    yield* writeProgress(dialect, START);
  });
}

/**
 * Seals every row with the new key. Continues where an interrupted process stopped. Then deletes the old key from the
 * keyring. A row that cannot be decrypted is left unchanged and logged.
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

/** Converts all tables. Each commit contains one batch and the progress after it. */
function* convertTables(conversion: Conversion): Script<ReEncryptedRows> {
  const counts = { rows: 0, left: 0 };
  // A power cut loses a batch and its progress together or neither, so only the last commit must wait for the disk.
  yield* queryAll(conversion.dialect.relaxDurability);
  while (yield* transaction(() => convertBatch(conversion, counts)));
  yield* queryAll(conversion.dialect.restoreDurability);
  return counts;
}

/**
 * Converts the next batch; false if none is left. Reads the progress again, because another process may have advanced
 * it.
 */
function* convertBatch(conversion: Conversion, counts: { rows: number; left: number }): Script<boolean> {
  const progress = yield* readProgress(conversion.dialect);
  const at = TABLE_NAMES.findIndex((name) => name === progress?.table);
  const table = TABLE_NAMES[at];
  if (progress === undefined || table === undefined) return false;
  yield* requireExclusive();
  const following: Progress = at + 1 < TABLE_NAMES.length ? { table: TABLE_NAMES[at + 1]!, after: [] } : DONE;
  const columns = conversion.columns(table);
  // If the key columns themselves change, the whole table is converted in one commit. Such tables are small.
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
    log.warn('a row could not be decrypted and was left unchanged', { ...errorBody(error) });
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

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
import { keyOf, page } from './row-pages.ts';
import { alone, ask, askAll, atomically, type ScriptDialect, type RawRow, type Script } from './script.ts';
import type { Row } from '../store.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../tables.ts';

/** Rows in one commit. Raw mail lies in pieces of 256 KB, so that a batch stays under 30 MB. */
const BATCH = 100;

/** Nothing is done yet. */
const START: Progress = { table: 'meta', after: [] };
const DONE: Progress = { table: null, after: [] };

/** How rows get from one form on the disk to another. */
interface Way {
  readonly flavour: ScriptDialect;
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
  flavour: ScriptDialect,
  key: CipherKey,
  secret: string | undefined,
  fresh: string,
): Script<void> {
  yield* atomically(function* () {
    if (yield* isEncrypted(flavour)) return;
    if (secret !== undefined) yield* alone();
    yield* writeKeyring('current', key, secret ?? fresh);
    yield* ask('DELETE FROM meta WHERE name = ?', SECRET_NAME);
    if (secret !== undefined) yield* writeProgress(flavour, START);
  });
}

/**
 * Seals what is still in plain text, goes on where a killed process stopped, and rewrites the files, so that they do not hold
 * what was there before.
 */
export function* finishEncryption(flavour: ScriptDialect, { key, secret }: Keyring, log: Logger): Script<void> {
  log.info(`encrypting what the ${flavour.name} holds`);
  const to = createCodec(new KeyRing(key), new NameCipher(secret));
  const columns = (table: TableName) => [...nameColumns(table), ...bodyColumns(table)];
  yield* walk({ flavour, from: flavour.plain, to: flavour.form(to), columns, isDone: () => false, log });
  yield* askAll(flavour.purgePlain);
  yield* atomically(() => dropKeyring('progress'));
  log.info(`the ${flavour.name} is encrypted`);
}

/** Makes both keys known to the store: from here on either opens it, and new rows are sealed under the new one. */
export function* beginRotation(flavour: ScriptDialect, from: CipherKey, to: CipherKey): Script<void> {
  yield* atomically(function* () {
    yield* alone();
    yield* writeKeyring('next', from, to.hex);
    yield* writeKeyring('previous', to, from.hex);
    yield* writeProgress(flavour, START);
  });
}

/**
 * Seals every row under the new key, goes on where a killed process stopped, and forgets the old key. A row that cannot be
 * opened is left as it is, and named.
 */
export function* finishRotation(
  flavour: ScriptDialect,
  { key, secret }: Keyring,
  next: CipherKey,
  log: Logger,
): Script<ReEncryptedRows> {
  const codec = flavour.form(createCodec(new KeyRing(next, key), new NameCipher(secret)));
  const isDone = (row: RawRow) => keyIdOf(row['body']) === next.id;
  const counts = yield* walk({ flavour, from: codec, to: codec, columns: bodyColumns, isDone, log });
  yield* atomically(function* () {
    yield* alone();
    yield* writeKeyring('current', next, secret);
    yield* dropKeyring('next', 'previous', 'progress');
  });
  yield* askAll(flavour.purgeSealed);
  return counts;
}

/** Brings all tables to their new form, each batch in a commit with how far it came. */
function* walk(way: Way): Script<ReEncryptedRows> {
  const counts = { rows: 0, left: 0 };
  // A batch and how far it came are lost together or not at all, so that only the last commit, in full, need be waited for.
  yield* askAll(way.flavour.relax);
  while (yield* atomically(() => step(way, counts)));
  yield* askAll(way.flavour.tighten);
  return counts;
}

/** The next batch; false where nothing is left. How far it is, is read anew: another process may have taken its part. */
function* step(way: Way, counts: { rows: number; left: number }): Script<boolean> {
  const progress = yield* readProgress(way.flavour);
  const at = TABLE_NAMES.findIndex((name) => name === progress?.table);
  const table = TABLE_NAMES[at];
  if (progress === undefined || table === undefined) return false;
  yield* alone();
  const following: Progress = at + 1 < TABLE_NAMES.length ? { table: TABLE_NAMES[at + 1]!, after: [] } : DONE;
  const columns = way.columns(table);
  // A table whose keys themselves change is taken in one commit; those are small.
  const isWhole = TABLES[table].key.some((column) => columns.includes(column));
  const rows = columns.length === 0 ? [] : yield* page(way.flavour, table, progress.after, isWhole ? undefined : BATCH);
  for (const row of rows) if (!way.isDone(row)) counts[yield* change(table, row, columns, way)]++;
  const last = rows.at(-1);
  const isPast = last === undefined || isWhole;
  yield* writeProgress(way.flavour, isPast ? following : { table, after: keyOf(table, last) });
  return true;
}

function* change(
  table: TableName,
  row: RawRow,
  columns: readonly string[],
  { from, to, log }: Way,
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
  yield* ask(`UPDATE ${table} SET ${set} WHERE ${where}`, ...values, ...keyOf(table, row));
  return 'rows';
}

function bodyColumns(table: TableName): string[] {
  return 'body' in TABLES[table].columns ? ['body'] : [];
}

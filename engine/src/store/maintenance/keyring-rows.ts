import type { Bound } from '../codec.ts';
import { query, type RawRow, type Script, type ScriptDialect } from './script.ts';

/**
 * Reads all rows of the table `keyring`, which contains the keys of a store and the marks of a move. Empty if the table
 * does not exist yet: in a store of the first schema, and in a new file.
 */
export function* readKeyringRows(dialect: ScriptDialect): Script<readonly RawRow[]> {
  const hasTable = (yield* query(dialect.hasTable, 'keyring')).length > 0;
  return hasTable ? yield* query('SELECT name, body FROM keyring') : [];
}

/** Writes one row of the table `keyring`; replaces the row with the same name. */
export function* putKeyringRow(name: string, body: Bound): Script<void> {
  const text = 'INSERT INTO keyring (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body';
  yield* query(text, name, body);
}

/** Deletes rows of the table `keyring`; no error if a row is missing. */
export function* deleteKeyringRows(...names: readonly string[]): Script<void> {
  for (const name of names) yield* query('DELETE FROM keyring WHERE name = ?', name);
}

import type { Bound } from '../codec.ts';
import { query, type RawRow, type Script, type ScriptDialect } from './script.ts';

/**
 * All rows of the table `keyring`, which holds the keys of a store and the marks of a move. Empty where the table is missing:
 * in a store of the first schema, and in a fresh file.
 */
export function* readKeyringRows(dialect: ScriptDialect): Script<readonly RawRow[]> {
  const hasTable = (yield* query(dialect.hasTable, 'keyring')).length > 0;
  return hasTable ? yield* query('SELECT name, body FROM keyring') : [];
}

/** Writes one row of the table `keyring`, in place of the one with its name. */
export function* putKeyringRow(name: string, body: Bound): Script<void> {
  const text = 'INSERT INTO keyring (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body';
  yield* query(text, name, body);
}

/** Removes rows of the table `keyring`; missing ones are fine. */
export function* deleteKeyringRows(...names: readonly string[]): Script<void> {
  for (const name of names) yield* query('DELETE FROM keyring WHERE name = ?', name);
}

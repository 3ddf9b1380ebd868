import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { asPgError } from './pg-errors.ts';
import type { SqlDatabase } from './sql-database.ts';

/** Name of the file in the folder of a process that contains the ids of the databases that it used, by address. */
const FILE = 'databases.json';
const ROW = 'identity';

/**
 * Compares the database with the one that was at this address before, as the folder of this process remembers it.
 * `STORE_LOST` if it is another one, unless `acceptsNewStore`. The first process of a database gives it its id.
 */
export async function checkIdentity(
  database: SqlDatabase,
  { dir, address, acceptsNewStore = false }: { dir: string; address: string; acceptsNewStore?: boolean | undefined },
): Promise<void> {
  const id = await identityOf(database);
  const known = readIds(join(dir, FILE));
  const before = known[address];
  if (before === id) return;
  if (before !== undefined && !acceptsNewStore)
    throw new EngineError('STORE_LOST', `the database ${address} is not the one that this process used before`, {
      hint:
        'restore the database from a backup; or, if this is what you want, callsheet start --accept-new-store: ' +
        'what the database does not know is done again, such as answering a mail',
    });
  writeFileSync(join(dir, FILE), JSON.stringify({ ...known, [address]: id }), { mode: 0o600 });
}

async function identityOf(database: SqlDatabase): Promise<string> {
  try {
    const text = 'INSERT INTO keyring (name, body) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
    await database.query(text, [ROW, Buffer.from(randomUUID())]);
    const { rows } = await database.query('SELECT body FROM keyring WHERE name = $1', [ROW]);
    return Buffer.from(rows[0]?.['body'] as Uint8Array).toString('utf8');
  } catch (cause) {
    throw asPgError(cause, 'cannot read the identity of the database');
  }
}

function readIds(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

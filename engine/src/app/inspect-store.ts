import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseKey } from '../store/cipher.ts';
import type { InspectedStore } from '../store/maintenance/inspection.ts';
import type { ProcessContext } from './process-context.ts';

/** Opens the store of a data folder for reading, without its lock. Undefined before the first start; `STORE_*`. */
export async function inspectDataFolder({
  dataDir,
  env,
}: Pick<ProcessContext, 'dataDir' | 'env'>): Promise<InspectedStore | undefined> {
  if (!existsSync(dataDir)) return undefined;
  const [{ DATABASE_FILE }, { InspectedSqlite }] = await Promise.all([
    import('../store/sqlite/database-file.ts'),
    import('../store/sqlite/inspect-sqlite.ts'),
  ]);
  if (!existsSync(join(dataDir, DATABASE_FILE))) return undefined;
  return new InspectedSqlite({ dir: dataDir, key: keyOf(env) });
}

/**
 * Reads the names of the secrets of a data folder, without its lock. Undefined if there is no readable store, or if the store is
 * a shared database: a clone of a config is validated without any store.
 */
export async function inspectSecretNames(
  context: Pick<ProcessContext, 'dataDir' | 'env'>,
): Promise<ReadonlySet<string> | undefined> {
  if ((context.env('DATABASE_URL') ?? '') !== '') return undefined;
  let store: InspectedStore | undefined;
  try {
    store = await inspectDataFolder(context);
    const rows = await store?.list('secret', { bodies: false });
    return rows && new Set(rows.map(({ name }) => name));
  } catch {
    return undefined;
  } finally {
    await store?.close();
  }
}

/** The key of the environment; undefined where there is none, or no valid one. */
export function keyOf(env: ProcessContext['env']): string | undefined {
  return parseKey(env('VX_MAILAGENT_KEY') ?? '');
}

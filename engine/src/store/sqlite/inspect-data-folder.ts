import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseKey } from '../cipher.ts';
import type { InspectedStore } from '../maintenance/inspection.ts';

/** Opens the store of a data folder for reading, without its lock. Undefined before the first start; `STORE_*`. */
export async function inspectDataFolder({
  dataDir,
  env,
}: {
  readonly dataDir: string;
  readonly env: (name: string) => string | undefined;
}): Promise<InspectedStore | undefined> {
  if (!existsSync(dataDir)) return undefined;
  const [{ DATABASE_FILE }, { InspectedSqlite }] = await Promise.all([
    import('./database-file.ts'),
    import('./inspect-sqlite.ts'),
  ]);
  if (!existsSync(join(dataDir, DATABASE_FILE))) return undefined;
  return new InspectedSqlite({ dir: dataDir, key: keyOf(env) });
}

/** The key of the environment; undefined where there is none, or no valid one. */
export function keyOf(env: (name: string) => string | undefined): string | undefined {
  return parseKey(env('VX_MAILAGENT_KEY') ?? '');
}

import { resolve } from 'node:path';
import type { Validation } from '../config/config.ts';
import { validateConfig } from '../config/validate-folder.ts';
import type { InspectedStore } from '../store/maintenance/inspection.ts';
import { inspectDataFolder } from '../store/sqlite/inspect-data-folder.ts';
import type { ProcessContext } from './process-context.ts';
import { builtInToolCatalog } from './tool-catalog.ts';

/**
 * Validates the config folder, or only the files and folders of `paths`, relative to `cwd`. Needs no data folder; of an existing
 * one it reads the names of secrets. `USAGE` if a path does not exist.
 */
export async function validateFiles(
  { configDir, dataDir, env }: Pick<ProcessContext, 'configDir' | 'dataDir' | 'env'>,
  {
    cwd,
    paths,
    texts,
  }: {
    readonly cwd: string;
    readonly paths: readonly string[];
    /** See `validateConfig`. */
    readonly texts?: ReadonlyMap<string, string>;
  },
): Promise<Validation> {
  const absolute = paths.map((path) => resolve(cwd, path));
  const names = await inspectSecretNames({ dataDir, env });
  const hasSecret = names && ((name: string) => names.has(name));
  return validateConfig({
    ...{ dir: configDir, dataDir, paths: absolute, texts, env, hasSecret },
    catalog: builtInToolCatalog(),
  });
}

/**
 * Reads the names of the secrets of a data folder, without its lock. Undefined if there is no readable store, or if the store is
 * a shared database: a clone of a config is validated without any store.
 */
async function inspectSecretNames(
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

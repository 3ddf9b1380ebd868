import { resolve } from 'node:path';
import type { Validation } from '../config/config.ts';
import { validateConfig } from '../config/validate-folder.ts';
import { inspectSecretNames } from './inspect-store.ts';
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

import { resolve } from 'node:path';
import type { Validation } from '../config/config.ts';
import { validateConfig } from '../config/validate-folder.ts';
import type { ProcessContext } from './process-context.ts';
import { builtInToolCatalog } from './tool-catalog.ts';

/**
 * Validates the config folder, or only the files and folders of `paths`, relative to `cwd`. Opens no data folder. `USAGE`
 * if one of them does not exist.
 */
export function validateFiles(
  { configDir, env }: Pick<ProcessContext, 'configDir' | 'env'>,
  { cwd, paths }: { readonly cwd: string; readonly paths: readonly string[] },
): Promise<Validation> {
  const absolute = paths.map((path) => resolve(cwd, path));
  return validateConfig({ dir: configDir, paths: absolute, catalog: builtInToolCatalog(), env });
}

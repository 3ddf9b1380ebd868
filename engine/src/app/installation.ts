import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this installation: `ui`, `samples`, `package.json`. */
export const HOME = fileURLToPath(new URL('../../..', import.meta.url));

/** The cache with the bundles of engine and viewer. */
export const BUNDLES = join(HOME, 'node_modules', '.cache', 'callsheet');

/** Version of this Callsheet. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as { version: string };
  return version;
}

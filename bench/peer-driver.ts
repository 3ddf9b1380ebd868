/** The driver that the peer harness imports: `peer/driver.ts` out of a bundle, as `callsheet.cjs` starts the engine. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Bundles {
  readonly CACHE: string;
  readonly findBundle: (options: { readonly manifest: string }) => string | undefined;
  readonly openBundle: (dir: string) => { readonly load: (name: string) => typeof import('./peer/driver.ts') };
}

const { CACHE, findBundle, openBundle } = createRequire(import.meta.url)('../engine/bundle.cjs') as Bundles;
const manifest = join(CACHE, 'peer.json');

function bundle(): string {
  const made = findBundle({ manifest });
  if (made !== undefined) return made;
  mkdirSync(CACHE, { recursive: true });
  execFileSync(process.execPath, [fileURLToPath(new URL('./peer/bundle.mjs', import.meta.url)), manifest]);
  const found = findBundle({ manifest });
  if (found === undefined) throw new Error('a source has changed while its bundle was made');
  return found;
}

const main = bundle();
export const { create } = openBundle(dirname(main)).load(basename(main));

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './available.ts';

/** A folder of the checkout for what test processes make once for each other; a name says what its content depends on. */
export const testCache = join(root, 'node_modules', '.cache', 'callsheet-tests');

/** Writes a file of the cache, whole at any moment: other processes read it, or write it too. */
export function writeCached(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join } from 'node:path';
import { testCache, writeCached } from './test-cache.ts';

/**
 * The file of a program of the tests in JavaScript: Node takes twice as long to start one in TypeScript. It imports only what Node
 * brings. It lies in the checkout, where a sandbox sees it.
 */
export function programOf(source: URL): string {
  const text = readFileSync(source, 'utf8');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const file = join(testCache, `${basename(source.pathname, '.ts')}-${hash}.mjs`);
  writeCached(file, stripTypeScriptTypes(text));
  return file;
}

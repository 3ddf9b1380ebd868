// What the bundles of engine and viewer share: how long old ones stay in the cache.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bundles kept besides the current one: a server that runs still loads parts of its own. */
const KEPT = 2;
/** Others are kept for so long, since a process may still run that has started from one of them. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Removes old bundles, whose folders begin with `prefix`. */
export function removeOld(cache, prefix, current) {
  const bundles = readdirSync(cache, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix) && entry.name !== current)
    .map(({ name }) => ({ name, stamp: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.stamp - a.stamp);
  const old = bundles.slice(KEPT).filter(({ stamp }) => Date.now() - stamp > KEPT_MS);
  for (const { name } of old) rmSync(join(cache, name), { recursive: true, force: true });
}

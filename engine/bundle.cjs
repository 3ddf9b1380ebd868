// The bundle of the engine: its sources in a few files, which load in half the time. `scripts/bundle.mjs` makes it after an
// installation, and `callsheet.cjs` uses it as long as no source has changed since.
const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const HOME = join(__dirname, '..');
/** Everything below is made by `scripts/bundle.mjs` and Node, and can be deleted. */
const CACHE = join(HOME, 'node_modules', '.cache', 'callsheet');
const MANIFEST = join(CACHE, 'bundle.json');

/** Size and time of change of a file, as one text; empty if there is none. */
function stampOf(file) {
  const stats = statSync(join(HOME, file), { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.size} ${stats.mtimeMs}`;
}

/**
 * The path of the bundle's main file; undefined if there is none, or a file that it was made of has changed. With
 * `isHelp` only the files count that print the help.
 */
function findBundle({ isHelp = false } = {}) {
  try {
    const { main, node, stamps } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
    if (node !== process.version) return undefined;
    const isCurrent = (files) => Object.keys(files).every((file) => stampOf(file) === files[file]);
    const isUsable = isCurrent(stamps.help) && (isHelp || isCurrent(stamps.rest)) && existsSync(join(CACHE, main));
    return isUsable ? join(CACHE, main) : undefined;
  } catch {
    return undefined;
  }
}

module.exports = { CACHE, HOME, MANIFEST, findBundle, stampOf };

// The bundle of the engine: its sources in a few files, which load in half the time. `scripts/bundle.mjs` makes it after an
// installation, and `callsheet.cjs` uses it as long as no source has changed since.
const { existsSync, readFileSync, statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const HOME = join(__dirname, '..');
/** Everything below is made by `scripts/bundle.mjs` and Node, and can be deleted. */
const CACHE = join(HOME, 'node_modules', '.cache', 'callsheet');
const MANIFEST = join(CACHE, 'bundle.json');
/** Grows when `scripts/bundle.mjs` writes parts that an older `openBundle` cannot load, or the other way round. */
const FORMAT = 3;

/** Size and time of change of a file, as one text; empty if there is none. */
function stampOf(file) {
  // No `join`: it takes longer than to look at the file, and there are a thousand.
  const stats = statSync(`${HOME}/${file}`, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.size} ${stats.mtimeMs}`;
}

/**
 * The path of the main file of the bundle of a manifest; undefined if there is none, or a file that it was made of has changed.
 * With `isHelp` only the files count that print the help.
 */
function findBundle({ isHelp = false, manifest = MANIFEST } = {}) {
  try {
    const { main, node, format, stamps } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (node !== process.version || format !== FORMAT) return undefined;
    const isCurrent = (files) => Object.keys(files).every((file) => stampOf(file) === files[file]);
    const isUsable = isCurrent(stamps.help) && (isHelp || isCurrent(stamps.rest)) && existsSync(join(CACHE, main));
    return isUsable ? join(CACHE, main) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Loads parts of the bundle in a folder, each with the code that was compiled when the bundle was made (`x.cjs.code`). Node's own compile
 * cache has only what runs when a file is loaded: with this one a command compiles hardly anything, and no part is searched for.
 */
function openBundle(dir) {
  const parts = new Map();
  const scripts = new Map();
  const requireOther = createRequire(join(dir, 'main.cjs'));
  const requireAny = (id) => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id));
  function load(name) {
    const known = parts.get(name);
    if (known !== undefined) return known.exports;
    const part = { exports: {} };
    parts.set(name, part);
    const filename = join(dir, name);
    const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData: codeOf(filename) });
    scripts.set(name, script);
    script.runInThisContext()(part.exports, requireAny, part, (id) => import(id));
    return part.exports;
  }
  return { load, scripts };
}

/** The compiled code of a part; undefined where there is none. V8 refuses that of another version. */
function codeOf(file) {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

module.exports = { openBundle, CACHE, FORMAT, HOME, MANIFEST, findBundle, stampOf };

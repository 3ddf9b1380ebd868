// Makes the bundle that `engine/callsheet.cjs` starts, and the compiled code of it, in node_modules/.cache/callsheet. Does
// nothing if the bundle is that of the sources, or if the bundler is not installed: then the sources run.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { CACHE, HOME, MANIFEST, findBundle, stampOf } = require('../engine/bundle.cjs');
/** Bundles kept besides the current one: a server that runs still loads parts of its own. */
const KEPT = 2;

if (findBundle() === undefined) {
  const bundler = await import('rolldown').catch(() => undefined);
  if (bundler !== undefined) await build(bundler);
}

async function build({ rolldown }) {
  const bundle = await rolldown({
    cwd: HOME,
    input: 'engine/src/main.ts',
    platform: 'node',
    logLevel: 'silent',
    plugins: [
      {
        name: 'engine',
        // What is loaded only when it is used is large, and is often not used.
        resolveId: (source, _importer, { kind }) =>
          source.startsWith('node:') || (kind === 'dynamic-import' && !source.startsWith('.'))
            ? { id: source, external: true }
            : undefined,
        // Workers and other files beside a source are found from its own place.
        transform: (code, id) => code.replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(id).href)),
      },
    ],
  });
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' };
  const { output } = await bundle.generate({ format: 'cjs', ...names });
  const parts = output.filter(({ type }) => type === 'chunk');
  const stamps = stampsOf(parts);
  const name = `bundle-${createHash('sha256').update(JSON.stringify(stamps)).digest('hex').slice(0, 12)}`;
  const [dir, partial] = [join(CACHE, name), join(CACHE, `${name}.${process.pid}`)];
  mkdirSync(partial, { recursive: true });
  for (const { fileName, code } of parts) writeFileSync(join(partial, fileName), code);
  rmSync(dir, { recursive: true, force: true });
  renameSync(partial, dir);
  const manifest = { main: `${name}/main.cjs`, node: process.version, stamps };
  writeFileSync(`${MANIFEST}.${process.pid}`, JSON.stringify(manifest));
  renameSync(`${MANIFEST}.${process.pid}`, MANIFEST);
  removeOld(name);
  // Loading a part compiles it. Only the main file does more than to define.
  enableCompileCache(join(CACHE, 'code'));
  for (const { fileName, isEntry } of parts) if (!isEntry) require(join(dir, fileName));
}

/** The stamps of all files that the parts are made of: those that print the help, and the rest. */
function stampsOf(parts) {
  const byName = new Map(parts.map((part) => [part.fileName, part]));
  const loaded = new Set(parts.filter(({ name }) => ['main', 'program'].includes(name)));
  for (const { imports } of loaded) for (const name of imports) if (byName.has(name)) loaded.add(byName.get(name));
  const filesOf = (some) =>
    some
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => !id.startsWith('\0'))
      .map((id) => relative(HOME, id).split(sep).join('/'))
      // The lock file stands for the packages.
      .map((file) => (file.startsWith('node_modules/') ? 'node_modules/.package-lock.json' : file));
  const stamped = (files) => Object.fromEntries([...new Set(files)].sort().map((file) => [file, stampOf(file)]));
  return { help: stamped(filesOf([...loaded])), rest: stamped(filesOf(parts.filter((part) => !loaded.has(part)))) };
}

function removeOld(current) {
  const bundles = readdirSync(CACHE, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('bundle-') && entry.name !== current)
    .map(({ name }) => ({ name, stamp: statSync(join(CACHE, name)).mtimeMs }))
    .sort((a, b) => b.stamp - a.stamp);
  for (const { name } of bundles.slice(KEPT)) rmSync(join(CACHE, name), { recursive: true, force: true });
}

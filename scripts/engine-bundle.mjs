// Makes a bundle of an entry of the engine: its parts, the compiled code of them, and a manifest with the stamps of all sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { removeOld } from './bundle-cache.mjs';
import { asAscii } from './bundle-text.mjs';

const { CACHE, FORMAT, HOME, openBundle, stampOf } = createRequire(import.meta.url)('../engine/bundle.cjs');
/** Stands for all packages. */
const LOCK = 'node_modules/.package-lock.json';
/** Packages that most runs use, though they are imported only then: each has a hundred small files. */
const COMMON_PACKAGES = new Set(['openai']);

/**
 * Makes the bundle of `input` in a folder of the cache that begins with `prefix`, compiles it, and then writes its `manifest`. `warmUp` gets what loads a part
 * and the parts, and runs what shall be compiled already when the bundle is loaded.
 */
export async function bundleEngine({ rolldown }, { input, prefix, manifest, warmUp }) {
  // Stamps are taken before the files are read: what changes meanwhile makes the bundle an old one.
  const stamps = new Map([[LOCK, stampOf(LOCK)]]);
  const isSeparate = (source) => !source.startsWith('.') && !COMMON_PACKAGES.has(source);
  const bundle = await rolldown({
    cwd: HOME,
    input,
    platform: 'node',
    logLevel: 'silent',
    plugins: [
      {
        name: 'engine',
        // What is loaded only when it is used is large, and is often not used.
        resolveId: (source, _importer, { kind }) =>
          source.startsWith('node:') || (kind === 'dynamic-import' && isSeparate(source))
            ? { id: source, external: true }
            : undefined,
        load: (id) => void (stamps.has(fileOf(id)) || stamps.set(fileOf(id), stampOf(fileOf(id)))),
        // Workers and other files beside a source are found from its own place.
        transform: (code, id) => code.replaceAll('import.meta.url', () => JSON.stringify(pathToFileURL(id).href)),
      },
    ],
  });
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' };
  const { output } = await bundle.generate({ format: 'cjs', comments: false, ...names });
  const parts = output.filter(({ type }) => type === 'chunk');
  const main = parts.find(({ isEntry }) => isEntry).fileName;
  const stamped = stampsOf(parts, stamps);
  const name = `${prefix}${createHash('sha256')
    .update(JSON.stringify([FORMAT, stamped]))
    .digest('hex')
    .slice(0, 12)}`;
  const [dir, partial] = [join(CACHE, name), join(CACHE, `${name}.${process.pid}`)];
  mkdirSync(partial, { recursive: true });
  for (const { fileName, code } of parts) writeFileSync(join(partial, fileName), asFunction(code));
  // One that is there is the same, and may be in use.
  if (existsSync(join(dir, main))) rmSync(partial, { recursive: true, force: true });
  else {
    rmSync(dir, { recursive: true, force: true });
    renameSync(partial, dir);
  }
  // Only then it is started: commands would be slower until a source changes where this process ends in between.
  await compile(dir, parts, warmUp);
  writeFileSync(
    `${manifest}.${process.pid}`,
    JSON.stringify({ main: `${name}/${main}`, node: process.version, format: FORMAT, stamps: stamped }),
  );
  renameSync(`${manifest}.${process.pid}`, manifest);
  removeOld(CACHE, prefix, name);
}

/** The code of a part as a function that the launcher calls, which also imports packages for it. */
function asFunction(code) {
  const body = code.replace(/^#!.*/, '').replace(/(?<![\w.$])import\("/g, 'importOther("');
  return `(function (exports, require, module, importOther) {${asAscii(body)}\n})`;
}

/** Stores the compiled code of the parts, after the warm-up. */
async function compile(dir, parts, warmUp) {
  const { load, scripts } = openBundle(dir);
  // Only the main file does more than to define.
  for (const { fileName, isEntry } of parts) if (!isEntry) load(fileName);
  await warmUp(load, parts);
  for (const [name, script] of scripts) {
    const file = join(dir, `${name}.code`);
    writeFileSync(`${file}.${process.pid}`, script.createCachedData());
    renameSync(`${file}.${process.pid}`, file);
  }
}

/** The file that is compared for a module: of a package it is the lock file. */
function fileOf(id) {
  const file = relative(HOME, id).split(sep).join('/');
  return file.startsWith('node_modules/') ? LOCK : file;
}

/** Of the stamps those of all files that the parts are made of: those that print the help, and the rest. */
function stampsOf(parts, stamps) {
  const byName = new Map(parts.map((part) => [part.fileName, part]));
  const loaded = new Set(parts.filter(({ name }) => ['main', 'program'].includes(name)));
  for (const { imports } of loaded) for (const name of imports) if (byName.has(name)) loaded.add(byName.get(name));
  const filesOf = (some) =>
    some
      .flatMap(({ moduleIds }) => moduleIds)
      .filter((id) => !id.startsWith('\0'))
      .map(fileOf);
  const stamped = (files) => Object.fromEntries([...new Set(files)].sort().map((file) => [file, stamps.get(file)]));
  return { help: stamped(filesOf([...loaded])), rest: stamped(filesOf(parts.filter((part) => !loaded.has(part)))) };
}

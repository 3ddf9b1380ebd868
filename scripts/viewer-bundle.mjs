// The bundle of the viewer: the modules and styles of `ui` in a few small files, also compressed, as `api/viewer/viewer-bundle.ts`
// serves them as long as no source has changed since.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { removeOld } from './bundle-cache.mjs';

const MANIFEST = 'viewer.json';
/** The style sheets of the page, in their order. */
const STYLE = /<link rel="stylesheet" href="\/ui\/([^"]+)" \/>/g;

/**
 * Makes the bundle of `home/ui` in `cache`, unless it is there already. `loadBundler` imports rolldown, or resolves with undefined
 * where it is not installed.
 */
export async function bundleViewer({ home: given, cache, loadBundler }) {
  // As the bundler names files.
  const home = realpathSync(given);
  const ui = join(home, 'ui');
  const packages = join(home, 'node_modules', '.package-lock.json');
  if (!existsSync(join(ui, 'main.ts')) || isCurrent(cache, ui)) return;
  const bundler = await loadBundler();
  if (bundler === undefined) return;
  const stamps = new Map();
  // Taken before a file is read: what changes meanwhile makes the bundle an old one.
  const note = (file) => {
    // The checkout itself may lie below a folder of this name.
    const isPackage = relative(home, file).split(sep).includes('node_modules');
    const path = isPackage ? packages : file;
    const name = relative(ui, path).split(sep).join('/');
    if (!stamps.has(name)) stamps.set(name, stampOf(path));
  };
  const style = readStyle(ui, note);
  const { modules, files } = await bundleModules(bundler, ui, note);
  const styleName = `style-${hashOf(style)}.css`;
  files.set(styleName, style);
  const folder = `viewer-${hashOf([...files].flat().join('\n'))}`;
  writeFiles(cache, folder, files);
  const manifest = { folder, modules, style: styleName, stamps: Object.fromEntries([...stamps].sort()) };
  writeFileSync(join(cache, `${MANIFEST}.${process.pid}`), JSON.stringify(manifest));
  renameSync(join(cache, `${MANIFEST}.${process.pid}`), join(cache, MANIFEST));
  removeOld(cache, 'viewer-', folder);
}

/** The modules that the first page needs are one file. Those of the other pages are loaded later, a file each. */
async function bundleModules({ rolldown }, ui, note) {
  const first = new Set();
  const bundle = await rolldown({
    cwd: ui,
    input: { main: 'main.ts' },
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'viewer',
        load: (id) => void note(id),
        buildEnd() {
          const visit = (id) => {
            if (first.has(id)) return;
            first.add(id);
            this.getModuleInfo(id).importedIds.forEach(visit);
          };
          visit([...this.getModuleIds()].find((id) => this.getModuleInfo(id).isEntry));
        },
      },
    ],
  });
  const { output } = await bundle.generate({
    ...{ format: 'esm', minify: true, sourcemap: true },
    ...{ entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' },
    codeSplitting: {
      groups: [
        { name: 'first', test: (id) => first.has(id) },
        { name: 'pages', minShareCount: 2 },
      ],
    },
  });
  await bundle.close();
  const entry = output.find(({ isEntry }) => isEntry);
  return {
    modules: [entry.fileName, ...entry.imports],
    files: new Map(output.map((file) => [file.fileName, file.code ?? file.source])),
  };
}

/** All style sheets as one text, without comments and indentation. */
function readStyle(ui, note) {
  const page = join(ui, 'index.html');
  note(page);
  const sheets = [...readFileSync(page, 'utf8').matchAll(STYLE)].map(([, name]) => join(ui, name));
  sheets.forEach(note);
  const text = sheets.map((sheet) => readFileSync(sheet, 'utf8')).join('');
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/\n\s*/g, '\n');
}

function writeFiles(cache, folder, files) {
  const [dir, partial] = [join(cache, folder), join(cache, `${folder}.${process.pid}`)];
  mkdirSync(partial, { recursive: true });
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  for (const [name, text] of files) {
    writeFileSync(join(partial, name), text);
    if (name.endsWith('.map')) continue;
    writeFileSync(join(partial, `${name}.br`), brotliCompressSync(text, { params }));
    writeFileSync(join(partial, `${name}.gz`), gzipSync(text, { level: 9 }));
  }
  // One that is there is the same, and a server may be reading it.
  if (existsSync(dir)) rmSync(partial, { recursive: true, force: true });
  else renameSync(partial, dir);
}

function isCurrent(cache, ui) {
  try {
    const { folder, stamps } = JSON.parse(readFileSync(join(cache, MANIFEST), 'utf8'));
    const hasChanged = (name) => stampOf(join(ui, name)) !== stamps[name];
    return existsSync(join(cache, folder)) && !Object.keys(stamps).some(hasChanged);
  } catch {
    return false;
  }
}

function stampOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.size} ${stats.mtimeMs}`;
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

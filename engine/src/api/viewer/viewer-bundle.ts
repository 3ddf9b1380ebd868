import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { type Served, servedFile } from '../http/served-file.ts';

const MANIFEST = 'viewer.json';
/** Path of a file of a bundle, also of one that is no longer the newest: an open page loads more of its own. */
const PATH = /^\/ui\/(viewer-[0-9a-f]{12})\/([\w-]+\.(js|css|js\.map))$/;
const TYPES: Readonly<Record<string, string>> = {
  'js': 'text/javascript',
  'css': 'text/css',
  'js.map': 'application/json',
};

/** The modules and styles of the viewer in a few files, made by `scripts/viewer-bundle.mjs`. */
export interface ViewerBundle {
  /** Addresses of the modules that the first page needs; the first of them starts it. */
  readonly modules: readonly string[];
  /** Address of the style sheet. */
  readonly style: string;
}

/** The bundle in a cache folder, and the files of those that are there. */
export interface ViewerBundles {
  /** The bundle of the sources as they are now; undefined if there is none. */
  find(): Promise<ViewerBundle | undefined>;
  /** The file of a path below `/ui/`; undefined if it is none of a bundle. */
  file(path: string): Promise<Served | undefined>;
}

/** Opens the cache that holds bundles of the modules in `uiDir`. */
export function viewerBundles(cacheDir: string, uiDir: string): ViewerBundles {
  const known = new Map<string, Served>();
  return {
    async find() {
      const text = await readFile(join(cacheDir, MANIFEST), 'utf8').catch(() => '');
      const manifest = readManifest(text);
      if (manifest === undefined) return undefined;
      const { folder, modules, style, stamps } = manifest;
      const isSame = async ([name, stamp]: [string, string]) => (await stampOf(join(uiDir, name))) === stamp;
      const isCurrent = (await Promise.all(Object.entries(stamps).map(isSame))).every(Boolean);
      if (!isCurrent || (await stampOf(join(cacheDir, folder))) === '') return undefined;
      const addressOf = (name: string) => `/ui/${folder}/${name}`;
      return { modules: modules.map(addressOf), style: addressOf(style) };
    },
    async file(path) {
      const [, folder = '', name = '', extension = ''] = PATH.exec(path) ?? [];
      if (name === '') return undefined;
      const found = known.get(path);
      if (found !== undefined) return found;
      const file = join(cacheDir, folder, name);
      if ((await stampOf(file)) === '') return undefined;
      // The names of folder and file hold the hash of the content.
      const etag = `${folder.slice('viewer-'.length)}-${name}`;
      const served = servedFile(file, { type: TYPES[extension] ?? 'text/plain', etag });
      known.set(path, served);
      return served;
    },
  };
}

interface Manifest {
  readonly folder: string;
  readonly modules: readonly string[];
  readonly style: string;
  /** Size and time of change of every file that the bundle was made of, by its path from the ui folder. */
  readonly stamps: Readonly<Record<string, string>>;
}

/** Undefined where a text is none: the cache may be damaged, and is made again. */
function readManifest(text: string): Manifest | undefined {
  const value = parsed(text);
  if (!isRecord(value)) return undefined;
  const { folder, modules, style, stamps } = value;
  if (typeof folder !== 'string' || typeof style !== 'string') return undefined;
  if (!Array.isArray(modules) || !modules.every((name) => typeof name === 'string')) return undefined;
  if (!isRecord(stamps)) return undefined;
  return {
    ...{ folder, modules, style },
    stamps: Object.fromEntries(Object.entries(stamps).map(([name, stamp]) => [name, String(stamp)])),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Size and time of change, as one text; empty where there is nothing. */
async function stampOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  return info === undefined ? '' : `${info.size} ${info.mtimeMs}`;
}

import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join, posix } from 'node:path';
import type { Middleware } from 'koa';
import { sha256 } from '../../base/json.ts';
import { answer, type Served, servedText } from '../http/served-file.ts';
import { type ViewerBundle, viewerBundles } from './viewer-bundle.ts';

/** Packages that the page imports by name, with the file to serve. Nothing else of node_modules is served. */
const VENDOR: Readonly<Record<string, readonly [name: string, file: string]>> = {
  'preact': ['preact', 'dist/preact.mjs'],
  'preact/hooks': ['preact', 'hooks/dist/hooks.mjs'],
  'htm': ['htm', 'dist/htm.mjs'],
  'htm/preact': ['htm', 'preact/index.mjs'],
  '@preact/signals-core': ['@preact/signals-core', 'dist/signals-core.mjs'],
  '@preact/signals': ['@preact/signals', 'dist/signals.mjs'],
};

/** Allowed names of ui files. Excludes `..`, so that no path leads out of the folder. */
const UI_FILE = /^(?:[a-z0-9-]+\/)*[a-z0-9-]+\.(ts|css|svg)$/;
const TYPES: Readonly<Record<string, string>> = { ts: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
const UI_PATH = /^\/ui\/(?:(@[0-9a-f]{12})\/)?(.+)$/;
/** Names of browser modules: others need no look at node_modules. */
const VENDOR_PATH = /^\/vendor\/[\w.-]+\.js$/;
const MARK = '<!-- modules -->';
const STYLE_LINE = /^ *<link rel="stylesheet" .*\n/gm;
/** A relative import or export of values. `import()` is none: such a module is loaded later. */
const IMPORT = /^(?:import|export)\b(?! type\b)[^'"]*['"](\.[^'"]+)['"]/gm;
const ASK_FIRST = 'no-cache';
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** A file of the ui folder; its types are stripped when it is first asked for. */
interface UiFile {
  readonly source: string;
  readonly hash: string;
  served(): Promise<Served>;
}

/** The page, with its content security policy. */
interface Page {
  readonly served: Served;
  readonly policy: string;
}

interface Vendor {
  readonly files: ReadonlyMap<string, Served>;
  /** The exact text of the import map in the page; its hash is in the policy. */
  readonly importMap: string;
}

export interface ViewerFilesOptions {
  /** Absolute path of the `ui` folder. */
  readonly uiDir: string;
  /** Absolute path of the folder with bundles of it; default: the modules are served. */
  readonly bundleDir?: string | undefined;
}

/**
 * Serves the viewer: `/` (the page), `/ui/**` (TypeScript with the types stripped, so that line numbers hold; CSS; icons)
 * and `/vendor/*` (browser modules, with their hash in the name). Other paths go to the next middleware. Needs no login: the files
 * contain no data. A file is read again when its time or size changes.
 *
 * With a bundle of these very files the page names that in their place: a cold browser then requests a few files, not two hundred.
 * Without one the page names its files `/ui/@<hash of all files>/…`, which relative imports keep: a returning browser requests only the page,
 * and an edited file changes the names of all.
 */
export function viewerFiles({ uiDir, bundleDir }: ViewerFilesOptions): Middleware {
  const files = createFiles(uiDir);
  const bundles = bundleDir === undefined ? undefined : viewerBundles(bundleDir, uiDir);
  let vendor: Promise<Vendor> | undefined;
  const loadVendor = () => (vendor ??= readVendor());
  let newest = '';

  /** The page with its import map and a preload for each module that it starts with: without preloads the browser finds modules level by level. */
  const build = async (): Promise<Page> => {
    const bundle = await bundles?.find();
    if (bundle !== undefined) return bundlePage(await readFile(join(uiDir, 'index.html'), 'utf8'), bundle);
    const { importMap } = await loadVendor();
    const names = (await readdir(uiDir, { recursive: true })).map((name) => name.replaceAll('\\', '/')).sort();
    const all = await Promise.all(names.map(async (name) => ({ name, file: await files(name) })));
    const known = all.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, file }]));
    newest = `@${sha256(known.map(({ name, file }) => `${name} ${file.hash}`).join('\n')).slice(0, 12)}`;
    const modules = modulesOf('main.ts', new Map(known.map(({ name, file }) => [name, file.source])));
    const head = [
      `<script type="importmap">${importMap}</script>`,
      ...modules.map((name) => `<link rel="modulepreload" href="/ui/${newest}/${name}" />`),
    ].join('\n    ');
    const template = await readFile(join(uiDir, 'index.html'), 'utf8');
    const body = template.replaceAll('"/ui/', `"/ui/${newest}/`).replace(MARK, () => head);
    return { served: servedText(body, 'text/html'), policy: pagePolicy(scriptHash(importMap)) };
  };
  let building: Promise<Page> | undefined;
  // Shared by requests of the same moment: it looks at every file, for anybody who asks.
  const page = () => (building ??= build().finally(() => (building = undefined)));

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/' || ctx.path === '/index.html') {
      const { served, policy } = await page();
      ctx.set('Content-Security-Policy', policy);
      return answer(ctx, served, ASK_FIRST);
    }
    const bundled = await bundles?.file(ctx.path);
    if (bundled !== undefined) return answer(ctx, bundled, FOR_GOOD);
    const [, version = '', name = ''] = UI_PATH.exec(ctx.path) ?? [];
    const own = name === '' ? undefined : await files(name);
    // Under the name of an old version the content may differ from what that name meant: it must not be cached.
    if (own !== undefined)
      return answer(ctx, await own.served(), version !== '' && version === newest ? FOR_GOOD : ASK_FIRST);
    const library = VENDOR_PATH.test(ctx.path) ? (await loadVendor()).files.get(ctx.path) : undefined;
    if (library !== undefined) return answer(ctx, library, FOR_GOOD);
    return next();
  };
}

/** Names of the modules that `entry` needs, itself included, from the text of all. */
function modulesOf(entry: string, texts: ReadonlyMap<string, string>): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const text = texts.get(name);
    if (text === undefined || found.has(name)) return;
    found.add(name);
    for (const [, path = ''] of text.matchAll(IMPORT)) visit(posix.join(posix.dirname(name), path));
  };
  visit(entry);
  return [...found];
}

/** Reads files of the ui folder by name, cached until their time or size changes. */
function createFiles(uiDir: string): (name: string) => Promise<UiFile | undefined> {
  const known = new Map<string, { stamp: string; file: UiFile }>();
  return async (name) => {
    const extension = UI_FILE.exec(name)?.[1];
    if (extension === undefined) return undefined;
    const path = join(uiDir, name);
    const info = await stat(path).catch(() => undefined);
    if (info === undefined) return undefined;
    const stamp = `${info.mtimeMs}-${info.size}`;
    const last = known.get(name);
    if (last?.stamp === stamp) return last.file;
    const source = await readFile(path, 'utf8');
    const type = TYPES[extension] ?? 'text/plain';
    let served: Promise<Served> | undefined;
    const make = async () => servedText(extension === 'ts' ? await stripTypes(source) : source, type);
    const file: UiFile = { source, hash: sha256(source), served: () => (served ??= make()) };
    known.set(name, { stamp, file });
    return file;
  };
}

/** The page with one style sheet and the few modules of a bundle. */
function bundlePage(template: string, { modules, style }: ViewerBundle): Page {
  const [entry = '', ...others] = modules;
  const head = [
    `<link rel="stylesheet" href="${style}" />`,
    ...others.map((path) => `<link rel="modulepreload" href="${path}" />`),
  ].join('\n    ');
  const body = template
    .replaceAll(STYLE_LINE, '')
    .replace('"/ui/main.ts"', () => `"${entry}"`)
    .replace(MARK, () => head);
  return { served: servedText(body, 'text/html'), policy: pagePolicy() };
}

/** The source expression of an inline script. */
const scriptHash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** The policy of the page: scripts, styles, images, API and frames of its own origin only; and an inline script by its hash. */
function pagePolicy(...inline: readonly string[]): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...inline].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Loads the stripper on first use, since that takes 60 ms. */
async function stripTypes(source: string): Promise<string> {
  const { transformSync } = await import('amaro');
  return transformSync(source, { mode: 'strip-only' }).code;
}

/** Reads the packages, resolved from this file by the rules of Node. */
async function readVendor(): Promise<Vendor> {
  const files = new Map<string, Served>();
  const imports: Record<string, string> = {};
  for (const [specifier, [name, file]] of Object.entries(VENDOR)) {
    const manifest = findPackageJSON(name, import.meta.url);
    if (manifest === undefined) throw new Error(`package ${name} is not installed; run npm ci`);
    const served = servedText(await readFile(join(dirname(manifest), file), 'utf8'), 'text/javascript');
    const path = `/vendor/${specifier.replace(/^@/, '').replaceAll('/', '-')}.${served.etag.slice(0, 12)}.js`;
    files.set(path, served);
    imports[specifier] = path;
  }
  return { files, importMap: JSON.stringify({ imports }) };
}

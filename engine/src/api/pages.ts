import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { sha256 } from '../base/json.ts';

/** Browser builds that the page imports by name: the package and the file in it. Nothing else of node_modules is served. */
const VENDOR: Readonly<Record<string, readonly [name: string, file: string]>> = {
  'preact': ['preact', 'dist/preact.mjs'],
  'preact/hooks': ['preact', 'hooks/dist/hooks.mjs'],
  'htm': ['htm', 'dist/htm.mjs'],
  'htm/preact': ['htm', 'preact/index.mjs'],
  '@preact/signals-core': ['@preact/signals-core', 'dist/signals-core.mjs'],
  '@preact/signals': ['@preact/signals', 'dist/signals.mjs'],
};

/** Names of ui files are of this form and no other, so that no path leads out of the folder. */
const UI_FILE = /^(?:[a-z0-9-]+\/)*[a-z0-9-]+\.(ts|css|svg)$/;
const TYPES: Readonly<Record<string, string>> = { ts: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
const MARK = '<!-- modules -->';

interface Served {
  readonly body: string;
  readonly type: string;
  readonly etag: string;
}

interface Vendor {
  readonly files: ReadonlyMap<string, Served>;
  /** The import map as it stands in the page, byte for byte; its hash is in the policy. */
  readonly importMap: string;
}

export interface PagesOptions {
  /** Absolute path of the `ui` folder. */
  readonly uiDir: string;
}

/**
 * Serves the viewer: `/` (the page), `/ui/**` (TypeScript with the types stripped, so that line numbers hold; CSS; icons)
 * and `/vendor/*` (the few browser modules, under names that carry their hash). Everything else goes to the next
 * middleware. Nothing here needs a login: no file served holds data. Files are read again when their time or size changes.
 */
export function pages({ uiDir }: PagesOptions): Middleware {
  const files = new Map<string, { stamp: string; served: Served }>();
  let vendor: Promise<Vendor> | undefined;
  const loadVendor = () => (vendor ??= readVendor());

  const uiFile = async (name: string): Promise<Served | undefined> => {
    const extension = UI_FILE.exec(name)?.[1];
    if (extension === undefined) return undefined;
    const path = join(uiDir, name);
    const info = await stat(path).catch(() => undefined);
    if (info === undefined) return undefined;
    const stamp = `${info.mtimeMs}-${info.size}`;
    const known = files.get(name);
    if (known?.stamp === stamp) return known.served;
    const source = await readFile(path, 'utf8');
    const served = serve(extension === 'ts' ? await stripTypes(source) : source, TYPES[extension] ?? 'text/plain');
    files.set(name, { stamp, served });
    return served;
  };

  /** The page, with its import map and a preload for each module: without those the browser finds them level by level. */
  const page = async (): Promise<{ served: Served; policy: string }> => {
    const { importMap } = await loadVendor();
    const names = (await readdir(uiDir, { recursive: true })).map((name) => name.replaceAll('\\', '/')).sort();
    const modules = await Promise.all(
      names.filter((n) => n.endsWith('.ts')).map(async (n) => ({ n, file: await uiFile(n) })),
    );
    // A file of types alone is empty once stripped, and nobody imports it.
    const preload = modules.filter(({ file }) => file !== undefined && file.body.trim() !== '');
    const head = [
      `<script type="importmap">${importMap}</script>`,
      ...preload.map(({ n }) => `<link rel="modulepreload" href="/ui/${n}" />`),
    ].join('\n    ');
    const template = await readFile(join(uiDir, 'index.html'), 'utf8');
    return {
      served: serve(
        template.replace(MARK, () => head),
        'text/html',
      ),
      policy: pagePolicy(importMap),
    };
  };

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/' || ctx.path === '/index.html') {
      const { served, policy } = await page();
      ctx.set('Content-Security-Policy', policy);
      return answer(ctx, served, 'no-cache');
    }
    if (ctx.path.startsWith('/ui/')) {
      const served = await uiFile(ctx.path.slice('/ui/'.length));
      if (served !== undefined) return answer(ctx, served, 'no-cache');
    }
    const library = ctx.path.startsWith('/vendor/') ? (await loadVendor()).files.get(ctx.path) : undefined;
    if (library !== undefined) return answer(ctx, library, 'public, max-age=31536000, immutable');
    return next();
  };
}

/** What the page may do: its own scripts, styles and pictures, its own API, frames of its own origin, and nothing else. */
function pagePolicy(importMap: string): string {
  const hash = createHash('sha256').update(importMap).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function answer(ctx: Context, served: Served, caching: string): void {
  ctx.status = 200;
  ctx.set('Cache-Control', caching);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.etag = served.etag;
  ctx.type = served.type;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = served.body;
}

function serve(body: string, type: string): Served {
  return { body, type: `${type}; charset=utf-8`, etag: sha256(body).slice(0, 24) };
}

/** Takes 60 ms to load, hence only when the first module is asked for. */
async function stripTypes(source: string): Promise<string> {
  const { transformSync } = await import('amaro');
  return transformSync(source, { mode: 'strip-only' }).code;
}

/** Found from here by the rules of Node, wherever node_modules lies. */
async function readVendor(): Promise<Vendor> {
  const files = new Map<string, Served>();
  const imports: Record<string, string> = {};
  for (const [specifier, [name, file]] of Object.entries(VENDOR)) {
    const manifest = findPackageJSON(name, import.meta.url);
    if (manifest === undefined) throw new Error(`package ${name} is not installed; run npm ci`);
    const served = serve(await readFile(join(dirname(manifest), file), 'utf8'), 'text/javascript');
    const path = `/vendor/${specifier.replace(/^@/, '').replaceAll('/', '-')}.${served.etag.slice(0, 12)}.js`;
    files.set(path, served);
    imports[specifier] = path;
  }
  return { files, importMap: JSON.stringify({ imports }) };
}

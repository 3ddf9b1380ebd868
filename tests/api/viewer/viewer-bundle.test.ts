import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Koa from 'koa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { viewerFiles } from '../../../engine/src/api/viewer/viewer-files.ts';
import { root } from '../../available.ts';

/** Most bytes of the modules and styles of the first page, compressed. The whole page has 200 KB. */
const MAX_BYTES = 100_000;

let base: string;
let home: string;
let url: string;
let close: () => void;
const cache = () => join(home, 'cache');

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'callsheet-viewer-bundle-'));
  // What lies here is no package all the same.
  home = join(base, 'node_modules/desk');
  cpSync(join(root, 'ui'), join(home, 'ui'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  mkdirSync(cache());
  bundle();
  const app = new Koa();
  app.use(viewerFiles({ uiDir: join(home, 'ui'), bundleDir: cache() }));
  const server = app.listen(0, '127.0.0.1');
  // Making a bundle may take longer than an idle connection is kept.
  server.keepAliveTimeout = 120_000;
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
}, 60_000);
afterAll(() => {
  close?.();
  rmSync(base, { recursive: true });
});

/** Makes the bundle as the setup does. */
function bundle(): void {
  const options = `{ home: ${JSON.stringify(home)}, cache: ${JSON.stringify(cache())}, loadBundler: () => import('rolldown') }`;
  const script = pathToFileURL(join(root, 'scripts/viewer-bundle.mjs')).href;
  const code = `const { bundleViewer } = await import('${script}'); await bundleViewer(${options});`;
  const made = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' });
  expect(made.stderr).toBe('');
}

async function openPage() {
  const answer = await fetch(`${url}/`);
  const text = await answer.text();
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
  return {
    policy: answer.headers.get('content-security-policy') ?? '',
    etag: answer.headers.get('etag'),
    scripts: all(/<script type="module" src="([^"]+)"/g),
    modules: all(/rel="modulepreload" href="([^"]+)"/g),
    styles: all(/rel="stylesheet" href="([^"]+)"/g),
  };
}

test('the page names a few bundled files, which are small and kept for good', async () => {
  const { scripts, modules, styles } = await openPage();
  const files = [...scripts, ...modules, ...styles];
  expect(files).toHaveLength(3);
  let bytes = 0;
  for (const path of files) {
    expect(path).toMatch(/^\/ui\/viewer-[0-9a-f]{12}\/[\w-]+\.(js|css)$/);
    const { headers } = await fetch(url + path, { headers: { 'accept-encoding': 'br' } });
    expect(headers.get('content-encoding')).toBe('br');
    expect(headers.get('cache-control')).toContain('immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    bytes += Number(headers.get('content-length'));
  }
  expect(bytes).toBeLessThan(MAX_BYTES);
});

test.each(['br', 'gzip', 'identity'])('a bundled file sent as %s has the same content', async (encoding) => {
  const [path = ''] = (await openPage()).modules;
  const answer = await fetch(url + path, { headers: { 'accept-encoding': encoding } });
  const [, , folder = '', name = ''] = path.split('/');
  expect(await answer.text()).toBe(readFileSync(join(cache(), folder, name), 'utf8'));
});

test('the policy of a page without an import map allows no inline script at all', async () => {
  expect((await openPage()).policy.split('; ')).toContain("script-src 'self'");
});

test('the style sheet has all rules, in the order of the page', async () => {
  const [path = ''] = (await openPage()).styles;
  const css = await (await fetch(url + path)).text();
  const page = readFileSync(join(home, 'ui/index.html'), 'utf8');
  const selectors = [...page.matchAll(/href="\/ui\/(css\/[^"]+)"/g)].map(([, name = '']) =>
    readFileSync(join(home, 'ui', name), 'utf8')
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  expect(css.replaceAll(/\s+/g, ' ').trim()).toBe(selectors.join(' '));
});

test('a source map names the files and lines of the sources', async () => {
  const [path = ''] = (await openPage()).modules;
  const code = await (await fetch(url + path)).text();
  const name = /sourceMappingURL=(\S+)/.exec(code)?.[1] ?? '';
  const answer = await fetch(new URL(name, url + path));
  const { sources } = (await answer.json()) as { sources: string[] };
  expect(sources.some((source) => source.endsWith('mail/inbox-screen.ts'))).toBe(true);
});

test.each([['/ui/viewer-000000000000/main.js'], ['/ui/viewer-000000000000/../viewer.json'], ['/ui/viewer.json']])(
  '%s is no file of a bundle',
  async (path) => {
    expect((await fetch(url + path)).status).toBe(404);
  },
);

test('after an edit the page names the modules, until the next bundle is made; the files of the old one stay', async () => {
  const before = await openPage();
  appendFileSync(join(home, 'ui/main.ts'), '\nconsole.debug("changed");\n');
  const edited = await openPage();
  expect(edited.modules.some((path) => path.endsWith('/mail/inbox-screen.ts'))).toBe(true);
  expect(edited.styles.length).toBeGreaterThan(10);
  expect(edited.policy).toContain("'sha256-");
  bundle();
  const after = await openPage();
  expect(after.scripts).not.toEqual(before.scripts);
  expect(after.etag).not.toBe(before.etag);
  expect(await (await fetch(url + after.modules[0]!)).text()).toContain('changed');
  expect((await fetch(url + before.modules[0]!)).status).toBe(200);
}, 60_000);

test('a manifest that is damaged, or whose files are gone, leads to the modules', async () => {
  const manifest = join(cache(), 'viewer.json');
  const text = readFileSync(manifest, 'utf8');
  for (const other of ['{ "folder": 1', JSON.stringify({ ...JSON.parse(text), folder: 'viewer-000000000000' })]) {
    writeFileSync(manifest, other);
    expect((await openPage()).scripts[0]).toMatch(/\/main\.ts$/);
  }
  writeFileSync(manifest, text);
  expect(existsSync(manifest)).toBe(true);
  expect((await openPage()).modules).toHaveLength(1);
});

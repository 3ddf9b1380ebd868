import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Koa from 'koa';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { viewerFiles } from '../../../engine/src/api/viewer/viewer-files.ts';

const REAL_UI = fileURLToPath(new URL('../../../ui', import.meta.url));

async function serve(uiDir: string) {
  const app = new Koa();
  app.use(viewerFiles({ uiDir }));
  app.use((ctx) => {
    ctx.status = 404;
    ctx.body = 'next';
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((done) => server.close(done)),
  };
}

describe('the viewer as the engine serves it', () => {
  let site: Awaited<ReturnType<typeof serve>>;
  let page: string;
  let policy: string;
  beforeAll(async () => {
    site = await serve(REAL_UI);
    const answer = await fetch(`${site.url}/`);
    page = await answer.text();
    policy = answer.headers.get('content-security-policy') ?? '';
  });
  afterAll(() => site.close());

  const importMap = () => /<script type="importmap">(.*?)<\/script>/s.exec(page)?.[1] ?? '';

  test('the policy carries the hash of the import map as it stands in the page', () => {
    const hash = createHash('sha256').update(importMap()).digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
  });

  test.each([
    ["default-src 'none'"],
    ["style-src 'self'"],
    ["img-src 'self' data:"],
    ["connect-src 'self'"],
    ["frame-src 'self'"],
    ["base-uri 'none'"],
    ["form-action 'none'"],
    ["frame-ancestors 'none'"],
  ])('the policy says %s', (directive) => {
    expect(policy.split('; ')).toContain(directive);
  });

  test('every name in the import map is served as a script that is kept for good', async () => {
    const { imports } = JSON.parse(importMap()) as { imports: Record<string, string> };
    for (const path of Object.values(imports)) {
      const answer = await fetch(site.url + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/javascript');
      expect(answer.headers.get('cache-control')).toContain('immutable');
    }
  });

  test('every module is plain JavaScript that imports only what the page can find', async () => {
    const known = new Set(Object.keys((JSON.parse(importMap()) as { imports: object }).imports));
    const modules = [...page.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(modules.some((path) => /^\/ui\/@[0-9a-f]{12}\/main\.ts$/.test(path))).toBe(true);
    for (const path of modules) {
      const code = await (await fetch(site.url + path)).text();
      for (const [, name = ''] of code.matchAll(/(?:from|import)\s+'([\w@./-]+)'/g)) {
        if (known.has(name)) continue;
        const target = new URL(name, site.url + path).pathname;
        expect(modules, `${path} imports ${name}`).toContain(target);
      }
      expect(code).not.toMatch(/^\s*import type|\binterface \w+ \{/m);
    }
  });

  test('the page names the modules that it starts with, and none of a page that is loaded later', async () => {
    expect(page).toContain('/mail/inbox-screen.ts" />');
    expect(page).not.toContain('/spend/spend-screen.ts" />');
    const path = (/href="([^"]+)\/main\.ts"/.exec(page)?.[1] ?? '') + '/spend/spend-screen.ts';
    expect(await (await fetch(site.url + path)).text()).toContain('export function SpendScreen');
  });

  test.each(['br', 'gzip'])('a file is sent as %s to who takes it, and as it is to others', async (encoding) => {
    const get = (accepted: string) =>
      fetch(`${site.url}/ui/css/list.css`, { headers: { 'accept-encoding': accepted } });
    const [packed, plain] = [await get(encoding), await get('identity')];
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 2);
    expect(await packed.text()).toBe(await plain.text());
    expect(packed.headers.get('vary')).toContain('Accept-Encoding');
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  });

  test('the page holds no inline script or style besides the import map', () => {
    expect(page.match(/<script(?![^>]*src=)[^>]*>/g)).toEqual(['<script type="importmap">']);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  test('the page names its files so that they can be kept for good, and other names cannot', async () => {
    const path = /<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? '';
    const caching = async (p: string) => (await fetch(site.url + p)).headers.get('cache-control');
    expect(await caching(path)).toContain('immutable');
    expect(await caching(path.replace(/@[0-9a-f]+/, '@000000000000'))).toBe('no-cache');
    expect(await caching('/ui/main.ts')).toBe('no-cache');
  });

  test('a file that has not changed is answered with 304', async () => {
    const first = await fetch(`${site.url}/ui/main.ts`);
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(`${site.url}/ui/main.ts`, {
      headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
    });
    expect(second.status).toBe(304);
  });

  test('answers carry nosniff and no-referrer', async () => {
    const { headers } = await fetch(`${site.url}/ui/css/tokens.css`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test.each([
    ['/ui/../package.json'],
    ['/ui/%2e%2e/package.json'],
    ['/ui/..%2fpackage.json'],
    ['/ui/css/..\\..\\package.json'],
    ['/ui//etc/passwd'],
    ['/ui/index.html'],
    ['/ui/.env'],
    ['/ui/missing.ts'],
    ['/vendor/preact.js'],
    ['/vendor/../package.json'],
    ['/node_modules/preact/package.json'],
  ])('%s is not a page and goes on to the next middleware', async (path) => {
    // fetch would tidy the path up before it is sent.
    const { status, body } = await raw(site.url, path);
    expect([status, body]).toEqual([404, 'next']);
  });

  test('a POST goes on to the next middleware', async () => {
    expect((await fetch(`${site.url}/`, { method: 'POST' })).status).toBe(404);
  });
});

async function raw(url: string, path: string): Promise<{ status: number | undefined; body: string }> {
  const sent = request(url, { path });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, body };
}

test('a module that is edited is served anew, with its line numbers kept', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'callsheet-ui-'));
  await mkdir(join(dir, 'room'));
  await writeFile(join(dir, 'index.html'), '<head><!-- modules --></head>');
  const file = join(dir, 'room/a.ts');
  await writeFile(file, "import type { X } from './b.ts';\n\nexport const one: number = 1;\n");
  const site = await serve(dir);
  try {
    const before = await (await fetch(`${site.url}/ui/room/a.ts`)).text();
    expect(before.split('\n')[2]).toMatch(/^export const one\s+= 1;$/);
    await writeFile(file, 'export const two: number = 2;\n');
    await utimes(file, new Date(), new Date(Date.now() + 5000));
    expect(await (await fetch(`${site.url}/ui/room/a.ts`)).text()).toContain('two');
  } finally {
    await site.close();
    await rm(dir, { recursive: true });
  }
});

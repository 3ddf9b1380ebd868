import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { soon } from './soon.ts';
import { settled } from './settled.ts';
import { forChromium, longChromium } from '../available.ts';
import { type Browser, openBrowser } from './chromium.ts';
import { type FakeApi, startFakeApi } from './fake/fake-api.ts';
import { addRun, makeItem, makeMail } from './fake/fixtures.ts';
import { PNG, makeWorld } from './fake/world.ts';
import { hostileHtml } from './hostile.ts';

describe.skipIf(longChromium === undefined)(`untrusted content in the viewer${forChromium}`, () => {
  const hits: string[] = [];
  const tracker = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('seen');
  });
  let trackerUrl: string;
  let api: FakeApi;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    tracker.listen(0, '127.0.0.1');
    await once(tracker, 'listening');
    trackerUrl = `http://127.0.0.1:${(tracker.address() as AddressInfo).port}`;
    const world = makeWorld();
    const nasty = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;
    world.mails.unshift(
      makeMail('mail-hostile', {
        subject: nasty,
        snippet: nasty,
        from: [{ name: nasty, address: 'a@b.example' }],
        headers: [{ name: 'X-Nasty', value: nasty }],
        html: hostileHtml(trackerUrl),
        attachments: [
          {
            index: 0,
            name: '"><script>window.pwned=1</script>.html',
            mimeType: 'text/html',
            size: 5,
            sha256: '',
            contentId: '',
            inline: false,
          },
        ],
      }),
    );
    addRun(world, 'mail-hostile', 'run-hostile', [
      makeItem('hostile-html', { label: nasty, mimeType: 'text/html', data: hostileHtml(trackerUrl), tags: [nasty] }),
      makeItem('hostile-markdown', {
        label: 'Markdown',
        data: `# Hello\n\n![x](${trackerUrl}/markdown)\n\n<script>parent.pwned=1</script>\n\n[click](javascript:parent.pwned=1)\n\n${nasty}`,
      }),
      makeItem('hostile-svg', {
        label: 'Drawing',
        mimeType: 'image/svg+xml',
        data: `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.pwned=1"><image href="${trackerUrl}/svg"/></svg>`,
      }),
      makeItem('hostile-text', { label: 'Text', mimeType: 'text/plain', data: nasty }),
      makeItem('picture', { label: 'Picture', mimeType: 'image/png', encoding: 'base64', data: PNG }),
    ]);
    api = await startFakeApi(world);
    browser = await openBrowser();
    page = await browser.context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
    tracker.close();
  });
  beforeEach(() => {
    hits.length = 0;
  });

  const open = async (...ids: string[]) => {
    await page.goto('about:blank');
    await page.goto(`${api.url}/#/inbox/${ids.join('/')}`);
  };
  const isPwned = () => page.evaluate(() => 'pwned' in window);

  test('the tracker counts a request, so that a count of zero is a result', async () => {
    await fetch(`${trackerUrl}/control`);
    expect(hits).toEqual(['/control']);
  });

  test('the HTML of a mail loads nothing remote and runs nothing', async () => {
    await open('mail-hostile');
    await page.frameLocator('iframe[title="E-mail body"]').locator('#seen').waitFor();
    await settled(page);
    expect(hits).toEqual([]);
    expect(await isPwned()).toBe(false);
  });

  test('a bar reports blocked images, and "Load once" loads them for this view only', async () => {
    await open('mail-hostile');
    await page.getByText('Images blocked').waitFor();
    await page.getByRole('button', { name: 'Load once' }).click();
    await page.getByText('Images loaded for now').waitFor();
    expect(await page.locator('iframe[title="E-mail body"]').getAttribute('src')).toMatch(/body\.html\?images=1$/);
    await open('mail-hostile');
    await page.getByText('Images blocked').waitFor();
  });

  test.each([['hostile-html'], ['hostile-markdown']])(
    'the result %s loads nothing remote and runs nothing',
    async (id) => {
      await open('mail-hostile', 'run-hostile', id);
      await page.frameLocator('iframe.frame').getByText('Hello').first().waitFor();
      await settled(page);
      expect(hits).toEqual([]);
      expect(await isPwned()).toBe(false);
    },
  );

  test('the frame has no scripts and not the origin of the page', async () => {
    await open('mail-hostile', 'run-hostile', 'hostile-html');
    const frame = page.locator('iframe.frame');
    await frame.waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox');
    expect(await frame.getAttribute('referrerpolicy')).toBe('no-referrer');
  });

  test('markup in subjects, senders, labels, tags and file names is shown as text', async () => {
    await open('mail-hostile');
    await page.locator('h1', { hasText: '<script>window.pwned=1</script>' }).waitFor();
    await page.getByText('.html', { exact: false }).first().waitFor();
    await page.locator('.card').first().waitFor();
    expect(await isPwned()).toBe(false);
  });

  test('plain text that contains markup is shown as text', async () => {
    await open('mail-hostile', 'run-hostile', 'hostile-text');
    expect(await page.locator('pre.prose').textContent()).toContain('<script>window.pwned=1</script>');
    expect(await isPwned()).toBe(false);
  });

  test('SVG can be downloaded but is never rendered', async () => {
    await open('mail-hostile', 'run-hostile', 'hostile-svg');
    await page.getByText('There is no preview for this type').waitFor();
    expect(await page.locator('.body img, .body iframe, .body object').count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.locator('.body').getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('Drawing.svg');
    expect(hits).toEqual([]);
  });

  test('a raster image is shown from its data', async () => {
    await open('mail-hostile', 'run-hostile', 'picture');
    const picture = page.locator('.picture img');
    await soon(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(1);
  });

  test('the page itself does not break its CSP', async () => {
    const broken: string[] = [];
    await page.exposeFunction('noteBroken', (what: string) => broken.push(what));
    // Frames have a policy of their own, which is to break what a mail brings.
    await page.addInitScript(() => {
      if (window !== window.top) return;
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        Reflect.get(window, 'noteBroken')(effectiveDirective),
      );
    });
    await page.goto('about:blank');
    for (const screen of ['inbox', 'runs', 'approvals', 'todos', 'config']) {
      await page.goto(`${api.url}/#/${screen}`);
      await page.locator(`nav a[aria-current=page][href="#/${screen}"]`).waitFor();
    }
    await settled(page);
    expect(broken).toEqual([]);
    await page.evaluate(() => {
      document.head.append(Object.assign(document.createElement('script'), { textContent: '0' }));
    });
    await soon(() => broken).toEqual(['script-src-elem']);
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { smallPng } from '../../scripts/small-png.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from '../browser/chromium.ts';

describe.skipIf(chromiumPath === undefined)(`a picture with a palette${leftOut}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('is smaller, has the same size in pixels, and looks the same to a browser', async () => {
    const page = await browser.context.newPage();
    await page.setContent(
      '<h1 style="color:#2f5bd7">Results</h1><p>A text with <b>bold</b> words</p><button>Go</button>',
    );
    const whole = await page.screenshot();
    const small = smallPng(whole);
    expect(small.length).toBeLessThan(whole.length * 0.8);
    // A browser decodes both; the largest difference of a channel is small.
    const difference = await page.evaluate(
      `(async () => {
        const pixels = async (data) => {
          const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
          const { width, height } = image;
          const context = new OffscreenCanvas(width, height).getContext('2d');
          context.drawImage(image, 0, 0);
          return { width, height, data: context.getImageData(0, 0, width, height).data };
        };
        const [one, other] = [await pixels('${whole.toString('base64')}'), await pixels('${small.toString('base64')}')];
        if (one.width !== other.width || one.height !== other.height) return 'sizes differ';
        return one.data.reduce((most, value, n) => Math.max(most, Math.abs(value - other.data[n])), 0);
      })()`,
    );
    expect(difference).toBeLessThan(16);
    await page.close();
  });
});

test('the pictures of the documents have a palette and at most 120 KB', () => {
  const text = readFileSync(new URL('../../docs/viewer.md', import.meta.url), 'utf8');
  const names = [...text.matchAll(/\]\((pictures\/[\w-]+\.png)\)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(6);
  for (const name of [...names, 'results.png']) {
    const png = readFileSync(new URL(`../../docs/${name}`, import.meta.url));
    expect([name, png[25]]).toEqual([name, 3]);
    expect(png.length, name).toBeLessThan(120_000);
  }
});

test('what is no picture of a browser is refused', () => {
  expect(() => smallPng(Buffer.alloc(64))).toThrow('no PNG of a browser');
});

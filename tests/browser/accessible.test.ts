import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forChromium, longChromium } from '../available.ts';
import { type Browser, openBrowser } from './chromium.ts';
import { type FakeApi, startFakeApi } from './fake/fake-api.ts';

const PLACES = [
  'results/mail-invoice',
  'results/mail-invoice/run-invoice',
  'results/mail-invoice/run-invoice/item-draft',
  'results/mail-failed/run-failed',
  'results/mail-news',
  'runs/run-urgent',
  'diagnostics',
  'diagnostics/run_02.2',
  'approvals',
  'todos',
  'notifications',
  'results/mail-invoice/run-invoice/item-ics',
  'approvals/history',
  'config',
];

describe.skipIf(longChromium === undefined)(`the rules of axe-core, contrast included${forChromium}`, () => {
  let browser: Browser;
  let api: FakeApi;
  let page: Page;
  let axe: string;
  beforeAll(async () => {
    api = await startFakeApi();
    browser = await openBrowser();
    page = await browser.context.newPage();
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  test.each(['light', 'dark'].flatMap((theme) => PLACES.map((place) => [theme, place])))(
    'hold in %s at %s',
    async (theme, place) => {
      await page.goto('about:blank');
      await page.goto(`${api.url}/#/${place}`);
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = String(name)), theme);
      await page.locator('main h1').first().waitFor();
      // Colours change slowly with the theme; axe must see the final ones.
      await page.evaluate(() =>
        Promise.all(
          document
            .getAnimations()
            .filter((a) => a instanceof CSSTransition)
            .map((a) => a.finished),
        ),
      );
      const { violations } = await page.evaluate<AxeResults>(`${axe}; axe.run(document, { iframes: false })`);
      expect(violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
    },
  );
});

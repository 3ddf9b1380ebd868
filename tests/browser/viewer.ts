import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { forChromium, longChromium } from '../available.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from './chromium.ts';
import { type FakeApi, startFakeApi } from './fake/fake-api.ts';

/** The API, the page and helpers of a running test. */
export interface Viewer {
  /** Reset before each test. */
  readonly api: FakeApi;
  /** A new page for each test. */
  readonly page: Page;
  /** Opens an address such as `inbox/mail-invoice` and waits until the event stream is open. */
  open(place: string): Promise<void>;
  /** Stops the clock of the open page: no timer of it ends any more. */
  stopClock(): Promise<void>;
  /** Sends the decisions that the page still holds, as closing the tab does. */
  sendHeld(): Promise<void>;
}

/** A suite on the viewer in a browser with the fake API; its title says when it is left out. */
export function describeViewer(title: string, suite: (viewer: Viewer) => void): void {
  describe.skipIf(chromiumPath === undefined)(`${title}${leftOut}`, suiteOf(suite));
}

/** The same, only where loops run at their full length. */
export function describeLongViewer(title: string, suite: (viewer: Viewer) => void): void {
  describe.skipIf(longChromium === undefined)(`${title}${forChromium}`, suiteOf(suite));
}

function suiteOf(suite: (viewer: Viewer) => void): () => void {
  return () => {
    let browser: Browser;
    let api: FakeApi;
    let page: Page;
    let isStopped = false;
    beforeAll(async () => {
      api = await startFakeApi();
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await api?.close();
    });
    beforeEach(async () => {
      api.reset();
      page = await browser.context.newPage();
    });
    afterEach(async () => {
      await page.close();
      // The clock is that of all pages.
      if (isStopped) await browser.context.clock.resume();
      isStopped = false;
    });

    suite({
      get api() {
        return api;
      },
      get page() {
        return page;
      },
      async open(place) {
        await page.goto(`${api.url}/#/${place}`);
        await page.locator('.link.live').waitFor({ state: 'attached' });
      },
      async stopClock() {
        await page.clock.install();
        await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
        isStopped = true;
      },
      async sendHeld() {
        await page.evaluate(() => dispatchEvent(new Event('pagehide')));
      },
    });
  };
}

import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Desk, openDesk } from '../../api/harness.ts';
import { type Browser, openBrowser } from '../chromium.ts';
import { bundledViewer } from '../fake/bundled-viewer.ts';

/** The viewer on a whole app with real files, in one page for all tests of a suite. */
export interface DeskViewer {
  readonly desk: Desk;
  readonly page: Page;
  /** Opens an address such as `config/map`. */
  open(place: string): Promise<void>;
}

/** Starts the app before the tests of a suite, signs the browser in, and closes both after them. */
export function useDeskViewer(files: Readonly<Record<string, string>>): DeskViewer {
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const uiDir = await bundledViewer();
    [desk, browser] = await Promise.all([openDesk({ files, patch: { uiDir } }), openBrowser()]);
    page = await browser.context.newPage();
    await page.goto(`${desk.url}/?token=${desk.services.sessions.token}`);
    await page.locator('.link.live').waitFor({ state: 'attached' });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
  });
  return {
    get desk() {
      return desk;
    },
    get page() {
      return page;
    },
    open: (place) => page.evaluate((hash) => void (location.hash = hash), `#/${place}`),
  };
}

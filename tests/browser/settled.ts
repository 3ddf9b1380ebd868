import type { Page } from 'playwright-core';

/**
 * Waits until every frame of a page has loaded with all that it asked for, and one more request of the page has been
 * answered and drawn. Unlike the state "no request for half a second", it comes also while the stream of events is open.
 */
export async function settled(page: Page): Promise<void> {
  for (const frame of page.frames()) await frame.waitForLoadState('load');
  await page.evaluate(async () => {
    await fetch('/ui/mark.svg', { cache: 'no-store' });
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

import { expect, test } from 'vitest';
import { addRun, makeItem, makeMail } from './fake/fixtures.ts';
import { describeViewer } from './viewer.ts';

/** Far above what a busy machine adds; the patterns that these tests found needed 10 seconds and more. */
const LONGEST_TASK_MS = 1000;

describeViewer('content that is costly to show', (viewer) => {
  /** The longest time that the page was held, in ms, while `act` ran and until it is idle. */
  const longestTask = async (act: () => Promise<void>) => {
    await viewer.page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { tasks });
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      });
    });
    await act();
    await viewer.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    return viewer.page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks));
  };

  test('a mail with 300 KB of spaces in its HTML opens at once', async () => {
    viewer.api.world.mails = [makeMail('mail-long', { html: `<img src=${' '.repeat(300_000)}x>` })];
    await viewer.open('runs');
    const held = await longestTask(async () => {
      await viewer.page.evaluate(() => (location.hash = '#/inbox/mail-long'));
      await viewer.page.locator('.original iframe.frame').waitFor({ state: 'attached' });
    });
    expect(held).toBeLessThan(LONGEST_TASK_MS);
  });

  test('the browser lays out only the visible part of a long text', async () => {
    viewer.api.world.mails = [makeMail('mail-long', { text: 'many words in a line\n'.repeat(100_000) })];
    await viewer.open('inbox/mail-long');
    const piece = viewer.page.locator('.mail-text .piece').nth(100);
    await piece.waitFor({ state: 'attached' });
    expect(await piece.evaluate((part) => getComputedStyle(part).contentVisibility)).toBe('auto');
  });

  test('results with tags that never end and with deep JSON open at once', async () => {
    addRun(viewer.api.world, 'mail-news', 'run-odd', [
      makeItem('odd-html', { label: 'Odd', mimeType: 'text/html', data: '<'.repeat(300_000) }),
      makeItem('odd-json', {
        label: 'Deep',
        mimeType: 'application/json',
        data: '['.repeat(20_000) + ']'.repeat(20_000),
      }),
    ]);
    await viewer.open('inbox/mail-invoice');
    const held = await longestTask(async () => {
      await viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).click();
      await viewer.page.locator('.card', { hasText: 'Deep' }).click();
      await viewer.page.locator('.json').waitFor();
    });
    expect(held).toBeLessThan(LONGEST_TASK_MS);
  });
});

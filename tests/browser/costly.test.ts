import { expect, test } from 'vitest';
import { addRun, makeItem, makeMail } from './fake/fixtures.ts';
import { longestTask } from './longest-task.ts';
import { describeViewer } from './viewer.ts';

/** About a second; the patterns that these tests found needed ten times as long and more. */
const LONGEST_TASK = 50;

describeViewer('content that is costly to show', (viewer) => {
  test('a mail with 300 KB of spaces in its HTML opens at once', async () => {
    viewer.api.world.mails = [makeMail('mail-long', { html: `<img src=${' '.repeat(300_000)}x>` })];
    await viewer.open('runs');
    const held = await longestTask(viewer.page, async () => {
      await viewer.page.evaluate(() => (location.hash = '#/inbox/mail-long'));
      await viewer.page.locator('.original iframe.frame').waitFor({ state: 'attached' });
    });
    expect(held).toBeLessThan(LONGEST_TASK);
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
    const held = await longestTask(viewer.page, async () => {
      await viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).click();
      await viewer.page.locator('.card', { hasText: 'Deep' }).click();
      await viewer.page.locator('.json').waitFor();
    });
    expect(held).toBeLessThan(LONGEST_TASK);
  });
});

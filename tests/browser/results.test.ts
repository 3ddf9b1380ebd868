import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { soon } from './soon.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from './chromium.ts';
import { type FakeApi, startFakeApi } from './fake-api.ts';
import { addRun, makeItem, makeMail } from './fixtures.ts';

describe.skipIf(chromiumPath === undefined)(`the Results screen${leftOut}`, () => {
  let browser: Browser;
  let api: FakeApi;
  let page: Page;
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
  afterEach(() => page.close());

  const open = async (place = '') => {
    await page.goto(`${api.url}/#/results${place}`);
    await page.locator('.link.live').waitFor({ state: 'attached' });
    await page.getByRole('treeitem').first().waitFor();
  };
  const selected = () => page.getByRole('treeitem', { selected: true });
  const rowCount = () => page.getByRole('treeitem').count();

  test('the newest mail is open and its results are shown at the first look', async () => {
    await open();
    await page.getByRole('heading', { name: 'Invoice 4411 lists the cable twice' }).waitFor();
    await page.locator('.card', { hasText: 'Reply draft' }).getByText('thank you for your message').waitFor();
    expect(await page.getByRole('treeitem', { name: 'Reply draft' }).count()).toBe(1);
  });

  test('j, k, o and u walk the tree', async () => {
    await open('/mail-urgent');
    await soon(() => selected().textContent()).toContain('Jonas Feld');
    await page.keyboard.press('o');
    await soon(() => selected().getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('j');
    await soon(() => selected().textContent()).toContain('Client manager');
    await page.keyboard.press('j');
    await soon(() => selected().textContent()).toContain('Mood note');
    await page.frameLocator('iframe.frame').getByText('Some text').waitFor();
    await page.keyboard.press('u');
    await page.keyboard.press('u');
    await soon(() => selected().textContent()).toContain('Jonas Feld');
    await page.keyboard.press('u');
    await soon(() => selected().getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('k');
    await soon(() => selected().textContent()).toContain('Ada Ray');
  });

  test('the arrow keys work as in any tree, and the active row is named to screen readers', async () => {
    await open('/mail-urgent');
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await soon(() => selected().getAttribute('aria-level')).toBe('2');
    const active = await page.getByRole('tree').getAttribute('aria-activedescendant');
    expect(await selected().getAttribute('id')).toBe(active);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await soon(() => selected().getAttribute('aria-level')).toBe('1');
    await page.keyboard.press('End');
    await soon(() => selected().textContent()).toContain('山田');
  });

  test('keys are letters while somebody types in the search box', async () => {
    await open();
    await page.keyboard.press('/');
    await page.keyboard.type('jkou newsletter');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jkou newsletter');
    await page.getByRole('searchbox').fill('newsletter');
    await soon(rowCount).toBe(1);
  });

  test('a mail that no director took is listed as not routed, with the reason', async () => {
    const note = 'filter offers names director sales, which does not take mail of this account';
    api.world.mails = api.world.mails.map((mail) => (mail.id === 'mail-news' ? { ...mail, note } : mail));
    await open();
    await page.getByRole('button', { name: 'Not routed' }).click();
    await soon(rowCount).toBe(1);
    await page.getByRole('treeitem').click();
    await page.getByText('which does not take mail of this account').waitFor();
  });

  test('a mail and its result appear without a reload', async () => {
    await open();
    await page.evaluate(() => Object.assign(window, { same: true }));
    api.world.mails.unshift(
      makeMail('mail-new', { subject: 'Fresh from the folder', receivedAt: new Date().toISOString() }),
    );
    api.emit('mail', { id: 'mail-new' });
    const row = page.getByRole('treeitem', { name: 'Fresh from the folder' });
    await row.waitFor();
    addRun(api.world, 'mail-new', 'run-new', [makeItem('item-new', { label: 'Mood of the day' })]);
    api.emit('run', { id: 'run-new', status: 'completed', emailId: 'mail-new' });
    await row.click();
    await page.getByRole('treeitem', { name: 'Mood of the day' }).waitFor();
    expect(await page.evaluate(() => 'same' in window)).toBe(true);
  });

  test('an event fetches what changed and not the whole list', async () => {
    await open();
    api.requests.length = 0;
    api.emit('item', { workspaceId: 'run-urgent', id: 'item-note' });
    await soon(() => api.requests.join('\n')).toContain('ids=mail-urgent');
    expect(api.requests.filter((line) => line.startsWith('GET /api/emails')).length).toBe(1);
  });

  test('a burst of events is answered with one request', async () => {
    await open();
    api.requests.length = 0;
    for (let i = 0; i < 20; i++) api.emit('run', { id: 'run-urgent', status: 'running', emailId: 'mail-urgent' });
    api.emit('mail', { id: 'mail-news' });
    await soon(() => api.requests.filter((line) => line.startsWith('GET /api/emails')).length).toBe(1);
    await page.waitForLoadState('networkidle');
    expect(api.requests.filter((line) => line.startsWith('GET /api/emails')).length).toBe(1);
  });

  test('a list is fetched page by page', async () => {
    for (let i = 0; i < 120; i++)
      api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    await open();
    await soon(async () => new Set(await page.locator('.tree-row.mail').allTextContents()).size).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await soon(() => page.locator('.tree-row.mail').count()).toBe(100);
    await page.getByRole('button', { name: 'Load more' }).click();
    await soon(() => page.locator('.tree-row.mail').count()).toBe(125);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  test('search finds what lies below the pages that are loaded', async () => {
    for (let i = 0; i < 60; i++)
      api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    api.world.mails.push(makeMail('old-1', { subject: 'Needle', receivedAt: '2020-01-01T00:00:00.000Z' }));
    await open();
    await page.getByRole('searchbox').fill('needle');
    await page.getByRole('treeitem', { name: 'Needle' }).waitFor();
    await page.getByRole('searchbox').fill('');
    await soon(() => page.locator('.tree-row.mail').count()).toBe(50);
  });

  test('a link to a mail below the pages that are loaded leads there', async () => {
    for (let i = 0; i < 60; i++)
      api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    await open('/old-941');
    await page.getByRole('heading', { name: 'Subject of old-941' }).waitFor();
  });

  test('an account that cannot be fetched is said', async () => {
    api.world.accounts = [
      {
        accountId: 'support',
        state: 'failed',
        unreadable: [],
        taken: 0,
        lastError: { code: 'ACCOUNT_FAILED', message: 'the folder inbox is gone' },
      },
    ];
    await open();
    await page.getByText('One problem with fetching mail').click();
    await page.getByText('support: the folder inbox is gone').waitFor();
  });

  test('marked mails are deleted together', async () => {
    await open('/mail-urgent');
    await page.keyboard.press('x');
    await page.getByRole('treeitem', { name: 'Garden Weekly' }).hover();
    await page.getByRole('treeitem', { name: 'Garden Weekly' }).getByRole('checkbox').check();
    await page.getByText('2 marked').waitFor();
    await page.locator('.marks').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect
      .poll(() => api.world.mails.map((mail) => mail.id))
      .toEqual(['mail-invoice', 'mail-meeting', 'mail-failed']);
    await soon(() => page.getByRole('treeitem', { name: 'Garden Weekly' }).count()).toBe(0);
  });

  test('an empty list offers to fetch', async () => {
    api.world.mails = [];
    await page.goto(api.url);
    await page.getByText('No results yet.').waitFor();
    await page.getByRole('button', { name: 'Fetch now' }).click();
    await soon(() => api.requests).toContain('POST /api/fetcher/fetch');
  });

  test('a director shows its state and its transcript, with calls that open', async () => {
    await open('/mail-invoice/run-invoice');
    await page.getByText('The mood note and a reply draft are in the workspace.').waitFor();
    await page.locator('.call', { hasText: 'agent__psychologist' }).locator('summary').click();
    await page.getByText('Calm.', { exact: true }).waitFor();
    expect(await page.locator('.call.bad').textContent()).toContain('workspace_get_item');
    await page.goto(`${api.url}/#/results/mail-failed/run-failed`);
    await page.getByText('MODEL_RATE_LIMIT').first().waitFor();
  });

  test('at 360 pixels one pane shows at a time and nothing sticks out', async () => {
    await page.setViewportSize({ width: 360, height: 720 });
    await open();
    await page.getByRole('treeitem', { name: 'URGENT' }).click();
    await page.getByRole('button', { name: 'All e-mails' }).waitFor();
    expect(await page.getByRole('tree').isVisible()).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await page.getByRole('button', { name: 'All e-mails' }).click();
    await page.getByRole('tree').waitFor();
  });

  test('the divider is moved by keys', async () => {
    await open();
    const divider = page.getByRole('separator');
    await divider.focus();
    const before = Number(await divider.getAttribute('aria-valuenow'));
    await page.keyboard.press('ArrowRight');
    await soon(async () => Number(await divider.getAttribute('aria-valuenow'))).toBe(before + 16);
  });
});

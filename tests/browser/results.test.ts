import { expect, test } from 'vitest';
import { soon } from './soon.ts';
import { addRun, makeItem, makeMail } from './fixtures.ts';
import { describeViewer } from './viewer.ts';

describeViewer('the Results screen', (viewer) => {
  const open = async (place = '') => {
    await viewer.open(`results${place}`);
    await viewer.page.getByRole('treeitem').first().waitFor();
  };
  const selected = () => viewer.page.getByRole('treeitem', { selected: true });
  const rowCount = () => viewer.page.getByRole('treeitem').count();

  test('at the start the newest mail is open and its results are shown', async () => {
    await open();
    await viewer.page.getByRole('heading', { name: 'Invoice 4411 lists the cable twice' }).waitFor();
    await viewer.page.locator('.card', { hasText: 'Reply draft' }).getByText('thank you for your message').waitFor();
    expect(await viewer.page.getByRole('treeitem', { name: 'Reply draft' }).count()).toBe(1);
  });

  test('j, k, o and u move through the tree', async () => {
    await open('/mail-urgent');
    await soon(() => selected().textContent()).toContain('Jonas Feld');
    await viewer.page.keyboard.press('o');
    await soon(() => selected().getAttribute('aria-expanded')).toBe('true');
    await viewer.page.keyboard.press('j');
    await soon(() => selected().textContent()).toContain('Client manager');
    await viewer.page.keyboard.press('j');
    await soon(() => selected().textContent()).toContain('Mood note');
    await viewer.page.frameLocator('iframe.frame').getByText('Some text').waitFor();
    await viewer.page.keyboard.press('u');
    await viewer.page.keyboard.press('u');
    await soon(() => selected().textContent()).toContain('Jonas Feld');
    await viewer.page.keyboard.press('u');
    await soon(() => selected().getAttribute('aria-expanded')).toBe('false');
    await viewer.page.keyboard.press('k');
    await soon(() => selected().textContent()).toContain('Ada Ray');
  });

  test('the arrow keys work as in any tree, and the active row is named to screen readers', async () => {
    await open('/mail-urgent');
    await viewer.page.getByRole('tree').focus();
    await viewer.page.keyboard.press('ArrowRight');
    await viewer.page.keyboard.press('ArrowRight');
    await soon(() => selected().getAttribute('aria-level')).toBe('2');
    const active = await viewer.page.getByRole('tree').getAttribute('aria-activedescendant');
    expect(await selected().getAttribute('id')).toBe(active);
    await viewer.page.keyboard.press('ArrowLeft');
    await viewer.page.keyboard.press('ArrowLeft');
    await soon(() => selected().getAttribute('aria-level')).toBe('1');
    await viewer.page.keyboard.press('End');
    await soon(() => selected().textContent()).toContain('山田');
  });

  test('keys type letters while the search box has the focus', async () => {
    await open();
    await viewer.page.keyboard.press('/');
    await viewer.page.keyboard.type('jkou newsletter');
    expect(await viewer.page.getByRole('searchbox').inputValue()).toBe('jkou newsletter');
    await viewer.page.getByRole('searchbox').fill('newsletter');
    await soon(rowCount).toBe(1);
  });

  test('a mail that no director took is listed as not routed, with the reason', async () => {
    const note = 'filter offers names director sales, which does not take mail of this account';
    viewer.api.world.mails = viewer.api.world.mails.map((mail) => (mail.id === 'mail-news' ? { ...mail, note } : mail));
    await open();
    await viewer.page.getByRole('button', { name: 'Not routed' }).click();
    await soon(rowCount).toBe(1);
    await viewer.page.getByRole('treeitem').click();
    await viewer.page.getByText('which does not take mail of this account').waitFor();
  });

  test('a mail and its result appear without a reload', async () => {
    await open();
    await viewer.page.evaluate(() => Object.assign(window, { same: true }));
    viewer.api.world.mails.unshift(
      makeMail('mail-new', { subject: 'Fresh from the folder', receivedAt: new Date().toISOString() }),
    );
    viewer.api.emit('mail', { id: 'mail-new' });
    const row = viewer.page.getByRole('treeitem', { name: 'Fresh from the folder' });
    await row.waitFor();
    addRun(viewer.api.world, 'mail-new', 'run-new', [makeItem('item-new', { label: 'Mood of the day' })]);
    viewer.api.emit('run', { id: 'run-new', status: 'completed', emailId: 'mail-new' });
    await row.click();
    await viewer.page.getByRole('treeitem', { name: 'Mood of the day' }).waitFor();
    expect(await viewer.page.evaluate(() => 'same' in window)).toBe(true);
  });

  test('an event fetches what changed and not the whole list', async () => {
    await open();
    viewer.api.requests.length = 0;
    viewer.api.emit('item', { workspaceId: 'run-urgent', id: 'item-note' });
    await soon(() => viewer.api.requests.join('\n')).toContain('ids=mail-urgent');
    expect(viewer.api.requests.filter((line) => line.startsWith('GET /api/emails')).length).toBe(1);
  });

  test('a burst of events causes one request', async () => {
    await open();
    viewer.api.requests.length = 0;
    for (let i = 0; i < 20; i++)
      viewer.api.emit('run', { id: 'run-urgent', status: 'running', emailId: 'mail-urgent' });
    viewer.api.emit('mail', { id: 'mail-news' });
    await soon(() => viewer.api.requests.filter((line) => line.startsWith('GET /api/emails')).length).toBe(1);
    await viewer.page.waitForLoadState('networkidle');
    expect(viewer.api.requests.filter((line) => line.startsWith('GET /api/emails')).length).toBe(1);
  });

  test('a list is fetched page by page', async () => {
    for (let i = 0; i < 120; i++)
      viewer.api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    await open();
    await soon(async () => new Set(await viewer.page.locator('.tree-row.mail').allTextContents()).size).toBe(50);
    await viewer.page.getByRole('button', { name: 'Load more' }).click();
    await soon(() => viewer.page.locator('.tree-row.mail').count()).toBe(100);
    await viewer.page.getByRole('button', { name: 'Load more' }).click();
    await soon(() => viewer.page.locator('.tree-row.mail').count()).toBe(125);
    expect(await viewer.page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  test('search finds mails below the loaded pages', async () => {
    for (let i = 0; i < 60; i++)
      viewer.api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    viewer.api.world.mails.push(makeMail('old-1', { subject: 'Needle', receivedAt: '2020-01-01T00:00:00.000Z' }));
    await open();
    await viewer.page.getByRole('searchbox').fill('needle');
    await viewer.page.getByRole('treeitem', { name: 'Needle' }).waitFor();
    await viewer.page.getByRole('searchbox').fill('');
    await soon(() => viewer.page.locator('.tree-row.mail').count()).toBe(50);
  });

  test('a link opens a mail below the loaded pages', async () => {
    for (let i = 0; i < 60; i++)
      viewer.api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    await open('/old-941');
    await viewer.page.getByRole('heading', { name: 'Subject of old-941' }).waitFor();
  });

  test('an account that cannot be fetched is reported', async () => {
    viewer.api.world.accounts = [
      {
        accountId: 'support',
        state: 'failed',
        unreadable: [],
        taken: 0,
        lastError: { code: 'ACCOUNT_FAILED', message: 'the folder inbox is gone' },
      },
    ];
    await open();
    await viewer.page.getByText('One problem with fetching mail').click();
    await viewer.page.getByText('support: the folder inbox is gone').waitFor();
  });

  test('an account without a sign-in is reported once, with a hint', async () => {
    const lastError = {
      ...{ code: 'ACCOUNT_NOT_CONNECTED', message: 'account support: nobody has signed in yet' },
      hint: 'callsheet accounts connect support, or Config in the viewer',
    };
    viewer.api.world.accounts = [{ accountId: 'support', state: 'failed', unreadable: [], taken: 0, lastError }];
    await open();
    await viewer.page.getByText('One problem with fetching mail').click();
    await soon(() => viewer.page.locator('.fetch-problems li').textContent()).toBe(
      'account support: nobody has signed in yet. callsheet accounts connect support, or Config in the viewer',
    );
  });

  test('marked mails are deleted together', async () => {
    await open('/mail-urgent');
    await viewer.page.keyboard.press('x');
    await viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).hover();
    await viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).getByRole('checkbox').check();
    await viewer.page.getByText('2 marked').waitFor();
    await viewer.page.locator('.marks').getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect
      .poll(() => viewer.api.world.mails.map((mail) => mail.id))
      .toEqual(['mail-invoice', 'mail-meeting', 'mail-failed']);
    await soon(() => viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).count()).toBe(0);
  });

  test('an empty list has a button to fetch mail', async () => {
    viewer.api.world.mails = [];
    await viewer.page.goto(viewer.api.url);
    await viewer.page.getByText('No results yet.').waitFor();
    await viewer.page.getByRole('button', { name: 'Fetch now' }).click();
    await soon(() => viewer.api.requests).toContain('POST /api/fetcher/fetch');
  });

  test('a run shows its state and its transcript, with tool calls that open', async () => {
    await open('/mail-invoice/run-invoice');
    await viewer.page.getByText('The mood note and a reply draft are in the workspace.').waitFor();
    await viewer.page.locator('.call', { hasText: 'agent__psychologist' }).locator('summary').click();
    await viewer.page.getByText('Calm.', { exact: true }).waitFor();
    expect(await viewer.page.locator('.call.bad').textContent()).toContain('workspace_get_item');
    await viewer.page.goto(`${viewer.api.url}/#/results/mail-failed/run-failed`);
    await viewer.page.getByText('MODEL_RATE_LIMIT').first().waitFor();
  });

  test('at 360 pixels one pane is shown at a time and nothing overflows', async () => {
    await viewer.page.setViewportSize({ width: 360, height: 720 });
    await open();
    await viewer.page.getByRole('treeitem', { name: 'URGENT' }).click();
    await viewer.page.getByRole('button', { name: 'All e-mails' }).waitFor();
    expect(await viewer.page.getByRole('tree').isVisible()).toBe(false);
    expect(await viewer.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await viewer.page.getByRole('button', { name: 'All e-mails' }).click();
    await viewer.page.getByRole('tree').waitFor();
  });

  test('keys move the divider', async () => {
    await open();
    const divider = viewer.page.getByRole('separator');
    await divider.focus();
    const before = Number(await divider.getAttribute('aria-valuenow'));
    await viewer.page.keyboard.press('ArrowRight');
    await soon(async () => Number(await divider.getAttribute('aria-valuenow'))).toBe(before + 16);
  });
});

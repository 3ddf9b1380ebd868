import { expect, test } from 'vitest';
import { soon } from './soon.ts';
import { settled } from './settled.ts';
import { addRun, makeItem, makeMail } from './fake/fixtures.ts';
import { describeLongViewer } from './viewer.ts';

describeLongViewer('the Inbox', (viewer) => {
  const open = async (place = '') => {
    await viewer.open(`inbox${place}`);
    await viewer.page.getByRole('treeitem').first().waitFor();
  };
  const selected = () => viewer.page.getByRole('treeitem', { selected: true });
  /** Mails of the list, also those that are not drawn. */
  const loaded = async () => Number(await viewer.page.getByRole('treeitem').last().getAttribute('aria-setsize'));
  const rowCount = () => viewer.page.getByRole('treeitem').count();

  test('at the start the newest mail is open and its results are shown', async () => {
    await open();
    await viewer.page.getByRole('heading', { name: 'Invoice 4411 lists the cable twice' }).waitFor();
    await viewer.page.locator('.card', { hasText: 'Reply draft' }).getByText('thank you for your message').waitFor();
    expect(await viewer.page.getByRole('treeitem', { name: 'Reply draft' }).count()).toBe(1);
  });

  test('at the start the newest mail with results is selected, not a newer one without', async () => {
    viewer.api.world.mails.unshift(makeMail('mail-new', { receivedAt: new Date().toISOString() }));
    await open();
    await viewer.page.getByRole('heading', { name: 'Invoice 4411 lists the cable twice' }).waitFor();
  });

  test('a row shows the beginning of the text, and the date of the mail, not of its arrival', async () => {
    viewer.api.world.mails = [makeMail('mail-old', { date: '2021-03-02T09:00:00.000Z', snippet: 'Dear team, hello' })];
    await open();
    await viewer.page.getByRole('treeitem').getByText('Dear team, hello').waitFor();
    await soon(() => viewer.page.getByRole('treeitem').locator('time').textContent()).toBe('Mar 2, 2021');
  });

  test('a mail that is not routed shows how each filter decides, and can be given to a director that matches', async () => {
    viewer.api.world.trial = {
      ...viewer.api.world.trial,
      directors: [{ directorId: 'client-manager', filterId: 'clients' }],
    };
    await open('/mail-news');
    const trace = viewer.page.locator('.filter-trace');
    await soon(() => trace.textContent()).toMatch(
      /clients.*all of.*From ~ @example.*Subject ~ .*found in “newsletter”/s,
    );
    expect(await trace.getByRole('img', { name: 'does not match' }).count()).toBeGreaterThan(1);
    await trace.getByText('urgent').locator('..').getByText('not for this account').waitFor();
    expect(await viewer.page.locator('main').textContent()).not.toContain('callsheet filters try');
    await trace.getByRole('button', { name: 'Run client-manager' }).click();
    await soon(() => viewer.api.bodies.at(-1)?.body).toEqual({ directorId: 'client-manager', emailId: 'mail-news' });
  });

  test('a failure stands on its mail with what to do, and the run can be repeated there', async () => {
    await open('/mail-failed');
    const notice = viewer.page.getByRole('alert');
    await notice.getByText('the provider refused 5 times').waitFor();
    await notice.getByText('Wait a minute').waitFor();
    await notice.getByRole('button', { name: 'Retry' }).click();
    await soon(() => viewer.api.requests).toContain('POST /api/runs/run-failed/retry');
    viewer.api.emit('run', { id: 'run-failed-again', status: 'running', emailId: 'mail-failed' });
    await viewer.page.locator('.run-cards').first().getByText('running').waitFor();
    // The failed run is folded below the new one.
    expect(await notice.count()).toBe(0);
    await viewer.page.getByText('1 earlier run of Client manager').click();
    await notice.getByText('the provider refused 5 times').waitFor();
    expect(await notice.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await notice.getByRole('link', { name: 'open the later run' }).click();
    await soon(() => viewer.page.url()).toMatch(/run-failed-again$/);
  });

  test.each([
    ['an approval', { waitingFor: 'approval' }, 'waits for your decision'],
    [
      'a limit',
      { waitingFor: 'limit', limit: 'dollarsPerDay', until: '2026-11-23T00:00:00Z' },
      'limit of dollarsPerDay',
    ],
  ] as const)('a wait for %s stands on its mail with what to do', async (_name, over, text) => {
    addRun(viewer.api.world, 'mail-news', 'run-waits', [], { status: 'waiting', ...over });
    await open('/mail-news');
    await viewer.page.locator('.notice.warn').getByText(text).waitFor();
  });

  test('a failure stands above the results of other runs', async () => {
    const error = { code: 'INTERNAL', message: 'it broke' };
    const failed = { status: 'failed', error, directorId: 'archive', directorName: 'Archive' } as const;
    addRun(viewer.api.world, 'mail-invoice', 'run-late', [], failed);
    await open('/mail-invoice');
    await soon(() => viewer.page.locator('.run-cards h2 a').allTextContents()).toEqual(['Archive', 'Client manager']);
    await viewer.page.getByRole('link', { name: 'See what happened' }).click();
    await soon(() => viewer.page.url()).toMatch(/run-late$/);
  });

  test('of several runs of one director the newest is shown, and the earlier ones are folded', async () => {
    const label = (name: string) => viewer.page.locator('.card', { hasText: name });
    addRun(viewer.api.world, 'mail-news', 'run-2', [makeItem('item-2', { label: 'Second draft' })]);
    addRun(viewer.api.world, 'mail-news', 'run-1', [makeItem('item-1', { label: 'First draft' })]);
    viewer.api.world.mails = viewer.api.world.mails.map((mail) => ({
      ...mail,
      runs: mail.runs.map((run) => (run.id === 'run-1' ? { ...run, latest: false } : run)),
    }));
    await open('/mail-news');
    await label('Second draft').waitFor();
    expect(await label('First draft').count()).toBe(0);
    await viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).locator('.count', { hasText: '1' }).waitFor();
    await viewer.page.getByText('1 earlier run of Client manager').click();
    await label('First draft').waitFor();
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
    await viewer.page.getByLabel('More views').selectOption('unrouted');
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
    await settled(viewer.page);
    viewer.api.requests.length = 0;
    viewer.api.emit('item', { workspaceId: 'run-urgent', id: 'item-note' });
    await soon(() => viewer.api.requests.join('\n')).toContain('ids=mail-urgent');
    expect(viewer.api.requests.filter((line) => line.startsWith('GET /api/emails')).length).toBe(1);
  });

  test('a burst of events causes one request', async () => {
    await open();
    await settled(viewer.page);
    viewer.api.requests.length = 0;
    for (let i = 0; i < 20; i++)
      viewer.api.emit('run', { id: 'run-urgent', status: 'running', emailId: 'mail-urgent' });
    viewer.api.emit('mail', { id: 'mail-news' });
    const fetched = () => viewer.api.requests.filter((line) => line.startsWith('GET /api/emails')).length;
    await soon(fetched).toBe(1);
    await settled(viewer.page);
    viewer.api.emit('mail', { id: 'mail-news' });
    await soon(fetched).toBe(2);
  });

  test('a list is fetched page by page', async () => {
    for (let i = 0; i < 120; i++)
      viewer.api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    await open();
    await soon(loaded).toBe(50);
    const scrollToEnd = () =>
      viewer.page.locator('.left .scroll').evaluate((list) => list.scrollTo({ top: list.scrollHeight }));
    await scrollToEnd();
    await soon(loaded).toBe(100);
    await scrollToEnd();
    await soon(loaded).toBe(125);
    expect(await viewer.page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  test('rows far from what is visible are not drawn, and come back at their place', async () => {
    for (let i = 0; i < 900; i++)
      viewer.api.world.mails.push(
        makeMail(`old-${999 - i}`, { receivedAt: new Date(Date.UTC(2026, 0, 1) - i * 60_000).toISOString() }),
      );
    await open();
    const list = viewer.page.locator('.left .scroll');
    const scrollTo = (top: number) => list.evaluate((element, to) => element.scrollTo({ top: to }), top);
    for (let page = 1; page <= 10; page++) {
      await soon(loaded).toBe(page * 50);
      if (page < 10) await scrollTo(1e6);
    }
    expect(await rowCount()).toBeLessThan(200);
    const height = await list.evaluate(({ scrollHeight }) => scrollHeight);
    await scrollTo(0);
    await viewer.page.getByRole('treeitem').first().waitFor();
    expect(await viewer.page.getByRole('treeitem').first().getAttribute('aria-posinset')).toBe('1');
    await soon(async () => Math.abs((await list.evaluate(({ scrollHeight }) => scrollHeight)) - height)).toBeLessThan(
      20,
    );
    await viewer.page.getByRole('treeitem').first().click();
    await viewer.page.getByRole('tree').press('End');
    await soon(() => selected().getAttribute('aria-posinset')).toBe('500');
    await viewer.page.getByRole('tree').press('ArrowUp');
    await soon(() => selected().getAttribute('aria-posinset')).toBe('499');
    await viewer.page.getByRole('tree').press('Home');
    await soon(() => selected().getAttribute('aria-posinset')).toBe('1');
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
    await soon(loaded).toBe(50);
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
    await soon(() => selected().textContent()).toContain('Jonas Feld');
    await viewer.page.keyboard.press('x');
    await viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).hover();
    await viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).getByRole('checkbox').check();
    await viewer.page.getByText('2 marked').waitFor();
    await viewer.page.locator('.marks').getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByText('2 e-mails are deleted in ten seconds.').waitFor();
    await viewer.sendHeld();
    // The page does not wait for what it sends as it closes.
    await soon(() => viewer.api.requests.filter((line) => line.startsWith('DELETE'))).toEqual([
      expect.stringContaining('/api/emails?ids='),
    ]);
    await expect
      .poll(() => viewer.api.world.mails.map((mail) => mail.id))
      .toEqual(['mail-invoice', 'mail-meeting', 'mail-failed']);
    await soon(() => viewer.page.getByRole('treeitem', { name: 'Garden Weekly' }).count()).toBe(0);
  });

  test('z takes a deletion back, and without it the mail is deleted after ten seconds', async () => {
    await open('/mail-urgent');
    await soon(() => selected().textContent()).toContain('Jonas Feld');
    const shown = () => viewer.page.getByRole('treeitem', { name: 'Jonas Feld' }).count();
    const remove = async () => {
      await viewer.page.keyboard.press('#');
      // Frames come with the clock, and a click waits for frames.
      await viewer.page.clock.runFor(200);
      await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).dispatchEvent('click');
      await viewer.page.getByText('The e-mail is deleted in ten seconds.').waitFor();
      await viewer.page.clock.runFor(200);
      await soon(shown).toBe(0);
    };
    await viewer.stopClock();
    await remove();
    await viewer.page.keyboard.press('z');
    await viewer.page.clock.runFor(200);
    await soon(shown).toBe(1);
    await viewer.page.waitForURL('**/mail-urgent');
    await viewer.page.clock.runFor(20_000);
    expect(viewer.api.requests.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    await remove();
    await viewer.page.clock.runFor(9_000);
    expect(viewer.api.requests.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    await viewer.page.clock.runFor(2_000);
    await soon(() => viewer.api.requests).toContain('DELETE /api/emails/mail-urgent');
    await soon(shown).toBe(0);
  });

  test('a mail that could not be deleted is in the list again', async () => {
    await open('/mail-urgent');
    await soon(() => selected().textContent()).toContain('Jonas Feld');
    await viewer.page.route('**/api/emails/mail-urgent', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    );
    await viewer.page.keyboard.press('#');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByText('The e-mail is deleted in ten seconds.').waitFor();
    await viewer.sendHeld();
    await viewer.page.getByText('the server answered 500').waitFor();
    await soon(() => viewer.page.getByRole('treeitem', { name: 'Jonas Feld' }).count()).toBe(1);
  });

  test('an empty list has a button to fetch mail', async () => {
    viewer.api.world.mails = [];
    await viewer.page.goto(viewer.api.url);
    await viewer.page.getByText('The Inbox is empty.').waitFor();
    await viewer.page.getByRole('button', { name: 'Fetch now' }).click();
    await soon(() => viewer.api.requests).toContain('POST /api/fetcher/fetch');
  });

  test('a run shows its state and its transcript, with tool calls that open', async () => {
    await open('/mail-invoice/run-invoice');
    await viewer.page.getByText('The mood note and a reply draft are in the workspace.').waitFor();
    await viewer.page.locator('.call', { hasText: 'agent__psychologist' }).locator('summary').click();
    await viewer.page.getByText('Calm.', { exact: true }).waitFor();
    expect(await viewer.page.locator('.call.bad').textContent()).toContain('workspace_get_item');
    await viewer.page.goto(`${viewer.api.url}/#/inbox/mail-failed/run-failed`);
    await viewer.page.getByText('MODEL_RATE_LIMIT').first().waitFor();
  });

  test('a transcript shows where the messages begin that the model gets word for word', async () => {
    const thread = viewer.api.world.threads.get('thread-psy')!;
    const messages = [
      { role: 'user' as const, content: 'The first question.' },
      { role: 'assistant' as const, content: 'The first answer.' },
      ...(thread.messages ?? []),
    ];
    const summary = { upTo: 2, text: 'They spoke of the invoice.', textUpTo: 2 };
    viewer.api.world.threads.set('thread-psy', { ...thread, messages, summary });
    await open('/mail-invoice/run-invoice');
    await viewer.page.locator('.call', { hasText: 'agent__psychologist' }).locator('summary').click();
    await viewer.page.getByText('The first answer.', { exact: true }).waitFor();
    const lines = viewer.page.locator('.transcript .transcript > li');
    expect(await lines.nth(2).textContent()).toContain('a summary of the messages above');
    await lines.nth(2).locator('summary').click();
    await viewer.page.getByText('They spoke of the invoice.').waitFor();
  });

  test('entries that the store cannot read are named', async () => {
    await viewer.page.route('**/api/emails?*', async (route) => {
      const answer = await route.fetch();
      const json = { ...((await answer.json()) as object), damaged: [{ table: 'mail', key: 'mail_9', reason: 'x' }] };
      await route.fulfill({ response: answer, json });
    });
    await open();
    const note = viewer.page.getByRole('note').filter({ hasText: '1 unreadable' });
    expect(await note.getAttribute('title')).toContain('mail mail_9');
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

  test.each([
    ['inbox', 'Garden Weekly'],
    ['inbox/mail-news', 'Not routed: no director took this e-mail'],
    ['inbox/mail-failed', 'the provider refused 5 times'],
    ['inbox/mail-invoice/run-invoice/item-draft', 'Copy'],
    ['runs', 'Besprechung am Dienstag'],
    ['runs/run-failed', 'the provider refused 5 times'],
    ['approvals', 'a technician is on the way'],
    ['diagnostics', 'workspace_add_item'],
    ['config', 'No problems.'],
    [`config/${encodeURIComponent('config/directors/client-manager.yaml')}`, 'Add message'],
    ['config/try', 'Paste the source of an e-mail'],
    ['accounts', 'needs no sign-in'],
  ])('at 390 pixels all tabs are visible, and nothing of %s is cut off', async (place, text) => {
    await viewer.page.setViewportSize({ width: 390, height: 844 });
    await viewer.open(place);
    await viewer.page.getByText(text).locator('visible=true').first().waitFor();
    const outside = await viewer.page.evaluate(() =>
      [...document.querySelectorAll('.top a, .top button, main :is(button, a, h1, h2, p, dd, code, .label)')]
        .filter((element) => element.checkVisibility() && element.closest('.sr') === null)
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          const isBlock = getComputedStyle(element).display !== 'inline';
          return left < -1 || right > innerWidth + 1 || (isBlock && element.scrollWidth > element.clientWidth + 2);
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    expect(outside).toEqual([]);
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

import { expect, test } from 'vitest';
import { soon } from './soon.ts';
import { describeLongViewer } from './viewer.ts';

describeLongViewer('answering a mail', (viewer) => {
  const open = async (place: string) => {
    await viewer.open(`inbox${place}`);
  };
  const box = () => viewer.page.locator('.editor textarea');
  const asked = () =>
    viewer.api.bodies
      .filter(({ line }) => line.endsWith('/reply'))
      .map(({ body }) => body as Record<string, string>)
      .filter(({ mode }) => mode !== 'check');
  const sendNow = () => viewer.page.getByRole('button', { name: 'Send now' }).click();

  test('sends each text once', async () => {
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await viewer.page.getByText(/Reply to/).waitFor();
    await box().fill('impossible');
    await viewer.page.getByRole('button', { name: 'Send', exact: true }).click();
    await sendNow();
    await viewer.page.locator('.editor').getByText('the server cannot be reached').waitFor();
    await viewer.page.getByRole('button', { name: 'Send', exact: true }).click();
    await sendNow();
    await box().fill('Gladly.');
    await viewer.page.getByRole('button', { name: 'Send', exact: true }).click();
    await sendNow();
    await viewer.page.getByText(/^Sent from /).waitFor();
    const [first, second, third] = asked();
    expect(third).toMatchObject({ mode: 'send', text: 'Gladly.' });
    // The same text has the same id, another text another id.
    expect(second?.['id']).toBe(first?.['id']);
    expect(third?.['id']).not.toBe(first?.['id']);
    expect(await box().count()).toBe(0);
  });

  test.each([
    ['a mail', '/mail-invoice'],
    ['a result', '/mail-invoice/run-invoice/item-draft'],
  ])('to %s begins with the key a, is sent by Ctrl+Enter, and stays after Escape', async (_name, place) => {
    await open(place);
    await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).waitFor();
    await viewer.page.keyboard.press('a');
    await box().fill('Gladly.');
    await viewer.page.keyboard.press('Escape');
    await box().waitFor({ state: 'detached' });
    expect(asked()).toEqual([]);
    await viewer.page.keyboard.press('a');
    expect(await box().inputValue()).toBe('Gladly.');
    await box().press('Control+Enter');
    await sendNow();
    await viewer.page.getByText(/^Sent from /).waitFor();
    expect(asked()).toEqual([expect.objectContaining({ mode: 'send' })]);
    expect(await box().count()).toBe(0);
  });

  test('with Cmd+Enter sends too, and an empty text is not sent', async () => {
    await open('/mail-invoice');
    await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).click();
    await box().press('Meta+Enter');
    await box().fill('Gladly.');
    await box().press('Meta+Enter');
    await sendNow();
    await viewer.page.getByText(/^Sent from /).waitFor();
    expect(asked()).toHaveLength(1);
  });

  test('with gaps is sent only after a warning', async () => {
    await open('/mail-invoice');
    await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).waitFor();
    await viewer.page.keyboard.press('a');
    await box().fill('See you at [time].');
    await box().press('Control+Enter');
    await viewer.page.getByRole('alert').getByText('the reply still has gaps: [time]').waitFor();
    expect(await box().inputValue()).toBe('See you at [time].');
    await viewer.page.getByRole('button', { name: 'Send anyway' }).click();
    await sendNow();
    await viewer.page.getByText(/^Sent from /).waitFor();
    expect(asked().at(-1)).toMatchObject({ mode: 'send', allowGaps: true });
  });

  test('is shown on its mail once it is sent: by whom, when, and the text', async () => {
    await open('/mail-invoice');
    await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).waitFor();
    await viewer.page.keyboard.press('a');
    await box().fill('Gladly, on Tuesday.');
    await box().press('Control+Enter');
    await sendNow();
    const sent = viewer.page.locator('.notice.reply');
    await soon(() => sent.textContent()).toMatch(/You replied.*2026.*from archive.*Gladly, on Tuesday\./s);
  });

  test('of an agent names the agent, keeps its lines, and opens in full when it is long', async () => {
    const reply = {
      ...{ at: '2026-11-22T09:00:00.000Z', by: 'agent' as const, agent: { id: 'responder', name: 'Responder' } },
      ...{ runId: 'run-invoice', accountId: 'archive', messageId: '<a@b.example>', text: 'x'.repeat(200) },
    };
    viewer.api.world.mails = viewer.api.world.mails.map((mail) =>
      mail.id === 'mail-invoice' ? { ...mail, replies: [reply] } : mail,
    );
    viewer.api.world.fullReplies = [{ ...reply, text: `Dear Ada,\n\n${'A line.\n'.repeat(40)}The end.` }];
    await open('/mail-invoice');
    await viewer.page.getByText('Responder replied').waitFor();
    const text = viewer.page.locator('.notice.reply .words');
    await soon(() => text.textContent()).toMatch(/^Dear Ada,\n\nA line\.\n/);
    const height = async () => (await text.boundingBox())?.height ?? 0;
    const before = await height();
    await viewer.page.getByRole('button', { name: 'Show all' }).click();
    await soon(height).toBeGreaterThan(before * 2);
  });

  test('saves the text of a result as a draft', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    expect(await box().inputValue()).toContain('thank you for your message');
    await viewer.page.getByRole('button', { name: 'Save as draft' }).click();
    await viewer.page.getByText(/^Saved as a draft in /).waitFor();
    expect(asked()[0]).toMatchObject({ mode: 'draft', markdown: expect.stringContaining('invoice 4411') });
    await viewer.page.frameLocator('iframe.frame').getByText('thank you for your message').waitFor();
  });

  test('can be taken back for ten seconds, and opens again as it was', async () => {
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await box().fill('Too soon.');
    await box().press('Control+Enter');
    await viewer.page.getByText('is sent in ten seconds').waitFor();
    await box().waitFor({ state: 'detached' });
    await viewer.page.keyboard.press('z');
    await soon(() => box().inputValue()).toBe('Too soon.');
    await viewer.page.getByText('is sent in ten seconds').waitFor({ state: 'detached' });
    expect(asked()).toEqual([]);
  });

  test('that is opened again is not sent, neither after Cancel nor beside the corrected one', async () => {
    await open('/mail-invoice');
    const reply = () => viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).click();
    const bar = viewer.page.getByText('is sent in ten seconds');
    await reply();
    await box().fill('Wrong.');
    await box().press('Control+Enter');
    await bar.waitFor();
    await reply();
    await bar.waitFor({ state: 'detached' });
    expect(await box().inputValue()).toBe('Wrong.');
    await box().fill('Right.');
    await box().press('Control+Enter');
    await sendNow();
    await viewer.page.getByText(/^Sent from /).waitFor();
    expect(asked()).toEqual([expect.objectContaining({ mode: 'send', text: 'Right.' })]);
    await reply();
    await box().fill('Wrong again.');
    await box().press('Control+Enter');
    await bar.waitFor();
    await reply();
    await viewer.page.getByRole('button', { name: 'Cancel' }).click();
    await bar.waitFor({ state: 'detached' });
    // What still waits is sent when the page goes.
    await viewer.sendHeld();
    await viewer.page.goto('about:blank');
    expect(asked()).toHaveLength(1);
  });

  test('keeps what is written while it is on its way', async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((done) => (answer = done));
    await viewer.page.route('**/reply', async (route) => {
      if (route.request().postDataJSON()?.mode === 'send') await isAnswered;
      await route.continue();
    });
    await open('/mail-invoice');
    const reply = (name = 'Reply') => viewer.page.locator('.head').getByRole('button', { name }).click();
    await reply();
    await box().fill('Gladly.');
    await box().press('Control+Enter');
    await sendNow();
    await reply('Continue reply');
    await box().fill('And one more thing.');
    answer();
    await viewer.page.getByText(/^Sent from /).waitFor();
    expect(await box().inputValue()).toBe('And one more thing.');
  });

  test('is taken back by z only while nothing was done after it', async () => {
    await open('/mail-invoice');
    const archived = () => viewer.api.world.mails.find(({ id }) => id === 'mail-invoice')?.state.archived;
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await box().fill('Gladly.');
    await box().press('Control+Enter');
    await viewer.page.getByText('is sent in ten seconds').waitFor();
    await viewer.page.keyboard.press('e');
    await viewer.page.getByText('Archived.', { exact: true }).waitFor();
    await viewer.page.keyboard.press('z');
    await soon(archived).toBe(false);
    expect(await viewer.page.getByText('is sent in ten seconds').count()).toBe(1);
    await viewer.page.keyboard.press('z');
    await soon(() => box().inputValue()).toBe('Gladly.');
  });

  test('is sent when the page is left', async () => {
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await box().fill('On my way.');
    await box().press('Control+Enter');
    await viewer.page.getByText('is sent in ten seconds').waitFor();
    await viewer.page.goto('about:blank');
    await soon(asked).toEqual([expect.objectContaining({ mode: 'send', text: 'On my way.' })]);
  });

  test('has the recipients, the subject and the results that the person chose, and shows the signature', async () => {
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    const field = (name: string) => viewer.page.getByLabel(name, { exact: true });
    await soon(() => field('To').inputValue()).toBe('Ada Ray <ray@example.org>');
    await viewer.page.locator('.signature', { hasText: 'Best,' }).waitFor();
    await field('To').fill('ann@example.org, bo@example.org');
    await field('Bcc').fill('me@example.org');
    await field('Subject').fill('Corrected invoice');
    await viewer.page.getByText('Attach results').click();
    await viewer.page.getByRole('checkbox', { name: 'Facts' }).check();
    await box().fill('Here it is.');
    await box().press('Control+Enter');
    await sendNow();
    await viewer.page.getByText(/^Sent from /).waitFor();
    expect(asked()).toEqual([
      expect.objectContaining({
        ...{ to: ['ann@example.org, bo@example.org'], cc: [], bcc: ['me@example.org'] },
        ...{ subject: 'Corrected invoice', attachments: ['item-facts'] },
      }),
    ]);
  });

  test('keeps its text while another mail is shown', async () => {
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await box().fill('Half a sent');
    await viewer.page.goto(`${viewer.api.url}/#/inbox/mail-urgent`);
    await viewer.page.goto(`${viewer.api.url}/#/inbox/mail-invoice`);
    await box().waitFor();
    expect(await box().inputValue()).toBe('Half a sent');
    await viewer.page.getByRole('button', { name: 'Cancel' }).click();
    expect(asked()).toEqual([]);
  });

  test('has the focus at once, so that no letter runs a key action', async () => {
    for (const place of ['/mail-invoice', '/mail-invoice/run-invoice/item-draft']) {
      await open(place);
      await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).click();
      await soon(() => box().evaluate((area) => area === document.activeElement)).toBe(true);
      await viewer.page.keyboard.type('f#');
      expect(await box().inputValue()).toContain('f#');
      expect(viewer.api.requests).not.toContain('POST /api/fetcher/fetch');
    }
  });

  test('does not take the focus when somebody moves past it with the keys', async () => {
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await box().fill('Half a sent');
    await viewer.page.getByRole('treeitem').nth(1).click();
    await box().waitFor({ state: 'detached' });
    await viewer.page.keyboard.press('k');
    await box().waitFor();
    await viewer.page.keyboard.press('j');
    await box().waitFor({ state: 'detached' });
    await viewer.page.keyboard.press('k');
    expect(await box().inputValue()).toBe('Half a sent');
  });

  test('blocks leaving the page and the reload after an update of the server', async () => {
    const asked: string[] = [];
    viewer.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await box().fill('Half a sent');
    viewer.api.world.version = '2';
    viewer.api.breakStreams();
    await viewer.page.getByText('Callsheet was updated.').waitFor();
    expect(await box().inputValue()).toBe('Half a sent');
    await viewer.page.reload();
    expect(asked).toEqual(['beforeunload']);
  });

  test('shows its error while another mail is shown, and keeps its text', async () => {
    let fail = () => {};
    const body = JSON.stringify({ error: { code: 'MAIL_NOT_SENT', message: 'the server cannot be reached' } });
    await viewer.page.route('**/reply', async (route) => {
      if (route.request().postData()?.includes('"check"')) return route.continue();
      await new Promise<void>((resolve) => (fail = resolve));
      await route.fulfill({ status: 502, contentType: 'application/json', body });
    });
    await open('/mail-invoice');
    await viewer.page.getByRole('button', { name: 'Reply' }).click();
    await box().fill('Gladly.');
    const sent = viewer.page.waitForRequest(
      (request) => request.url().endsWith('/reply') && request.postData()?.includes('"send"') === true,
    );
    await viewer.page.getByRole('button', { name: 'Send', exact: true }).click();
    await sendNow();
    await sent;
    await viewer.page.goto(`${viewer.api.url}/#/inbox/mail-urgent`);
    await box().waitFor({ state: 'detached' });
    fail();
    await viewer.page
      .getByText('Reply not sent ("Invoice 4411 lists the cable twice"): the server cannot be reached')
      .waitFor();
    await viewer.page.goto(`${viewer.api.url}/#/inbox/mail-invoice`);
    await soon(() => box().inputValue()).toBe('Gladly.');
  });

  test('is not offered for results that are not text for people', async () => {
    await open('/mail-invoice/run-invoice/item-facts');
    await viewer.page.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).count()).toBe(0);
  });
});

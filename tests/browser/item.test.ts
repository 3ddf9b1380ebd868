import { expect, test } from 'vitest';
import { makeItem } from './fake/fixtures.ts';
import { soon } from './soon.ts';
import { describeLongViewer } from './viewer.ts';

describeLongViewer('a result in the Inbox', (viewer) => {
  const open = async (place = '') => {
    await viewer.open(`inbox${place}`);
    await viewer.page.getByRole('treeitem').first().waitFor();
  };

  test('a result shows its maker, its revision, and that the scripted model made it', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    const head = viewer.page.locator('.head');
    await head.getByText('scripted, no AI').waitFor();
    await soon(() => head.textContent()).toMatch(/Responder.*Client manager.*revision 2.*offline/s);
    await viewer.page.goto(`${viewer.api.url}/#/inbox/mail-urgent/run-urgent/item-note`);
    await head.getByText('main · gpt-5.2-mini').waitFor();
    expect(await head.getByText('scripted, no AI').count()).toBe(0);
  });

  test('JSON is a tree whose branches close, and indented in the source', async () => {
    await open('/mail-invoice/run-invoice/item-facts');
    const tree = viewer.page.locator('.json');
    await tree.getByText('4411').waitFor();
    // The third level is closed at first.
    expect(await tree.getByText('"cable"').count()).toBe(0);
    await tree.getByText('{ 2 keys }').click();
    await tree.getByText('"cable"').waitFor();
    await tree.getByText('[ 1 entry ]').click();
    await tree.getByText('"cable"').waitFor({ state: 'detached' });
    await viewer.page.keyboard.press('s');
    await soon(() => viewer.page.locator('pre.source').textContent()).toContain('\n  "invoice": 4411');
  });

  test('an edit is sent with the revision that it began from', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await viewer.page.locator('.editor textarea').fill('Dear Ada');
    await viewer.page.getByRole('button', { name: 'Save', exact: true }).click();
    await viewer.page.frameLocator('iframe.frame').getByText('Dear Ada').waitFor();
    expect(viewer.api.bodies.at(-1)?.body).toMatchObject({ data: 'Dear Ada', expectedRevision: 2 });
    await viewer.page.getByText('revision 3').waitFor();
  });

  test('the editor has the focus each time it opens', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    const area = viewer.page.locator('.editor textarea');
    for (const ask of [
      () => viewer.page.getByRole('button', { name: 'Edit' }).click(),
      () => viewer.page.keyboard.press('e'),
    ]) {
      await ask();
      await soon(() => area.evaluate((field) => field === document.activeElement)).toBe(true);
      await viewer.page.keyboard.press('Escape');
      await area.waitFor({ state: 'detached' });
    }
  });

  test('an item that changed meanwhile is not overwritten without a confirmation', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await viewer.page.locator('.editor textarea').fill('Mine');
    const items = viewer.api.world.items.get('run-invoice') ?? [];
    viewer.api.world.items.set(
      'run-invoice',
      items.map((item) => (item.id === 'item-draft' ? { ...item, data: 'Theirs', revision: 3 } : item)),
    );
    await viewer.page.getByRole('button', { name: 'Save', exact: true }).click();
    await viewer.page.getByText('This result has changed').waitFor();
    expect(await viewer.page.locator('.editor textarea').inputValue()).toBe('Mine');
    await viewer.page.getByRole('button', { name: 'Overwrite with my text' }).click();
    await viewer.page.frameLocator('iframe.frame').getByText('Mine').waitFor();
    expect(viewer.api.world.items.get('run-invoice')?.find((item) => item.id === 'item-draft')).toMatchObject({
      data: 'Mine',
      revision: 4,
    });
  });

  test('unsaved text stays while another result is shown', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await viewer.page.locator('.editor textarea').fill('Half a sent');
    await viewer.page.getByRole('treeitem', { name: 'Mood note' }).click();
    await viewer.page.frameLocator('iframe.frame').getByText('Calm, a little tired').waitFor();
    await viewer.page.getByRole('treeitem', { name: 'Reply draft' }).click();
    await soon(() => viewer.page.locator('.editor textarea').inputValue()).toBe('Half a sent');
    await viewer.page.getByRole('button', { name: 'Cancel' }).click();
    await viewer.page.frameLocator('iframe.frame').getByText('thank you for your message').waitFor();
  });

  test('a result is deleted at once, and z brings it back', async () => {
    const kept = () => viewer.api.world.items.get('run-invoice')?.filter(({ deleted }) => !deleted).length ?? 0;
    const before = kept();
    await open('/mail-invoice/run-invoice/item-dot');
    await viewer.page.getByRole('button', { name: 'Delete' }).waitFor();
    await viewer.page.keyboard.press('#');
    await viewer.page.getByRole('heading', { name: 'Client manager' }).waitFor();
    expect(kept()).toBe(before - 1);
    await viewer.page.getByText('Deleted.').waitFor();
    await viewer.page.keyboard.press('z');
    await soon(kept).toBe(before);
    await viewer.page.getByText('Restored.').waitFor();
  });

  test('a CSV file is a table', async () => {
    const data = 'Name;Note\n"Ray; Ada";"two\nlines, ""quoted"""\n';
    viewer.api.world.items.set('run-invoice', [makeItem('item-csv', { label: 'List', mimeType: 'text/csv', data })]);
    await open('/mail-invoice/run-invoice/item-csv');
    await soon(() => viewer.page.locator('.csv th').allTextContents()).toEqual(['Name', 'Note']);
    expect(await viewer.page.locator('.csv td').allTextContents()).toEqual(['Ray; Ada', 'two\nlines, "quoted"']);
  });

  test('a person adds a result to a run', async () => {
    await open('/mail-invoice');
    await viewer.page.locator('.card', { hasText: 'Reply draft' }).waitFor();
    await viewer.page.keyboard.press('n');
    const dialog = viewer.page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('My note');
    await dialog.getByLabel('Type').selectOption('text/plain');
    await dialog.getByLabel('Tags').fill('mine, later');
    await dialog.getByLabel('Text', { exact: true }).fill('Call her first.');
    await dialog.getByLabel('Text', { exact: true }).press('Control+Enter');
    await viewer.page.getByText('Added.').waitFor();
    expect(viewer.api.bodies.at(-1)).toEqual({
      line: 'POST /api/workspaces/run-invoice/items?runId=run-invoice',
      body: { label: 'My note', mimeType: 'text/plain', data: 'Call her first.', tags: ['mine', 'later'] },
    });
    viewer.api.emit('item', { workspaceId: 'run-invoice', id: 'item-new' });
    await viewer.page.locator('.card', { hasText: 'My note' }).waitFor();
  });

  test('a mail opens in the mail program of the user, or says why it has to be downloaded', async () => {
    viewer.api.world.items.set('run-invoice', [
      makeItem('item-plain', { label: 'Offer', mimeType: 'message/rfc822', data: 'To: ann@example.org' }),
      makeItem('item-styled', { label: 'Styled', mimeType: 'message/rfc822', data: 'To: ann@example.org' }),
    ]);
    await open('/mail-invoice/run-invoice/item-plain');
    await viewer.page.evaluate(
      () =>
        (HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
          document.title = this.href;
        }),
    );
    await viewer.page.locator('.head').getByRole('button', { name: 'Open' }).click();
    await soon(() => viewer.page.title()).toBe('mailto:ann@example.org?subject=Hi');
    await open('/mail-invoice/run-invoice/item-styled');
    await viewer.page.locator('.head').getByRole('button', { name: 'Open' }).click();
    await viewer.page.getByText('Download it instead: the mail is HTML.').waitFor();
  });

  test('a text draft opens in the mail program of the user, too', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await viewer.page.evaluate(
      () =>
        (HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
          document.title = this.href;
        }),
    );
    await viewer.page.locator('.head').getByRole('button', { name: 'Open' }).waitFor();
    await viewer.page.keyboard.press('m');
    await soon(() => viewer.page.title()).toBe('mailto:ann@example.org?subject=Hi');
  });

  test('a text draft on the page Runs becomes a reply to the mail of its run, and nothing is sent by itself', async () => {
    const { context } = makeItem('item-draft');
    const email = { id: 'mail-invoice', subject: 'Invoice', from: 'ada@example.org', date: '' };
    viewer.api.world.items.set('run-invoice', [
      makeItem('item-draft', { data: 'Thank you for your message.', context: { ...context, email } }),
    ]);
    await viewer.open('runs/run-invoice/item-draft');
    await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).click();
    expect(await viewer.page.locator('.editor textarea').inputValue()).toBe('Thank you for your message.');
    expect(viewer.api.bodies.filter(({ line }) => line.endsWith('/reply'))).toEqual([]);
  });

  test('a deleted result is listed with its run, and can be restored', async () => {
    await open('/mail-invoice/run-invoice/item-dot');
    await viewer.page.getByRole('button', { name: 'Delete' }).waitFor();
    await viewer.page.keyboard.press('#');
    await viewer.page.getByText('Deleted.').waitFor();
    viewer.api.emit('item', { workspaceId: 'run-invoice', id: 'item-dot' });
    await viewer.page.getByText('1 deleted result').click();
    await viewer.page.locator('.earlier .card', { hasText: 'Chart' }).click();
    await viewer.page.getByText('This result was deleted.').waitFor();
    expect(
      await viewer.page
        .locator('.head')
        .getByRole('button', { name: /Edit|Reply|Delete/ })
        .count(),
    ).toBe(0);
    await viewer.page.getByRole('button', { name: 'Restore' }).click();
    await viewer.page.getByText('Restored.').waitFor();
    await viewer.page.getByText('This result was deleted.').waitFor({ state: 'detached' });
    expect(viewer.api.bodies.at(-1)).toEqual({
      line: 'POST /api/workspaces/run-invoice/items/item-dot/restore',
      body: { expectedRevision: 1 },
    });
  });

  test('the results of a run can be filtered by type, tag and author', async () => {
    await open('/mail-invoice/run-invoice');
    const labels = () => viewer.page.locator('.cards .card-head b').allTextContents();
    await soon(async () => (await labels()).length).toBe(6);
    await viewer.page.getByLabel('Type').selectOption('text/markdown');
    await soon(labels).toEqual(['Mood note', 'Reply draft']);
    await viewer.page.getByLabel('Made by').selectOption('psychologist');
    await soon(labels).toEqual(['Mood note']);
    await viewer.page.getByLabel('Tag', { exact: true }).selectOption('reply');
    await viewer.page.getByText('No result matches.').waitFor();
    await viewer.page.getByLabel('Made by').selectOption('');
    await soon(labels).toEqual(['Reply draft']);
    expect(viewer.api.requests.at(-1)).toContain('runId=run-invoice&limit=100&mimeType=text%2Fmarkdown&tag=reply');
  });

  test('a card names the model that made it', async () => {
    const items = viewer.api.world.items.get('run-invoice') ?? [];
    viewer.api.world.items.set(
      'run-invoice',
      items.map((item) => ({ ...item, context: { ...item.context, apiId: 'main', model: 'gpt-5.2-mini' } })),
    );
    await open('/mail-invoice');
    await viewer.page.locator('.card', { hasText: 'Reply draft' }).getByText('gpt-5.2-mini').waitFor();
  });
});

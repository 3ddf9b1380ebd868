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

  test('JSON is shown indented, in the preview and in the source', async () => {
    await open('/mail-invoice/run-invoice/item-facts');
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

  test('a result is deleted only after a confirmation', async () => {
    const kept = () => viewer.api.world.items.get('run-invoice')?.filter(({ deleted }) => !deleted).length ?? 0;
    const before = kept();
    await open('/mail-invoice/run-invoice/item-dot');
    await viewer.page.getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(kept()).toBe(before);
    await viewer.page.keyboard.press('#');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('heading', { name: 'Client manager' }).waitFor();
    expect(kept()).toBe(before - 1);
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
    await viewer.page.getByText('Download the mail instead: the mail is HTML.').waitFor();
  });

  test('a deleted result is listed with its run, and can be restored', async () => {
    await open('/mail-invoice/run-invoice/item-dot');
    await viewer.page.getByRole('button', { name: 'Delete' }).waitFor();
    await viewer.page.keyboard.press('#');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
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

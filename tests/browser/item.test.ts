import { expect, test } from 'vitest';
import { soon } from './soon.ts';
import { describeViewer } from './viewer.ts';

describeViewer('a result in the Results screen', (viewer) => {
  const open = async (place = '') => {
    await viewer.open(`results${place}`);
    await viewer.page.getByRole('treeitem').first().waitFor();
  };

  test('a result shows its maker, its revision, and that the scripted model made it', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    const head = viewer.page.locator('.head');
    await head.getByText('scripted, no AI').waitFor();
    await soon(() => head.textContent()).toMatch(/Responder.*Client manager.*revision 2.*offline/s);
    await viewer.page.goto(`${viewer.api.url}/#/results/mail-urgent/run-urgent/item-note`);
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
    const count = () => viewer.api.world.items.get('run-invoice')?.length ?? 0;
    const before = count();
    await open('/mail-invoice/run-invoice/item-dot');
    await viewer.page.getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(count()).toBe(before);
    await viewer.page.keyboard.press('#');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('heading', { name: 'Client manager' }).waitFor();
    expect(count()).toBe(before - 1);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { soon } from './soon.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from './chromium.ts';
import { type FakeApi, startFakeApi } from './fake-api.ts';

describe.skipIf(chromiumPath === undefined)(`a result in the Results screen${leftOut}`, () => {
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

  test('a result says who made it, in which revision, and that no AI was asked', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    const head = page.locator('.head');
    await head.getByText('scripted, no AI').waitFor();
    await soon(() => head.textContent()).toMatch(/Responder.*Client manager.*revision 2.*offline/s);
    await page.goto(`${api.url}/#/results/mail-urgent/run-urgent/item-note`);
    await head.getByText('main · gpt-5.2-mini').waitFor();
    expect(await head.getByText('scripted, no AI').count()).toBe(0);
  });

  test('JSON is shown with its lines broken, and its source too', async () => {
    await open('/mail-invoice/run-invoice/item-facts');
    await soon(() => page.locator('pre.source').textContent()).toContain('\n  "invoice": 4411');
  });

  test('an edit is sent with the revision that was seen', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.editor textarea').fill('Dear Ada');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.frameLocator('iframe.frame').getByText('Dear Ada').waitFor();
    expect(api.bodies.at(-1)?.body).toMatchObject({ data: 'Dear Ada', expectedRevision: 2 });
    await page.getByText('revision 3').waitFor();
  });

  test('an item that changed meanwhile is not overwritten unasked', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.editor textarea').fill('Mine');
    const items = api.world.items.get('run-invoice') ?? [];
    api.world.items.set(
      'run-invoice',
      items.map((item) => (item.id === 'item-draft' ? { ...item, data: 'Theirs', revision: 3 } : item)),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changed meanwhile').waitFor();
    expect(await page.locator('.editor textarea').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.frameLocator('iframe.frame').getByText('Mine').waitFor();
    expect(api.world.items.get('run-invoice')?.find((item) => item.id === 'item-draft')).toMatchObject({
      data: 'Mine',
      revision: 4,
    });
  });

  test('what was typed survives a look at another result', async () => {
    await open('/mail-invoice/run-invoice/item-draft');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.editor textarea').fill('Half a sent');
    await page.getByRole('treeitem', { name: 'Mood note' }).click();
    await page.frameLocator('iframe.frame').getByText('Calm, a little tired').waitFor();
    await page.getByRole('treeitem', { name: 'Reply draft' }).click();
    await soon(() => page.locator('.editor textarea').inputValue()).toBe('Half a sent');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.frameLocator('iframe.frame').getByText('thank you for your message').waitFor();
  });

  test('a result is deleted only after a yes', async () => {
    await open('/mail-invoice/run-invoice/item-dot');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(api.world.items.get('run-invoice')?.length).toBe(5);
    await page.keyboard.press('#');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Client manager' }).waitFor();
    expect(api.world.items.get('run-invoice')?.length).toBe(4);
  });
});

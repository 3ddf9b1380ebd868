import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('a text that somebody goes on typing', (viewer) => {
  const area = () => viewer.page.locator('.editor textarea');
  /** Holds back the answers to matching requests until the returned function is called. */
  const holdBack = async (method: string, address: string) => {
    let answer = () => {};
    const isAnswered = new Promise<void>((done) => (answer = done));
    await viewer.page.route(address, async (route) => {
      if (route.request().method() === method) await isAnswered;
      await route.fallback();
    });
    return answer;
  };

  test('while a result is saved stays, and is the next edit', async () => {
    const answer = await holdBack('PUT', '**/items/item-draft');
    await viewer.open('inbox/mail-invoice/run-invoice/item-draft');
    await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await area().fill('Dear Ada');
    await area().press('Control+Enter');
    await area().pressSequentially(', thank you');
    answer();
    await viewer.page.getByText('Saved.').waitFor();
    expect(await area().inputValue()).toBe('Dear Ada, thank you');
    await viewer.page.getByRole('button', { name: 'Save', exact: true }).click();
    await viewer.page.frameLocator('iframe.frame').getByText('Dear Ada, thank you').waitFor();
    expect(viewer.api.world.items.get('run-invoice')?.find(({ id }) => id === 'item-draft')?.revision).toBe(4);
  });

  test('while a reply is saved as a draft stays', async () => {
    const answer = await holdBack('POST', '**/reply');
    await viewer.open('inbox/mail-invoice');
    await viewer.page.locator('.head').getByRole('button', { name: 'Reply' }).click();
    await area().fill('Gladly.');
    await viewer.page.getByRole('button', { name: 'Save as draft' }).click();
    await area().fill('Gladly. And one more thing.');
    answer();
    await viewer.page.getByText(/^Saved as a draft in /).waitFor();
    expect(await area().inputValue()).toBe('Gladly. And one more thing.');
  });

  test('is dropped by Cancel, whose tooltip says so', async () => {
    await viewer.open('inbox/mail-invoice/run-invoice/item-draft');
    for (const name of ['Edit', 'Reply']) {
      await viewer.page.locator('.head').getByRole('button', { name }).click();
      const cancel = viewer.page.locator('.editor').getByRole('button', { name: 'Cancel' });
      expect(await cancel.getAttribute('title')).toMatch(/drop/);
      await area().fill('Half a sent');
      await cancel.click();
      await area().waitFor({ state: 'detached' });
      await viewer.page.locator('.head').getByRole('button', { name }).click();
      await soon(() => area().inputValue()).toContain('thank you for your message');
      await cancel.click();
    }
  });
});

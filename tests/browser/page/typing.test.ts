import { expect, test } from 'vitest';
import { makeApproval, makeQuestion } from '../fake/approval-fixtures.ts';
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

  test.each([
    ['an answer to a question', 'approvals', () => viewer.page.getByLabel(/Your answer|Or in your own words/)],
    ['the reason of a decision', 'approvals', () => viewer.page.getByLabel('Reason')],
    ['the arguments of a call', 'approvals', () => viewer.page.getByRole('textbox', { name: 'text' })],
    ['a new chat', 'chats/new', () => viewer.page.getByLabel('Context')],
    ['a new objective', 'objectives/new', () => viewer.page.getByLabel('What do you want?')],
    ['a new task', 'todos/new', () => viewer.page.getByLabel('Instructions')],
  ])('keeps the page from reloading after an update of the server: %s', async (name, place, field) => {
    viewer.api.world.approvals = [name.startsWith('an answer') ? makeQuestion() : makeApproval()];
    await viewer.open(place);
    if (name.startsWith('the arguments')) await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await field().fill('Half a sent');
    viewer.api.world.version = '2';
    viewer.api.breakStreams();
    await viewer.page.getByText('Callsheet was updated.').waitFor();
    expect(await field().inputValue()).toBe('Half a sent');
    // Nothing asks before the page of the test is closed.
    await field().fill('');
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

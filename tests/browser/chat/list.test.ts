import { expect, test } from 'vitest';
import type { Chat } from '../../../ui/http/api-types.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the list of chats', (viewer) => {
  const rows = () => viewer.page.locator('.chat-row .from').allTextContents();
  const title = (name: string) => viewer.page.getByRole('heading', { name, exact: true });

  test('opens by its key, and its addresses can be kept', async () => {
    await viewer.open('inbox');
    await viewer.page.locator('main h1, main [role=treeitem]').first().waitFor();
    await viewer.page.keyboard.press('g');
    await viewer.page.keyboard.press('h');
    await soon(rows).toEqual(['Design review', 'Names for the release']);
    await viewer.page.keyboard.press('j');
    await title('Design review').waitFor();
    expect(new URL(viewer.page.url()).hash).toBe('#/chats/c_review');
    await viewer.page.reload();
    await title('Design review').waitFor();
  });

  test('a chat is renamed in its head', async () => {
    await viewer.open('chats/c_review');
    await title('Design review').waitFor();
    await viewer.page.keyboard.press('e');
    const field = viewer.page.getByRole('textbox', { name: 'Title' });
    await soon(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await field.fill('Payments');
    await field.press('Enter');
    await title('Payments').waitFor();
    await soon(rows).toContain('Payments');
    expect(viewer.api.bodies.at(-1)).toEqual({ line: 'PUT /api/chats/c_review', body: { title: 'Payments' } });
  });

  test('a chat goes into the archive, and comes back from it', async () => {
    await viewer.open('chats/c_review');
    await viewer.page.getByRole('button', { name: 'Archive', exact: true }).click();
    await soon(rows).toEqual(['Names for the release']);
    await viewer.page.getByRole('button', { name: 'Archived' }).click();
    await soon(rows).toEqual(['Design review', 'Last year']);
    await viewer.page.getByRole('button', { name: 'Bring back from the archive' }).click();
    await soon(rows).toEqual(['Last year']);
  });

  test('a chat is deleted only after a confirmation', async () => {
    await viewer.open('chats/c_names');
    await title('Names for the release').waitFor();
    await viewer.page.keyboard.press('#');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(viewer.api.world.chat.chats.length).toBe(3);
    await viewer.page.getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await soon(rows).toEqual(['Design review']);
    expect(new URL(viewer.page.url()).hash).toBe('#/chats');
  });

  test('a chat in which somebody speaks, and one with something new, are marked until they end and are opened', async () => {
    // What earlier tests have seen goes, on a page that writes nothing back.
    await viewer.page.goto(`${viewer.api.url}/ui/mark.svg`);
    await viewer.page.evaluate(() => localStorage.removeItem('callsheet.chats.seen'));
    await viewer.open('chats/c_review');
    await title('Design review').waitFor();
    const names = viewer.page.locator('.chat-row', { hasText: 'Names for the release' });
    await names.waitFor();
    expect(await viewer.page.locator('.chat-row.news').count()).toBe(0);
    const change = (part: Partial<Chat>) => {
      const { world } = viewer.api;
      world.chat.chats = world.chat.chats.map((chat) => (chat.id === 'c_names' ? { ...chat, ...part } : chat));
      viewer.api.emit('chat', { id: 'c_names', change: 'round' });
    };
    change({ round: { id: 'r1', number: 1, participants: [] } });
    await names.getByRole('img', { name: 'somebody speaks' }).waitFor();
    expect(await names.getByText('new', { exact: true }).count()).toBe(0);
    change({ updatedAt: new Date(Date.now() + 1000).toISOString() });
    await names.getByText('new', { exact: true }).waitFor({ state: 'attached' });
    await viewer.page.reload();
    await names.getByText('new', { exact: true }).waitFor({ state: 'attached' });
    await names.click();
    await title('Names for the release').waitFor();
    await soon(() => viewer.page.locator('.chat-row.news').count()).toBe(0);
    await viewer.page.locator('.chat-row', { hasText: 'Design review' }).click();
    await title('Design review').waitFor();
    await soon(() => viewer.page.locator('.chat-row.news').count()).toBe(0);
  });

  test('a chat that does not exist says so', async () => {
    await viewer.open('chats/c_nowhere');
    await viewer.page.getByText('there is no such chat').waitFor();
  });

  test('a phone shows the list or the chat, and a way back', async () => {
    await viewer.page.setViewportSize({ width: 390, height: 800 });
    await viewer.open('chats');
    await viewer.page.locator('.chat-row').first().click();
    await viewer.page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await viewer.page.locator('.chat-row').first().isVisible()).toBe(false);
    expect(await viewer.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await viewer.page.getByRole('button', { name: 'All chats' }).click();
    await viewer.page.locator('.chat-row').first().waitFor();
  });

  test('the help lists the keys', async () => {
    await viewer.open('chats');
    await viewer.page.locator('.chat-row').first().waitFor();
    await viewer.page.keyboard.press('?');
    await viewer.page.getByText('go to chats').waitFor();
    await viewer.page.getByText('mention a participant').waitFor();
  });
});

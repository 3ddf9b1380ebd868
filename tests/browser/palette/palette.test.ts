import { expect, test } from 'vitest';
import { axeViolations, cutOff } from '../fake/axe.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the command palette', (viewer) => {
  const { open } = viewer;
  const field = () => viewer.page.getByRole('combobox', { name: 'Find a page' });
  const options = () => viewer.page.getByRole('option');
  const active = () => viewer.page.locator('[role=option][aria-selected=true] .label').textContent();
  const press = (key: string) => viewer.page.keyboard.press(key);
  const openPalette = async () => {
    await press('Control+k');
    await field().waitFor();
  };

  test('Ctrl+K opens it, typing filters pages, and Enter goes there', async () => {
    await open('inbox');
    await openPalette();
    await viewer.page.keyboard.type('diag');
    await soon(active).toBe('Diagnostics');
    await press('Enter');
    await viewer.page.waitForURL('**/#/diagnostics');
    expect(await viewer.page.getByRole('dialog').count()).toBe(0);
    await viewer.page.goBack();
    await viewer.page.waitForURL('**/#/inbox/**');
  });

  test('arrows move the choice around the list, and Escape closes it and gives the focus back', async () => {
    await open('inbox');
    const help = viewer.page.getByRole('button', { name: 'Keyboard shortcuts' });
    await help.focus();
    await openPalette();
    const first = await active();
    await press('ArrowUp');
    const last = await options().last().getAttribute('id');
    expect(await field().getAttribute('aria-activedescendant')).toBe(last);
    await press('ArrowDown');
    expect(await active()).toBe(first);
    await press('Escape');
    await soon(() => help.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test('it opens while somebody types, and keeps the typed text', async () => {
    await open('inbox');
    const search = viewer.page.getByRole('searchbox').or(viewer.page.locator('.search input')).first();
    await search.fill('invoice');
    await openPalette();
    await press('Control+k');
    await soon(() => viewer.page.getByRole('dialog').count()).toBe(0);
    expect(await search.inputValue()).toBe('invoice');
  });

  test('mails and runs come from the server, in one request after a pause in typing', async () => {
    await open('todos');
    await openPalette();
    await viewer.page.keyboard.type('invoice');
    const mail = viewer.page.getByRole('group', { name: 'E-mails' }).getByRole('option');
    await mail.first().waitFor();
    await viewer.page.getByRole('group', { name: 'Runs' }).getByRole('option').first().waitFor();
    const searches = viewer.api.requests.filter((line) => line.includes('/api/emails?q='));
    expect(searches.length).toBeLessThan('invoice'.length);
    expect(searches.at(-1)).toContain('q=invoice');
    await mail.first().click();
    await viewer.page.getByRole('heading', { name: 'Invoice 4411' }).waitFor();
  });

  test('a run is found by its id', async () => {
    await open('inbox');
    await openPalette();
    await viewer.page.keyboard.type('run-urg');
    await viewer.page.getByRole('group', { name: 'Runs' }).getByRole('option').first().click();
    await viewer.page.waitForURL('**/#/runs/run-urgent');
  });

  test('recently used entries come first', async () => {
    await open('inbox');
    await openPalette();
    await viewer.page.keyboard.type('tasks');
    await soon(active).toBe('Tasks');
    await press('Enter');
    await viewer.page.waitForURL('**/#/todos');
    await openPalette();
    expect(await active()).toBe('Tasks');
    await viewer.page.getByRole('group', { name: 'Recently used' }).waitFor();
  });

  test('commands run, a director leads to its file, and nothing else is a clear word', async () => {
    await open('inbox');
    await openPalette();
    await viewer.page.keyboard.type('shortcuts');
    await soon(active).toBe('Keyboard shortcuts');
    await press('Enter');
    await viewer.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('find a page').waitFor();
    await press('Escape');
    await openPalette();
    await viewer.page.getByRole('group', { name: 'Directors' }).getByRole('option').first().click();
    await viewer.page.waitForURL('**/#/config/*directors*');
    await viewer.page.getByRole('heading', { name: 'client-manager', level: 1 }).waitFor();
    await openPalette();
    await viewer.page.keyboard.type('zzzz');
    await viewer.page.getByText('Nothing matches').waitFor();
  });

  test('a search that fails says so, and pages still open', async () => {
    await open('inbox');
    await viewer.page.route('**/api/emails?q=*', (route) => route.abort());
    await openPalette();
    await viewer.page.keyboard.type('runs');
    await viewer.page.getByText('could not be searched').waitFor();
    expect(await active()).toBe('Runs');
  });

  test('it obeys axe in light and dark, and fits on a phone', async () => {
    await viewer.page.setViewportSize({ width: 390, height: 780 });
    await open('inbox');
    await viewer.page.getByRole('button', { name: 'Find anything' }).click();
    await viewer.page.keyboard.type('in');
    await viewer.page.getByRole('group', { name: 'E-mails' }).getByRole('option').first().waitFor();
    expect(await cutOff(viewer.page, '.palette, .palette-line, .palette kbd, .top button')).toEqual([]);
    for (const theme of ['light', 'dark']) expect(await axeViolations(viewer.page, theme)).toEqual([]);
  });
});

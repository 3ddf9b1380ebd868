import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the filter of the results of an e-mail', (viewer) => {
  const labels = () => viewer.page.locator('.cards .card-head b').allTextContents();
  const open = async (place = 'inbox/mail-invoice') => {
    await viewer.open(place);
    await viewer.page.locator('.cards .card').first().waitFor();
  };

  test('selects by type, tag and author, and Back undoes each choice', async () => {
    await open();
    expect((await labels()).length).toBe(6);
    await viewer.page.getByLabel('Type').selectOption('text/markdown');
    await soon(labels).toEqual(['Mood note', 'Reply draft']);
    await viewer.page.getByLabel('Made by').selectOption('Psychologist');
    await soon(labels).toEqual(['Mood note']);
    await viewer.page.getByLabel('Tag', { exact: true }).selectOption('reply');
    await viewer.page.getByText('No result matches.').waitFor();
    await viewer.page.goBack();
    await soon(labels).toEqual(['Mood note']);
    await viewer.page.goBack();
    await soon(labels).toEqual(['Mood note', 'Reply draft']);
  });

  test('is in the address beside the view of the list', async () => {
    await open('inbox/mail-invoice?view=all&of=mail-invoice&tag=reply');
    await soon(labels).toEqual(['Reply draft']);
    await viewer.page.getByLabel('Type').selectOption('text/markdown');
    await soon(() => viewer.page.url()).toContain('?view=all&of=mail-invoice&tag=reply&mimeType=text%2Fmarkdown');
    await viewer.page.getByRole('button', { name: 'Inbox', exact: true }).click();
    await soon(() => viewer.page.url()).toContain('/mail-invoice?of=mail-invoice&tag=reply&mimeType=text%2Fmarkdown');
    expect(await labels()).toEqual(['Reply draft']);
  });

  test('does not select among the results of another e-mail, which differ in nothing', async () => {
    await open('inbox/mail-urgent?of=mail-invoice&tag=reply');
    await soon(labels).toEqual(['Mood note']);
    expect(await viewer.page.locator('.item-filters').count()).toBe(0);
  });
});

import { expect, test } from 'vitest';
import { axeViolations } from '../fake/axe.ts';
import { makeItem } from '../fake/fixtures.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('a PDF file', (viewer) => {
  const text = () => viewer.page.locator('.file-text');
  const item = async (label: string) => {
    viewer.api.world.items.set('run-invoice', [
      makeItem('item-pdf', { label, mimeType: 'application/pdf', encoding: 'base64', data: 'eHl6' }),
    ]);
    await viewer.open('inbox/mail-invoice/run-invoice/item-pdf');
  };
  const download = async (part: string) => {
    const started = viewer.page.waitForEvent('download');
    await viewer.page.locator(part).getByRole('button', { name: 'Download' }).click();
    return (await started).suggestedFilename();
  };

  test('that is a result is shown as its text, and downloaded', async () => {
    await item('Offer');
    await text().getByText('Text of a PDF of 2 pages.').waitFor();
    await text().getByText('The price is <b>9</b> euros.').waitFor();
    await text().getByText('only the first 500000 characters are shown').waitFor();
    expect(await axeViolations(viewer.page, 'light')).toEqual([]);
    expect(await download('.file-text')).toBe('Offer.pdf');
  });

  test('that is a result and cannot be read says why, and is downloaded', async () => {
    await item('Broken');
    await viewer.page.getByText('the file is damaged').waitFor();
    expect(await download('.body .empty')).toBe('Broken.pdf');
  });

  test('that is attached to a mail is read once it is opened', async () => {
    await viewer.open('inbox/mail-invoice');
    const attached = viewer.page.locator('.attached-file');
    await attached.getByText('invoice-4411.pdf').waitFor();
    const asked = () => viewer.api.requests.filter((line) => line.endsWith('/text'));
    expect(asked()).toEqual([]);
    await attached.getByText('invoice-4411.pdf').click();
    await text().getByText('The price is <b>9</b> euros.').waitFor();
    expect(asked()).toEqual(['GET /api/emails/mail-invoice/attachments/0/text']);
    expect(await download('.file-text')).toBe('invoice-4411.pdf');
  });
});

import { expect, test } from 'vitest';
import { axeViolations } from '../fake/axe.ts';
import { makeItem, makeMail } from '../fake/fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('a mail in a file', (viewer) => {
  const file = () => viewer.page.locator('.mail-file');
  const item = async (label: string) => {
    viewer.api.world.items.set('run-invoice', [
      makeItem('item-mail', { label, mimeType: 'message/rfc822', data: 'To: ann@example.org' }),
    ]);
    await viewer.open('inbox/mail-invoice/run-invoice/item-mail');
  };

  test('that is a result is shown with its headers, its text and the names of its files', async () => {
    await item('Offer');
    await file().getByText('yes.').waitFor();
    const text = await file().textContent();
    for (const part of ['Ada Ray', 'cc@example.org', 'The <b>offer</b>', 'offer.pdf', 'text beyond 2 MB was left out'])
      expect(text).toContain(part);
    expect(await axeViolations(viewer.page, 'light')).toEqual([]);
    await viewer.page.keyboard.press('s');
    await viewer.page.locator('pre.source').getByText('To: ann@example.org').waitFor();
  });

  test('that is a result and cannot be read says why, above its source', async () => {
    await item('Broken');
    await viewer.page.getByText('the mail needs too much time').waitFor();
    await viewer.page.locator('pre.prose').getByText('To: ann@example.org').waitFor();
  });

  test('that is attached to a mail is read once it is opened, and can be downloaded', async () => {
    const [known] = viewer.api.world.mails.flatMap(({ attachments }) => attachments);
    const names = [
      ['offer.eml', 'application/octet-stream'],
      ['', 'message/rfc822'],
      ['a.zip', 'application/zip'],
    ] as const;
    viewer.api.world.mails = [
      makeMail('mail-files', {
        attachments: names.map(([name, mimeType], index) => ({ ...known!, index, name, mimeType })),
      }),
    ];
    await viewer.open('inbox/mail-files');
    const attached = viewer.page.locator('.attached-file');
    await attached.getByText('offer.eml').waitFor();
    expect(await attached.count()).toBe(2);
    expect(await viewer.page.locator('button.file').count()).toBe(3);
    const asked = () => viewer.api.requests.filter((line) => line.endsWith('/mail'));
    expect(asked()).toEqual([]);
    await attached.getByText('attachment 2').click();
    await attached.locator('dd').getByText('The <b>offer</b>').waitFor();
    await soon(asked).toEqual(['GET /api/emails/mail-files/attachments/1/mail']);
  });

  test('that is an image and attached to a mail is shown; large ones wait until they are opened', async () => {
    const [known] = viewer.api.world.mails.flatMap(({ attachments }) => attachments);
    const image = { ...known!, mimeType: 'image/gif' };
    viewer.api.world.mails = [
      makeMail('mail-files', {
        attachments: [
          { ...image, index: 0, name: 'pixel.gif', size: 42 },
          { ...image, index: 1, name: 'photo.gif', size: 5_000_000 },
          { ...image, index: 2, name: 'drawing.svg', mimeType: 'image/svg+xml' },
        ],
      }),
    ];
    const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    await viewer.page.route('**/attachments/*', (route) => route.fulfill({ body: pixel }));
    await viewer.open('inbox/mail-files');
    const widthOf = (name: string) =>
      viewer.page.getByRole('img', { name }).evaluate((shown: HTMLImageElement) => shown.naturalWidth);
    await soon(() => widthOf('pixel.gif')).toBe(1);
    expect(await viewer.page.locator('.attached-file').count()).toBe(2);
    expect(await viewer.page.getByRole('img', { name: 'photo.gif' }).count()).toBe(0);
    await viewer.page.locator('.attached-file').getByText('photo.gif').click();
    await soon(() => widthOf('photo.gif')).toBe(1);
  });
});

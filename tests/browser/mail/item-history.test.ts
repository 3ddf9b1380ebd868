import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the history of a result', (viewer) => {
  const open = async () => {
    await viewer.open('inbox/mail-invoice/run-invoice/item-draft');
    await viewer.page.getByRole('button', { name: 'History' }).click();
    return viewer.page.getByRole('list', { name: 'Revisions' }).getByRole('listitem');
  };

  test('lists the revisions, with what changed in the newest one', async () => {
    const revisions = await open();
    await soon(async () => (await revisions.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      // The times of the fixtures count from the start of the process, which other tests share.
      expect.stringMatching(/^Revision 4 you changed label, text \d+[mh] .*-Dear Ms Ray, \+Dear Ada,/),
      expect.stringMatching(/^Revision 3 Responder changed text; compared with revision 1 \d+[mh]$/),
      expect.stringMatching(/^Revision 2 you changed text; this text is not kept \d+[mh]$/),
      expect.stringMatching(/^Revision 1 Responder created \d+h$/),
    ]);
  });

  test('opens the difference of an older revision', async () => {
    const revisions = await open();
    await revisions.nth(1).locator('summary').click();
    await viewer.page
      .getByRole('group', { name: 'What changed from revision 1 to 3' })
      .getByText('+thank you')
      .waitFor();
  });

  test('links the result of an earlier run that it replaces', async () => {
    await open();
    await viewer.page.getByText('Replaces the result of an earlier run').getByRole('link').click();
    await soon(() => viewer.page.url()).toContain('#/inbox/mail-invoice/run-urgent/item-note');
  });

  test('is read again after the result has changed', async () => {
    await open();
    const asked = () => viewer.api.requests.filter((line) => line.endsWith('/items/item-draft/revisions')).length;
    await soon(asked).toBe(1);
    const items = viewer.api.world.items.get('run-invoice') ?? [];
    viewer.api.world.items.set(
      'run-invoice',
      items.map((item) => (item.id === 'item-draft' ? { ...item, revision: item.revision + 1 } : item)),
    );
    viewer.api.emit('item', { workspaceId: 'run-invoice', id: 'item-draft' });
    await soon(asked).toBe(2);
  });
});

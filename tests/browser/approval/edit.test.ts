import { expect, test } from 'vitest';
import { makeApproval } from '../fake/approval-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('editing the arguments of an approval', (viewer) => {
  const sent = () => viewer.api.bodies.filter(({ line }) => !line.includes('/preview')).at(-1)?.body;

  test('in a form updates the preview, and sends what was edited', async () => {
    await viewer.open('approvals');
    await viewer.page.locator('.approval').waitFor();
    await viewer.page.keyboard.press('e');
    const field = viewer.page.getByRole('textbox', { name: 'text' });
    await soon(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await field.fill('We call you.');
    await viewer.page.locator('summary', { hasText: 'Left out' }).click();
    await viewer.page.getByLabel('all', { exact: true }).selectOption('true');
    await viewer.page.getByRole('textbox', { name: 'cc' }).fill('ann@example.org\nbob@example.org');
    await viewer.page.getByLabel('limit').fill('3');
    await viewer.page.getByRole('group', { name: 'The e-mail' }).getByText('We call you.').waitFor();
    await viewer.page.getByRole('button', { name: 'Allow with edits' }).click();
    await viewer.page.getByText('No pending approvals.').waitFor();
    await viewer.sendHeld();
    await soon(sent).toEqual({
      decision: 'allow',
      arguments: { text: 'We call you.', all: true, cc: ['ann@example.org', 'bob@example.org'], limit: 3 },
    });
  });

  test('says that the preview is of an earlier text until the server has seen the newest', async () => {
    let answer = () => {};
    await viewer.open('approvals');
    await viewer.page.locator('.approval').waitFor();
    await viewer.page.keyboard.press('e');
    const field = viewer.page.getByRole('textbox', { name: 'text' });
    const before = await field.inputValue();
    const letter = viewer.page.getByRole('group', { name: 'The e-mail' });
    await field.fill('We call you.');
    await letter.getByText('We call you.').waitFor();
    const checking = viewer.page.getByText('Checking your edits…');
    await checking.waitFor({ state: 'detached' });
    const isAnswered = new Promise<void>((done) => (answer = done));
    await viewer.page.route('**/preview', async (route) => {
      await isAnswered;
      await route.continue();
    });
    await field.fill('We come on Monday.');
    await checking.waitFor();
    // The text as it was asked is that of the card, which needs no check.
    await field.fill(before);
    await checking.waitFor({ state: 'detached' });
    expect(await letter.getByText('We call you.').count()).toBe(0);
    answer();
  });

  test('shows the error of the server, and keeps the edit', async () => {
    await viewer.open('approvals');
    await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await viewer.page.getByRole('button', { name: 'JSON' }).click();
    const area = viewer.page.getByRole('textbox', { name: 'Arguments' });
    await area.fill('{"text": 7}');
    await viewer.page.getByRole('alert').getByText('text must be string').waitFor();
    expect(await area.inputValue()).toBe('{"text": 7}');
    await area.fill('{"text": "ok", "forbidden": "x"}');
    await viewer.page.getByRole('alert').waitFor({ state: 'detached' });
    await viewer.page.getByRole('button', { name: 'Allow with edits' }).click();
    await viewer.sendHeld();
    await viewer.page.getByRole('alert').getByText('the recipient is not in the thread').waitFor();
    // The card is there again, with its form.
    await viewer.page.getByRole('button', { name: 'JSON' }).click();
    expect(await area.inputValue()).toBe('{"text": "ok", "forbidden": "x"}');
  });

  test('keeps the edit and the reason while somebody looks at the transcript, and while others answer', async () => {
    viewer.api.world.approvals = [makeApproval({ id: 'other' }), makeApproval()];
    await viewer.open('approvals');
    const own = viewer.page.locator('#approval-approval-1');
    await own.getByRole('button', { name: 'Edit' }).click();
    await own.getByRole('textbox', { name: 'text' }).fill('We call you.');
    await own.getByLabel('Reason').fill('by phone');
    viewer.api.world.approvals = [makeApproval()];
    viewer.api.emit('approval', { id: 'other', status: 'denied' });
    await viewer.page.locator('#approval-other').waitFor({ state: 'detached' });
    expect(await own.getByRole('textbox', { name: 'text' }).inputValue()).toBe('We call you.');
    await own.getByRole('link', { name: 'See the call in the transcript' }).click();
    await viewer.page.getByRole('heading', { name: 'Transcript' }).waitFor();
    await viewer.page.goBack();
    expect(await own.getByRole('textbox', { name: 'text' }).inputValue()).toBe('We call you.');
    expect(await own.getByLabel('Reason').inputValue()).toBe('by phone');
    await own.getByRole('button', { name: 'Undo edits' }).click();
    await own.getByRole('button', { name: /^Allow\W*y$/ }).waitFor();
  });

  test('leaves an emptied field out, and what the form cannot hold is edited as JSON', async () => {
    viewer.api.world.approvals = [
      makeApproval({ arguments: { text: 'a', subject: 'b', event: { title: 'c' }, deep: [{ d: 1 }] } }),
    ];
    await viewer.open('approvals');
    await viewer.page.getByRole('button', { name: 'Edit' }).click();
    await viewer.page.getByRole('textbox', { name: 'subject' }).fill('');
    await viewer.page.getByRole('textbox', { name: 'title' }).fill('C');
    await viewer.page.getByText('[{"d":1}] (edit it as JSON)').waitFor();
    await viewer.page.getByRole('button', { name: 'Allow with edits' }).click();
    await viewer.sendHeld();
    await soon(sent).toEqual({
      decision: 'allow',
      arguments: { text: 'a', event: { title: 'C' }, deep: [{ d: 1 }] },
    });
  });
});

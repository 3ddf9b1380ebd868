import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('always allowing what an approval asks', (viewer) => {
  const dialog = () => viewer.page.getByRole('dialog');
  const open = async () => {
    await viewer.open('approvals');
    await viewer.page.getByRole('button', { name: 'Always allow…' }).click();
    await dialog().getByRole('group', { name: 'What changes in agents/responder.yaml' }).waitFor();
  };
  const decisions = () => viewer.api.bodies.filter(({ line }) => line === 'POST /api/approvals/approval-1');

  test('shows the diff of each file first, and changes nothing before it is confirmed', async () => {
    await open();
    expect(await dialog().locator('.added').allTextContents()).toEqual([
      "+    - 'mail_send(to=feld@example.net)'",
      "+    - 'mail_send(to=feld@example.net)'",
    ]);
    await viewer.page.keyboard.press('y');
    expect(decisions()).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(decisions()).toEqual([]);
  });

  test('applies what was shown, for a pattern of the person’s own', async () => {
    await open();
    await dialog().getByLabel('Pattern').fill('mail_send(to=*@example.net');
    await dialog().getByRole('alert').getByText('has no ")"').waitFor();
    expect(await dialog().getByRole('button', { name: 'Change the files and allow' }).isDisabled()).toBe(true);
    await dialog().getByLabel('Pattern').fill('mail_send(to=*@example.net)');
    await dialog().locator('.added', { hasText: '*@example.net' }).first().waitFor();
    await dialog().getByRole('button', { name: 'Change the files and allow' }).click();
    await viewer.page.getByText('No pending approvals.').waitFor();
    const pattern = 'mail_send(to=*@example.net)';
    await soon(() => decisions().at(-1)?.body).toEqual({
      ...{ decision: 'allow', remember: 'always', pattern, seen: `hash of ${pattern}` },
    });
  });
});

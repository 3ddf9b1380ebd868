import { expect, test } from 'vitest';
import { makeApproval } from '../fake/approval-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('a decision', (viewer) => {
  const sent = () =>
    viewer.api.bodies.filter(({ line }) => line.startsWith('POST /api/approvals/')).map((one) => one.body);
  const bar = () => viewer.page.getByText('It is sent in five seconds');

  test('is held for five seconds, in which z takes it back with its reason', async () => {
    await viewer.page.clock.install();
    await viewer.open('approvals');
    await viewer.page.getByLabel('Reason').fill('Call him instead');
    await viewer.page.getByRole('heading', { name: 'Send an e-mail' }).click();
    await viewer.page.keyboard.press('n');
    await bar().waitFor();
    expect(await viewer.page.locator('.approval').count()).toBe(0);
    await viewer.page.keyboard.press('z');
    await viewer.page.locator('.approval').waitFor();
    expect(await viewer.page.getByLabel('Reason').inputValue()).toBe('Call him instead');
    await viewer.page.clock.fastForward(6000);
    expect(sent()).toEqual([]);
    await viewer.page.getByRole('heading', { name: 'Send an e-mail' }).click();
    await viewer.page.keyboard.press('y');
    await bar().waitFor();
    await viewer.page.clock.fastForward(6000);
    await soon(sent).toEqual([{ decision: 'allow', reason: 'Call him instead' }]);
    await soon(() => bar().count()).toBe(0);
  });

  test('is sent at once when the page goes, also while another one is held', async () => {
    viewer.api.world.approvals = [makeApproval(), makeApproval({ id: 'approval-2' })];
    await viewer.open('approvals');
    await viewer.page.locator('#approval-approval-1').waitFor();
    // The five seconds never end.
    await viewer.stopClock();
    await viewer.page.keyboard.press('y');
    await bar().waitFor();
    await viewer.page.keyboard.press('n');
    await viewer.page.getByText('and 1 more').waitFor();
    expect(sent()).toEqual([]);
    await viewer.page.keyboard.press('g');
    await viewer.page.keyboard.press('u');
    await soon(() => sent().length).toBe(2);
    expect(viewer.api.world.approvals.map(({ id, status }) => [id, status])).toEqual([
      ['approval-1', 'allowed'],
      ['approval-2', 'denied'],
    ]);
  });

  test('reaches the server when the tab is closed', async () => {
    await viewer.open('approvals');
    await viewer.page.locator('.approval').waitFor();
    await viewer.stopClock();
    await viewer.page.keyboard.press('y');
    await bar().waitFor();
    await viewer.page.close({ runBeforeUnload: true });
    await soon(sent).toEqual([{ decision: 'allow' }]);
  });

  test('that is too long to be sent by a closing tab makes the browser ask first', async () => {
    const asks = () => viewer.page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
    const denyWith = async (reason: string) => {
      await viewer.page.getByLabel('Reason').fill(reason);
      await viewer.page.getByRole('button', { name: 'Deny' }).click();
      await bar().waitFor();
    };
    await viewer.open('approvals');
    await viewer.page.locator('.approval').waitFor();
    await viewer.stopClock();
    await denyWith('No.');
    expect(await asks()).toBe(false);
    await viewer.page.keyboard.press('z');
    await viewer.page.locator('.approval').waitFor();
    await denyWith('x'.repeat(21_000));
    expect(await asks()).toBe(true);
  });
});

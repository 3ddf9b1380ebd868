import { expect, test } from 'vitest';
import { makeApproval } from '../fake/approval-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the approvals that were decided', (viewer) => {
  const decidedAt = '2026-11-21T09:00:00.000Z';
  const rows = () => viewer.page.locator('.ended');

  test('say how each ended, who decided and when, and open to what was asked', async () => {
    viewer.api.world.approvals = [
      makeApproval({ id: 'a', status: 'allowed', decidedBy: 'local', decidedAt, remembered: 'run' }),
      makeApproval({ id: 'b', status: 'denied', decidedBy: 'jane@example.org', decidedAt, decisionReason: 'Call him' }),
      makeApproval({ id: 'c', status: 'lapsed', decidedAt }),
      makeApproval({ id: 'd', status: 'expired', decidedAt }),
    ];
    await viewer.open('approvals');
    await viewer.page.getByRole('button', { name: 'Decided' }).click();
    await soon(() => rows().locator('summary .chip').allTextContents()).toEqual([
      'allowed',
      'denied',
      'lapsed',
      'expired',
    ]);
    expect(await rows().nth(0).locator('.decided-by').textContent()).toMatch(/by you/);
    await rows().nth(1).locator('summary').first().click();
    const denied = rows().nth(1);
    await denied.getByText('Reason: Call him').waitFor();
    await denied.getByText(/by jane@example\.org · .*2026/).waitFor();
    await denied.getByRole('group', { name: 'The e-mail' }).getByText('a technician is on the way.').waitFor();
    await rows().nth(3).locator('summary').first().click();
    await rows().nth(3).getByText('Nobody answered in time: the call was not made.').waitFor();
    expect(
      await rows()
        .getByRole('button', { name: /Allow|Deny/ })
        .count(),
    ).toBe(0);
  });

  test('are shown at the address of one that waits no more', async () => {
    viewer.api.world.approvals = [makeApproval({ status: 'expired', decidedAt })];
    await viewer.open('approvals/approval-1');
    await viewer.page.getByText('Nobody answered in time').waitFor();
  });

  test('get the one that is decided while the list is open', async () => {
    await viewer.open('approvals/history');
    await viewer.page.getByText('Nothing was decided yet.').waitFor();
    viewer.api.world.approvals = [makeApproval({ status: 'denied', decidedBy: 'local', decidedAt })];
    viewer.api.emit('approval', { id: 'approval-1', status: 'denied' });
    await soon(() => rows().count()).toBe(1);
  });
});

import { expect, test } from 'vitest';
import { makeApproval } from '../fake/approval-fixtures.ts';
import { settled } from '../settled.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';
import { PLACES } from './places.ts';

/** Buttons without a key of their own: see `WITHOUT_KEY` in tests/ui/keys.test.ts. */
const WITHOUT_KEY = '.mention, .roster button, .scope-folders .folders button, .grip';

describeLongViewer('the keys of buttons', (viewer) => {
  const { open } = viewer;
  const dialog = () => viewer.page.getByRole('dialog');

  test('of a row work while the focus is in that row, and not before', async () => {
    await open('todos');
    const remove = viewer.page.getByRole('button', { name: 'Delete Order cables' });
    expect(await remove.getAttribute('title')).toBe('Delete (X)');
    expect(await remove.getAttribute('aria-keyshortcuts')).toBe('X');
    await viewer.page.keyboard.press('X');
    await settled(viewer.page);
    expect(await dialog().count()).toBe(0);
    await viewer.page.getByRole('checkbox', { name: 'Order cables' }).focus();
    await viewer.page.keyboard.press('X');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).waitFor();
  });

  test('of a form are pressed by Ctrl+Enter in a field of it, once', async () => {
    await open('memory');
    await viewer.page.keyboard.press('j');
    const field = viewer.page.locator('.memory-form textarea');
    await field.fill('Ada prefers tea.');
    await viewer.page.locator('.memory-form').getByRole('button', { name: 'Save', disabled: false }).waitFor();
    await field.press('Control+Enter');
    await soon(() => viewer.api.bodies.filter(({ line }) => line.startsWith('PUT /api/memory')).length).toBe(1);
    await settled(viewer.page);
    expect(viewer.api.bodies.filter(({ line }) => line.startsWith('PUT /api/memory'))).toHaveLength(1);
  });

  test('of a dialog are pressed in it, and letters of its fields press nothing', async () => {
    await open('inbox/mail-invoice');
    await viewer.page.keyboard.press('b');
    const own = dialog().getByLabel('Another time');
    await own.fill('2027-03-01T09:00');
    await own.press('Control+Enter');
    await soon(() => viewer.api.world.mails.find(({ id }) => id === 'mail-invoice')?.state.snoozedUntil).toMatch(
      /^2027-0[23]-/,
    );
    await soon(() => dialog().count()).toBe(0);
    await viewer.page.keyboard.press('n');
    const label = dialog().getByLabel('Label');
    await label.pressSequentially('De#1');
    expect(await label.inputValue()).toBe('De#1');
    expect(await viewer.page.getByRole('dialog').count()).toBe(1);
  });

  test('of a group of choices press the next one', async () => {
    await open('todos');
    const pressed = () => viewer.page.getByRole('group', { name: 'Which tasks' }).locator('[aria-pressed=true]');
    const first = await pressed().textContent();
    await viewer.page.keyboard.press('V');
    await soon(() => pressed().textContent()).not.toBe(first);
  });

  test.each(PLACES)('are on the tooltip of every button of $at', async ({ at, shows }) => {
    viewer.api.world.approvals.push(
      makeApproval({ id: 'appr-old', status: 'denied', decidedBy: 'local', decidedAt: '2026-11-20T09:00:00.000Z' }),
    );
    await open(at);
    await viewer.page.locator(`main ${shows}`).first().waitFor();
    const without = await viewer.page
      .locator(`button:visible:not(${WITHOUT_KEY})`)
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => !/ \([^()]+\)/.test(button.getAttribute('title') ?? ''))
          .map((button) => button.outerHTML.slice(0, 160)),
      );
    expect(without).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { makeApproval, mailPreview, makeQuestion } from '../fake/approval-fixtures.ts';
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

  test('that are held down act once, but for those that move', async () => {
    viewer.api.world.approvals = ['1', '2', '3'].map((n) => makeApproval({ id: `approval-${n}` }));
    await open('approvals');
    await viewer.page.locator('.approval').first().waitFor();
    // A second `down` without an `up` is what a browser sends for a key that is held.
    for (const _time of ['pressed', 'held', 'held']) await viewer.page.keyboard.down('j');
    await viewer.page.keyboard.up('j');
    await soon(() => viewer.page.locator('.approval.current').getAttribute('id')).toBe('approval-approval-3');
    for (const _time of ['pressed', 'held', 'held']) await viewer.page.keyboard.down('y');
    await viewer.page.keyboard.up('y');
    await viewer.page.locator('#approval-approval-3').waitFor({ state: 'detached' });
    await settled(viewer.page);
    expect(await viewer.page.locator('.approval').count()).toBe(2);
  });

  test('of a form are pressed by Ctrl+Enter in a field of it, once', async () => {
    await open('memory');
    await viewer.page.locator('.memory').first().waitFor();
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
    await settled(viewer.page);
    await viewer.page.keyboard.press('b');
    const own = dialog().getByLabel('Another time');
    await own.fill('2027-03-01T09:00');
    await own.press('Control+Enter');
    await soon(() => viewer.api.world.mails.find(({ id }) => id === 'mail-invoice')?.state.snoozedUntil).toMatch(
      /^2027-0[23]-/,
    );
    await soon(() => dialog().count()).toBe(0);
    // The list is loaded again, and a key that is pressed meanwhile acts on no mail.
    await settled(viewer.page);
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

  test('of a form are pressed by Ctrl+Enter only in a field of it, and never in place of a disabled one', async () => {
    viewer.api.world.approvals = [makeQuestion(), makeQuestion({ id: 'question-2' })];
    await open('approvals');
    const fields = viewer.page.getByLabel('Or in your own words');
    await fields.first().fill('Wednesday, if');
    await fields.nth(1).press('Control+Enter');
    await settled(viewer.page);
    expect(viewer.api.bodies).toEqual([]);
    expect(await fields.first().inputValue()).toBe('Wednesday, if');

    await open('memory');
    await viewer.page.locator('.memory-text').first().waitFor();
    await viewer.page.keyboard.press('j');
    await viewer.page.locator('.memory-form textarea').fill('Ada prefers');
    await viewer.page.locator('.memory-form').getByRole('button', { name: 'Save', disabled: false }).waitFor();
    await viewer.page.getByLabel('Search memories').press('Control+Enter');
    await settled(viewer.page);
    expect(viewer.api.bodies).toEqual([]);
  });

  test('of several turns and directors act on the one that has the focus', async () => {
    const running = ['a_jane', 'a_max'].map((participantId, i) => ({
      participantId,
      runId: `run-${i}`,
      status: 'running',
    }));
    viewer.api.world.chat.chats = viewer.api.world.chat.chats.map((chat) =>
      chat.id === 'c_review' ? { ...chat, round: { id: 'round-1', number: 1, participants: running as never } } : chat,
    );
    await open('chats/c_review');
    await viewer.page.getByRole('button', { name: 'Cancel the turn of Max' }).press('X');
    await soon(() => viewer.api.bodies.filter(({ line }) => line.includes('/cancel')).map(({ body }) => body)).toEqual([
      { participantId: 'a_max' },
    ]);

    const directors = ['first', 'second'].map((directorId) => ({ directorId, filterId: 'clients' }));
    viewer.api.world.trial = { ...viewer.api.world.trial, directors };
    await open('inbox/mail-news');
    await viewer.page.getByRole('button', { name: 'Run second' }).waitFor();
    await viewer.page.keyboard.press('R');
    await viewer.page.getByRole('button', { name: 'Run second' }).press('R');
    const started = () => viewer.api.bodies.filter(({ line }) => line === 'POST /api/runs').map(({ body }) => body);
    await soon(started).toMatchObject([{ directorId: 'second' }]);
  });

  test('of the choices in a participant change that participant while it has the focus', async () => {
    await open('chats/new');
    await viewer.page.getByLabel('Preset').selectOption('design-review');
    const cards = viewer.page.locator('.participant-card');
    for (const i of [0, 1]) await cards.nth(i).locator('summary').click();
    const kinds = () => cards.locator('[aria-pressed=true]').allTextContents();
    const [first, second] = await kinds();
    await cards.nth(1).locator('summary').press('K');
    await soon(async () => (await kinds())[1]).not.toBe(second);
    expect((await kinds())[0]).toBe(first);
  });

  test('of the choices in an approval change that approval while it has the focus', async () => {
    const preview = mailPreview({ html: '<p>Dear Mr Feld</p>' });
    viewer.api.world.approvals = [makeApproval({ id: 'other', preview }), makeApproval({ preview })];
    await open('approvals');
    const own = viewer.page.locator('#approval-approval-1');
    const bodies = () =>
      viewer.page.getByRole('group', { name: 'Body of the e-mail' }).locator('[aria-pressed=true]').allTextContents();
    await soon(async () => (await bodies()).length).toBe(2);
    const [ofOther, ofOwn] = await bodies();
    await own.getByRole('button', { name: 'Deny' }).press('H');
    await soon(async () => (await bodies())[1]).not.toBe(ofOwn);
    expect((await bodies())[0]).toBe(ofOther);

    await own.getByRole('button', { name: 'Edit' }).click();
    await own.getByRole('button', { name: 'Form', exact: true }).press('V');
    await own.getByRole('textbox', { name: 'Arguments' }).waitFor();
    expect(viewer.page.url()).toMatch(/#\/approvals$/);
  });

  test('of what costs or drops something work only while the focus is beside it', async () => {
    await open('chats/c_review');
    const speak = viewer.page.getByRole('button', { name: 'Jane Doe speaks next' });
    await speak.waitFor();
    await viewer.page.keyboard.press('1');
    await settled(viewer.page);
    expect(viewer.api.bodies).toEqual([]);
    await viewer.page.getByRole('button', { name: 'Max speaks next' }).press('1');
    await viewer.page.locator('.speaking', { hasText: 'Jane Doe' }).waitFor();

    await open('chats/new');
    const title = viewer.page.getByLabel('Title');
    await title.fill('Review');
    await title.blur();
    await viewer.page.keyboard.press('Q');
    await settled(viewer.page);
    expect(await title.inputValue()).toBe('Review');
    await viewer.page.getByRole('button', { name: 'Create chat' }).press('Q');
    await title.waitFor({ state: 'detached' });
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

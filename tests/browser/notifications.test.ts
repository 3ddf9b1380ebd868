import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon } from './soon.ts';
import { describeLongViewer } from './viewer.ts';

/** Replaces the browser's notifications: records what is shown, and pretends that the page has no focus. */
function record(page: Page, permission: NotificationPermission): Promise<unknown> {
  return page.addInitScript((given) => {
    const shown: { title: string; body?: string | undefined; tag?: string | undefined }[] = [];
    class Recorded {
      static permission = given;
      static requestPermission = () => Promise.resolve((Recorded.permission = 'granted'));
      constructor(title: string, { body, tag }: NotificationOptions = {}) {
        shown.push({ title, body, tag });
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Recorded, shown });
    document.hasFocus = () => false;
  }, permission);
}
const shownIn = (page: Page) => page.evaluate(() => Reflect.get(globalThis, 'shown') as { title: string }[]);

describeLongViewer('notifications in the viewer', (viewer) => {
  const rows = () => viewer.page.locator('.notifications li');
  const badge = () => viewer.page.locator('.badge.notifications').textContent();
  const add = (id: string, title: string) => {
    const [first] = viewer.api.world.notifications;
    const at = new Date(Date.now() + Number(id)).toISOString();
    viewer.api.world.notifications.unshift({
      ...first!,
      id: `ntf_new${id}`,
      title,
      text: 'Proofs',
      status: 'unread',
      at,
    });
    viewer.api.emit('notification', { id: `ntf_new${id}`, kind: 'message' });
  };

  test('are listed newest first with links, and counted in the tab until they are read', async () => {
    await viewer.open('notifications');
    await soon(() => rows().allTextContents()).toHaveLength(3);
    expect((await rows().allTextContents())[0]).toContain('Client manager asks to call mail_send');
    expect(await badge()).toBe('2');
    await viewer.page.getByRole('button', { name: /^Mark as read: Late reminder/ }).click();
    await soon(badge).toBe('1');
    await viewer.page.getByRole('button', { name: 'Mark all as read' }).click();
    await soon(() => viewer.page.locator('.badge.notifications').count()).toBe(0);
    await viewer.page.getByRole('link', { name: 'Open e-mail' }).first().click();
    await soon(() => viewer.page.url()).toContain('#/inbox/mail-failed/run-failed');
  });

  test('a new one appears without a reload', async () => {
    await viewer.open('notifications');
    await soon(() => rows().count()).toBe(3);
    add('1', 'The proofs are here');
    await soon(() => rows().first().textContent()).toContain('The proofs are here');
    expect(await badge()).toBe('3');
  });

  test('are shown by the browser only after a click and the permission, and not those that were there before', async () => {
    await record(viewer.page, 'default');
    await viewer.open('notifications');
    await soon(() => rows().count()).toBe(3);
    add('1', 'Before the click');
    await soon(() => rows().count()).toBe(4);
    expect(await shownIn(viewer.page)).toEqual([]);
    await viewer.page.getByRole('button', { name: 'Show on this computer' }).click();
    await viewer.page.getByText('shown on this computer').waitFor();
    add('2', 'After the click');
    await soon(() => shownIn(viewer.page)).toEqual([{ title: 'After the click', body: 'Proofs', tag: 'ntf_new2' }]);
  });

  test('that come together are one notification of the browser', async () => {
    await record(viewer.page, 'granted');
    await viewer.open('inbox');
    await soon(badge).toBe('2');
    add('1', 'One');
    await soon(() => shownIn(viewer.page)).toHaveLength(1);
    add('2', 'Two');
    await soon(badge).toBe('4');
    add('3', 'Three');
    await soon(() => shownIn(viewer.page)).toHaveLength(2);
    expect((await shownIn(viewer.page))[1]).toMatchObject({ title: '2 notifications', body: 'Three\nTwo' });
  });

  test('reach a hidden tab where the browser may show them', async () => {
    await record(viewer.page, 'granted');
    await viewer.open('inbox');
    await soon(badge).toBe('2');
    await viewer.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    add('1', 'While hidden');
    await soon(() => shownIn(viewer.page)).toMatchObject([{ title: 'While hidden' }]);
  });

  test('an open reminder can be cancelled after a confirmation', async () => {
    await viewer.open('notifications');
    await viewer.page.getByRole('button', { name: /^Cancel the reminder Send the invoice/ }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await soon(() => viewer.api.world.reminders).toEqual([]);
    await soon(() => viewer.page.getByText('Send the invoice again').count()).toBe(0);
  });
});

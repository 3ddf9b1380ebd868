import { expect, test } from 'vitest';
import { soon } from './soon.ts';
import { settled } from './settled.ts';
import { describeLongViewer } from './viewer.ts';

describeLongViewer('to-dos and events in the viewer', (viewer) => {
  const { open } = viewer;
  const box = (name: string) => viewer.page.getByRole('checkbox', { name });

  test('a to-do can be marked as done and as open again', async () => {
    await open('todos');
    await box('Answer Ada Ray').check();
    await soon(() => viewer.page.locator('.todos .done').count()).toBe(2);
    expect(viewer.api.bodies.at(-1)).toEqual({ line: 'PUT /api/todos/todo-1', body: { status: 'done' } });
    await box('Order cables').uncheck();
    await soon(() => viewer.page.locator('.todos').first().textContent()).toContain('Order cables');
    await soon(() => viewer.api.world.todos.map(({ status }) => status)).toEqual(['done', 'open']);
  });

  test('the space key marks one to-do after the other as done', async () => {
    const [first] = viewer.api.world.todos;
    viewer.api.world.todos = ['First', 'Second', 'Third'].map((title, i) => ({ ...first!, id: `todo-${i}`, title }));
    await open('todos');
    await box('First').focus();
    for (const title of ['Second', 'Third']) {
      await viewer.page.keyboard.press('Space');
      await soon(() => box(title).evaluate((input) => input === document.activeElement)).toBe(true);
    }
    expect(viewer.api.world.todos.map(({ status }) => status)).toEqual(['done', 'done', 'open']);
  });

  test('a to-do is deleted only after a confirmation', async () => {
    await open('todos');
    await viewer.page.getByRole('button', { name: 'Delete Order cables' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(viewer.api.world.todos).toHaveLength(2);
    await viewer.page.getByRole('button', { name: 'Delete Order cables' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await soon(() => viewer.page.locator('.todos li').count()).toBe(1);
    expect(viewer.api.world.todos.map(({ id }) => id)).toEqual(['todo-1']);
  });

  test('a to-do done in another tab is shown as done', async () => {
    await open('todos');
    await box('Answer Ada Ray').waitFor();
    viewer.api.world.todos = viewer.api.world.todos.map((todo) => ({ ...todo, status: 'done' }));
    viewer.api.emit('todo', { id: 'todo-1', status: 'done' });
    await soon(() => box('Answer Ada Ray').isChecked()).toBe(true);
  });

  test('an open to-do stays visible above many done ones', async () => {
    const [first] = viewer.api.world.todos;
    const done = Array.from({ length: 150 }, (_, i) => ({
      ...{ ...first!, id: `done-${i}`, title: `Done ${i}` },
      status: 'done' as const,
    }));
    viewer.api.world.todos = [...done, { ...first!, id: 'old', title: 'Old and open' }];
    await open('todos');
    await box('Old and open').waitFor();
    await viewer.page.getByRole('button', { name: 'Load more' }).click();
    await box('Done 149').waitFor();
    expect(await viewer.page.locator('.todos').first().locator('li').count()).toBe(1);
  });

  test('a tick that the server refuses is undone with a message', async () => {
    await open('todos');
    await box('Answer Ada Ray').waitFor();
    viewer.api.world.todos = viewer.api.world.todos.slice(1);
    await box('Answer Ada Ray').click();
    await viewer.page.getByText('no such to-do').waitFor();
    expect(await box('Answer Ada Ray').isChecked()).toBe(false);
  });

  test('a list of several pages keeps its length when a to-do changes', async () => {
    const [first] = viewer.api.world.todos;
    viewer.api.world.todos = Array.from({ length: 150 }, (_, i) => ({
      ...first!,
      id: `todo-${i}`,
      title: `To-do ${i}`,
    }));
    await open('todos');
    await viewer.page.getByRole('button', { name: 'Load more' }).click();
    await box('To-do 149').waitFor();
    viewer.api.world.todos = viewer.api.world.todos.map((todo) => ({ ...todo, notes: 'Changed' }));
    viewer.api.emit('todo', { id: 'todo-149', status: 'open' });
    await soon(() => viewer.page.locator('.todos li', { hasText: 'Changed' }).count()).toBe(150);
  });

  test('a to-do links to its mail, and says that a reply closed it', async () => {
    const [first] = viewer.api.world.todos;
    viewer.api.world.todos = [{ ...first!, status: 'done', closedBy: 'reply', emailId: 'mail-invoice' }];
    await open('todos');
    await viewer.page.getByText('closed by a reply').waitFor();
    await viewer.page.getByRole('link', { name: 'Open e-mail' }).click();
    await viewer.page.getByRole('heading', { name: 'Invoice 4411' }).waitFor();
  });

  test('g t opens the to-dos, and an empty list explains itself', async () => {
    viewer.api.world.todos = [];
    await open('inbox');
    await viewer.page.keyboard.press('g');
    await viewer.page.keyboard.press('t');
    await viewer.page.getByText('No open to-dos.').waitFor();
  });

  test('an invitation in a mail is shown above the text of the mail', async () => {
    await open('inbox/mail-invoice');
    await viewer.page
      .locator('.original .calendar-event')
      .getByRole('heading', { name: 'Call with <b>Ada</b>' })
      .waitFor();
  });

  test('of many invitations in one mail only a few are shown, but all can be downloaded', async () => {
    const [mail] = viewer.api.world.mails;
    const file = mail!.attachments.find(({ mimeType }) => mimeType === 'text/calendar')!;
    const attachments = Array.from({ length: 40 }, (_, index) => ({ ...file, index }));
    viewer.api.world.mails = [{ ...mail!, attachments }];
    await open('inbox/mail-invoice');
    await viewer.page.locator('.original .calendar-event').first().waitFor();
    await settled(viewer.page);
    expect(viewer.api.requests.filter((line) => line.endsWith('/events'))).toHaveLength(3);
    expect(await viewer.page.locator('.original .file').count()).toBe(40);
  });

  test('a calendar file is shown as its events, in plain text', async () => {
    await open('inbox/mail-invoice/run-invoice/item-ics');
    const card = viewer.page.locator('.calendar-event').first();
    await card.getByRole('heading', { name: 'Call with <b>Ada</b>' }).waitFor();
    await soon(() => card.textContent()).toMatch(/repeats.*2026.*–.*Room 5.*Bring:\n- the proofs/s);
    const fair = await viewer.page.locator('.calendar-event').nth(1).textContent();
    expect(fair).toMatch(/cancelled.*25.*–.*26.*2026/s);
    await viewer.page.goto(`${viewer.api.url}/#/inbox/mail-invoice`);
    await viewer.page.locator('.card', { hasText: 'Meeting' }).getByText('Call, with Ada').waitFor();
    await viewer.page.goBack();
    await viewer.page.getByRole('button', { name: 'Source' }).click();
    await soon(() => viewer.page.locator('pre.source').textContent()).toContain('BEGIN:VCALENDAR');
  });
});

import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeViewer } from '../viewer.ts';

describeViewer('an answer that arrives', (viewer) => {
  const thread = 'thread-run-invoice';
  const piece = (at: number, text: string, more: { turn?: number; done?: true } = {}) =>
    viewer.api.emit('answer', { runId: 'run-invoice', threadId: thread, turn: 2, at, text, ...more });
  const live = () => viewer.page.locator('.transcript .arriving');
  const last = () => viewer.page.locator('.transcript > li.assistant').last();

  test('grows in the pane of its run, and its message takes its place', async () => {
    await viewer.open('runs/run-invoice');
    piece(0, 'Tea <b>is');
    await soon(() => live().textContent()).toContain('Tea <b>is');
    piece(9, '</b> hot\u202e');
    await soon(() => live().textContent()).toContain('Tea <b>is</b> hot');
    const { threads } = viewer.api.world;
    const before = threads.get(thread);
    if (before === undefined) throw new Error('no thread');
    threads.set(thread, {
      ...before,
      messages: [...(before.messages ?? []), { role: 'assistant', content: 'Tea is hot, stored.' }],
    });
    piece(18, '', { done: true });
    await soon(() => last().textContent()).toContain('stored');
    expect(await live().count()).toBe(0);
    expect(await viewer.page.getByText('</b> hot').count()).toBe(0);
  });

  test('begins anew when its request is repeated, and goes when nothing comes of it', async () => {
    await viewer.open('runs/run-invoice');
    piece(0, 'Wrong');
    await soon(() => live().textContent()).toContain('Wrong');
    piece(0, 'Right');
    await soon(() => live().textContent()).toContain('Right');
    expect(await live().textContent()).not.toContain('Wrong');
    piece(0, '', { done: true });
    await live().waitFor({ state: 'detached' });
  });

  test('of another thread, or without its beginning, is not shown', async () => {
    await viewer.open('runs/run-invoice');
    viewer.api.emit('answer', { runId: 'run-x', threadId: 'thread-x', turn: 1, at: 0, text: 'Other' });
    piece(40, 'late end');
    piece(0, 'Own', { turn: 3 });
    await soon(() => live().textContent()).toContain('Own');
    expect(await viewer.page.getByText(/Other|late end/).count()).toBe(0);
  });
});

import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the changes of a roaming turn', (viewer) => {
  const card = () => viewer.page.getByRole('region', { name: 'Changes of files' });
  const open = async () => {
    await viewer.open('chats/c_review');
    await card().getByText('1 file changed').waitFor();
  };

  test('stand below its message as files and a diff', async () => {
    await open();
    await card().getByText('src/charge.ts', { exact: true }).waitFor();
    expect(await card().locator('.diff .added').textContent()).toContain('key: order.id');
    await card().getByText('not applied').waitFor();
  });

  test.each([
    ['Apply', 'apply', 'applied'],
    ['Keep as branch', 'branch', 'kept as a branch'],
  ])('%s is sent as %s, once', async (button, decision, label) => {
    await open();
    await card().getByRole('button', { name: button }).click();
    await card().getByText(label, { exact: true }).waitFor();
    expect(viewer.api.bodies).toEqual([{ line: 'POST /api/chats/c_review/changes/ch_1', body: { decision } }]);
    expect(await card().getByRole('button').count()).toBe(0);
    expect(await card().getByText('callsheet/max-1').count()).toBe(decision === 'branch' ? 1 : 0);
  });

  test('are dropped after a question', async () => {
    await open();
    await card().getByRole('button', { name: 'Drop' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(viewer.api.bodies).toEqual([]);
    await card().getByRole('button', { name: 'Drop' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click();
    await card().getByText('dropped', { exact: true }).waitFor();
  });

  test('that were decided elsewhere say so', async () => {
    await open();
    const { chat } = viewer.api.world;
    chat.changes = chat.changes.map((one) => ({ ...one, status: 'applied' }));
    await card().getByRole('button', { name: 'Apply' }).click();
    await soon(() => card().getByRole('alert').textContent()).toContain('decided already');
    viewer.api.emit('chat', { id: 'c_review', change: 'updated' });
    await card().getByText('applied', { exact: true }).waitFor();
    expect(await card().getByRole('button').count()).toBe(0);
  });

  test('can be no branch where the folder is no repository', async () => {
    const { chat } = viewer.api.world;
    chat.changes = chat.changes.map((one) => ({ ...one, decisions: ['apply', 'drop'] }));
    await open();
    await card().getByRole('button', { name: 'Apply' }).waitFor();
    expect(await card().getByRole('button', { name: 'Keep as branch' }).count()).toBe(0);
  });
});

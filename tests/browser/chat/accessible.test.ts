import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

describeLongViewer('the rules of axe-core on chats', (viewer) => {
  const expectNone = async (theme: string) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await viewer.page.evaluate((name) => (document.documentElement.dataset['theme'] = String(name)), theme);
    const found = await viewer.page.evaluate<AxeResults>(`${axe}; axe.run(document, { iframes: false })`);
    expect(found.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  };

  test.each(['light', 'dark'])(
    'hold in %s for messages, turns, the list of mentions and a participant',
    async (theme) => {
      const { chat } = viewer.api.world;
      chat.chats = chat.chats.map((one) => ({
        ...one,
        round: {
          ...{ id: 'round-1', number: 1 },
          participants: [
            { participantId: 'a_jane', runId: 'run-1', status: 'running' },
            { participantId: 'a_max', runId: 'run-urgent', status: 'waiting' },
            { participantId: 'a_res', status: 'failed' },
          ],
        },
      }));
      await viewer.open('chats/c_review');
      await viewer.page.locator('.speaking').nth(2).waitFor();
      viewer.api.emit('answer', { runId: 'run-1', threadId: 'thread-1', turn: 1, at: 0, text: '| a |\n|---|\n| b |' });
      await viewer.page.locator('.speaking table').waitFor();
      await expectNone(theme);
      await viewer.page.getByRole('textbox', { name: 'Message' }).focus();
      await viewer.page.keyboard.type('@');
      await viewer.page.getByRole('option').first().waitFor();
      await expectNone(theme);
      await viewer.page.locator('.roster button').nth(1).click();
      await viewer.page.getByRole('dialog').waitFor();
      await expectNone(theme);
    },
  );

  test.each(['light', 'dark'])('hold in %s for both forms, and their errors', async (theme) => {
    await viewer.open('chats/new');
    await viewer.page.getByLabel('Preset').selectOption('design-review');
    await viewer.page.getByRole('button', { name: 'Add participant' }).click();
    await viewer.page.getByRole('button', { name: 'Create chat' }).click();
    await soon(() => viewer.page.getByRole('alert').count()).toBeGreaterThan(1);
    await expectNone(theme);
    await viewer.open('chats/c_review/edit');
    await viewer.page.locator('.participant-card summary').nth(1).click();
    await expectNone(theme);
  });

  test.each(['#ffffff', '#000000', '#ffff00', '#0000ff', '#808080'])(
    'hold with the colour %s in both themes',
    async (colorHex) => {
      const { chat } = viewer.api.world;
      chat.chats = chat.chats.map((one) => ({
        ...one,
        participants: one.participants.map((each) => ({ ...each, colorHex })),
      }));
      await viewer.open('chats/c_review');
      await viewer.page.locator('.bubble').nth(4).waitFor();
      await expectNone('light');
      await expectNone('dark');
    },
  );
});

import { expect, test } from 'vitest';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('proposals on the page Memory', (viewer) => {
  test('a proposal is accepted with the time that was shown, by its key and after a question', async () => {
    await viewer.open('memory');
    const proposal = viewer.page.getByRole('region', { name: 'Proposals' });
    await proposal.getByRole('button', { name: 'Accept' }).waitFor();
    await viewer.page.keyboard.press('A');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await viewer.page.getByText('Changed: config/agents/writer.yaml').waitFor();
    await proposal.waitFor({ state: 'detached' });
  });

  test('a proposal shows its difference, and is rejected after a question', async () => {
    await viewer.open('memory');
    const proposal = viewer.page.getByRole('region', { name: 'Proposals' });
    await proposal.getByText('+Write short mails.').waitFor();
    await proposal.getByRole('button', { name: 'Reject' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await proposal.waitFor({ state: 'detached' });
    expect(viewer.api.requests).toContain('DELETE /api/learn/proposals/run_learn');
  });
});

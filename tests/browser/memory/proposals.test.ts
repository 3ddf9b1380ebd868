import { expect, test } from 'vitest';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('proposals on the page Memory', (viewer) => {
  test('a proposal shows its difference and the command that accepts it, and is rejected after a question', async () => {
    await viewer.open('memory');
    const proposal = viewer.page.getByRole('region', { name: 'Proposals' });
    await proposal.getByText('callsheet learn --apply run_learn').waitFor();
    await proposal.getByText('+Write short mails.').waitFor();
    await proposal.getByRole('button', { name: 'Reject' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await proposal.waitFor({ state: 'detached' });
    expect(viewer.api.requests).toContain('DELETE /api/learn/proposals/run_learn');
  });
});

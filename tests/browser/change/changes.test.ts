import { expect, test } from 'vitest';
import { COMPARISON } from './change-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the page Changes', (viewer) => {
  const bodies = () => {
    const seen: unknown[] = [];
    viewer.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/changes')) seen.push(request.postDataJSON());
    });
    return seen;
  };

  test('opens by its key, and shows the summary first, the warning, and what changed', async () => {
    await viewer.open('inbox');
    await viewer.page.keyboard.press('g');
    await viewer.page.keyboard.press('e');
    await viewer.page.waitForURL('**/#/changes');
    const comparison = viewer.page.getByRole('region', { name: 'Comparison' });
    await comparison.getByText('1 of 50 mails is routed differently.').waitFor();
    expect(await comparison.getByRole('alert').textContent()).toMatch(
      /permits more than before.*mail_send of agent responder runs without asking now/s,
    );
    const rows = (await comparison.locator('tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(rows).toEqual([
      expect.stringContaining('went to client-manager, now to client-manager, bookkeeper'),
      expect.stringContaining('permissions: permits more mail_send of agent responder no longer asks a person'),
    ]);
  });

  test('starts a comparison with a branch, follows it, and cancels it', async () => {
    const sent = bodies();
    const running = {
      job: { ...COMPARISON.job, status: 'running', progress: { tier: 'recorded', done: 7, total: 41 } },
    };
    let now: object = { job: null };
    await viewer.page.route('**/api/changes', (route) => {
      if (route.request().method() === 'POST') now = running;
      return route.fulfill({ json: now });
    });
    await viewer.page.route('**/api/changes/cancel', (route) => {
      now = { ...COMPARISON, job: { ...COMPARISON.job, status: 'cancelled' } };
      return route.fulfill({ status: 204 });
    });
    await viewer.open('changes');
    await viewer.page.getByText('Nothing compared yet.').waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
    await viewer.page.getByRole('combobox', { name: 'Branch, tag or commit' }).fill('warmer-replies');
    await viewer.page.getByRole('button', { name: '200' }).click();
    await viewer.page.getByRole('button', { name: 'Compare' }).click();
    await viewer.page.getByText('recorded: 7 of 41').waitFor();
    expect(sent).toEqual([{ ref: 'warmer-replies', limit: 200 }]);
    await viewer.page.getByRole('button', { name: 'Cancel' }).click();
    await viewer.page.getByText(/Cancelled, started/).waitFor();
  });

  test('compares the unsaved edits of forms', async () => {
    const sent = bodies();
    await viewer.open(`config/${encodeURIComponent('config/directors/client-manager.yaml')}`);
    await viewer.page.getByLabel('Text of message 1', { exact: true }).fill('Be warm.');
    await viewer.page.getByText('Not saved yet.').waitFor();
    await viewer.page.getByRole('link', { name: 'Changes' }).click();
    await viewer.page.getByText('director client-manager').waitFor();
    await viewer.page.getByRole('button', { name: 'Compare' }).click();
    await soon(() => sent.length).toBe(1);
    expect(JSON.stringify(sent)).toContain('Be warm.');
    expect(sent).toMatchObject([{ edits: [{ kind: 'director', id: 'client-manager' }], limit: 50 }]);
  });

  test('opens one run with both sides next to each other', async () => {
    await viewer.open('changes');
    await viewer.page
      .getByRole('region', { name: 'Comparison' })
      .getByRole('row', { name: /run of client-manager/ })
      .getByRole('link')
      .click();
    await viewer.page.waitForURL('**/#/changes/run-invoice');
    const facts = viewer.page.locator('.compare-facts tr.differs');
    await facts.first().waitFor();
    expect((await facts.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      ...['Turns 3 4', 'Cost $0.0041 $0.0052', 'Approvals mail_send –'],
    ]);
    await viewer.page.getByText('Show the texts').click();
    expect(await viewer.page.locator('del').textContent()).toBe('We have sent the cable back.');
    expect(await viewer.page.locator('ins').textContent()).toBe('The cable is on its way to you.');
    const [before, after] = await viewer.page.locator('.played-calls').allInnerTexts();
    expect([before?.includes('asks a person'), after?.includes('asks a person')]).toEqual([true, false]);
    await viewer.page.keyboard.press('u');
    await viewer.page.waitForURL('**/#/changes');
  });

  test('shows what the running shadow has found', async () => {
    await viewer.open('changes');
    const shadow = viewer.page.getByRole('region', { name: 'Shadow' });
    await shadow.getByText(/10 % of new mail since .* 12 mails/s).waitFor();
    await shadow.getByText('Show the texts').click();
    expect(await shadow.locator('ins').textContent()).toBe('The cable is on its way to you.');
  });
});

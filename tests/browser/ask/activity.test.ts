import { expect, test } from 'vitest';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the activity of an agent', (viewer) => {
  test('lists its calls with what decided, and leads to their runs', async () => {
    await viewer.open('ask/agent/research-assistant');
    await viewer.page.getByRole('link', { name: 'Activity' }).click();
    const calls = viewer.page.locator('.activity .call');
    await soon(() => calls.count()).toBe(2);
    expect(viewer.api.requests).toContain('GET /api/audit?limit=50&agentId=research-assistant');
    expect(await calls.first().innerText()).toMatch(/mail_send\s+ray@example\.org\s+refused/);
    await calls.first().locator('summary').click();
    await calls.first().getByText('a person denied this call').waitFor();
    await calls.first().getByRole('link', { name: 'Open run' }).click();
    await viewer.page.waitForURL('**/#/runs/run-invoice');
    await viewer.page.goBack();
    await soon(() => calls.count()).toBe(2);
    await viewer.page.keyboard.press('u');
    await viewer.page.waitForURL('**/#/ask/agent/research-assistant');
  });

  test('says so where there is none', async () => {
    await viewer.open('ask/director/client-manager/activity');
    await viewer.page.getByText('No tool call yet.').waitFor();
  });
});

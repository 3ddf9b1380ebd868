import { expect, test } from 'vitest';
import { describeViewer } from './viewer.ts';

const CONNECT = '/api/oauth2/google/initiate?accountId=support';
const MESSAGE = 'account support: nobody has signed in yet';

describeViewer('accounts in the viewer', (viewer) => {
  const open = async () => {
    await viewer.open('config');
    await viewer.page.getByText('No problems.').waitFor();
  };
  const base = { accountId: 'support', provider: 'gmail', email: 'jane@example.org', connect: CONNECT } as const;

  test('an account that nobody signed in to says so, with the link that begins it', async () => {
    const problem = { code: 'ACCOUNT_NOT_CONNECTED', message: MESSAGE };
    viewer.api.world.connections = [{ ...base, state: 'not_connected', problem }];
    await open();
    await viewer.page.getByText('not signed in', { exact: true }).waitFor();
    await viewer.page.getByText(MESSAGE).waitFor();
    const link = viewer.page.getByRole('link', { name: 'Connect support' });
    expect(await link.getAttribute('href')).toBe(CONNECT);
    expect(await link.getAttribute('target')).toBe('_blank');
  });

  test('once somebody has signed in elsewhere, the page knows', async () => {
    viewer.api.world.connections = [{ ...base, state: 'grant_lost' }];
    await open();
    await viewer.page.getByText('sign-in no longer valid').waitFor();
    viewer.api.world.connections = [{ ...base, state: 'connected' }];
    viewer.api.emit('fetcher', { state: 'running' });
    await viewer.page.getByText('connected', { exact: true }).waitFor();
    expect(await viewer.page.getByRole('link', { name: 'Reconnect support' }).count()).toBe(1);
  });

  test('a client that is not set up offers no link, but says what is missing', async () => {
    const hint = 'Set that environment variable, for example in .env, and start anew.';
    const problem = { code: 'ACCOUNT_FAILED', message: 'account support: there is no value', hint };
    viewer.api.world.connections = [{ ...base, state: 'client_missing', problem }];
    await open();
    await viewer.page.getByText(hint).waitFor();
    expect(await viewer.page.locator('.connections a').count()).toBe(0);
  });

  test('an account that nobody signs in to is listed without a link', async () => {
    await open();
    await viewer.page.getByText('needs no sign-in').waitFor();
    expect(await viewer.page.locator('.connections a').count()).toBe(0);
  });

  test('an account is tested, and what is wrong is said with what to do', async () => {
    await open();
    const button = viewer.page.getByRole('button', { name: 'Test support' });
    await button.click();
    await viewer.page.getByText('The account works.').waitFor();
    const problem = { code: 'ACCOUNT_FAILED', message: 'account support: nobody answers', hint: 'Look at the cable.' };
    viewer.api.world.probe = { ok: false, error: 'network', problem };
    await button.click();
    await viewer.page.getByRole('alert').getByText(problem.message).waitFor();
    await viewer.page.getByText(problem.hint).waitFor();
    expect(await viewer.page.getByText('The account works.').count()).toBe(0);
  });

  test('a test that finds the sign-in lost shows the state that the account has now', async () => {
    viewer.api.world.connections = [{ ...base, state: 'connected' }];
    await open();
    await viewer.page.getByText('connected', { exact: true }).waitFor();
    viewer.api.world.connections = [{ ...base, state: 'grant_lost' }];
    await viewer.page.getByRole('button', { name: 'Test support' }).click();
    await viewer.page.getByText('sign-in no longer valid').waitFor();
  });
});

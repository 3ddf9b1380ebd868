import { expect, test } from 'vitest';
import { soon } from './soon.ts';
import { describeLongViewer } from './viewer.ts';

const CONNECT = '/api/oauth2/google/initiate?accountId=support';
const MESSAGE = 'account support: nobody has signed in yet';

describeLongViewer('accounts in the viewer', (viewer) => {
  const open = async () => {
    await viewer.open('accounts');
    await viewer.page.locator('.account-card').first().waitFor();
  };
  const base = { accountId: 'support', provider: 'gmail', email: 'jane@example.org', connect: CONNECT } as const;

  test('an account without a sign-in shows its state and a link to sign in', async () => {
    const problem = { code: 'ACCOUNT_NOT_CONNECTED', message: MESSAGE };
    viewer.api.world.connections = [{ ...base, state: 'not_connected', problem }];
    await open();
    await viewer.page.getByText('not signed in', { exact: true }).waitFor();
    await viewer.page.getByText(MESSAGE).waitFor();
    const link = viewer.page.getByRole('link', { name: 'Connect support' });
    expect(await link.getAttribute('href')).toBe(CONNECT);
    expect(await link.getAttribute('target')).toBe('_blank');
  });

  test('a sign-in in another tab changes the state shown', async () => {
    viewer.api.world.connections = [{ ...base, state: 'grant_lost' }];
    await open();
    await viewer.page.getByText('sign-in no longer valid').waitFor();
    viewer.api.world.connections = [{ ...base, state: 'connected' }];
    viewer.api.emit('fetcher', { state: 'running' });
    await viewer.page.getByText('connected', { exact: true }).waitFor();
    expect(await viewer.page.getByRole('link', { name: 'Reconnect support' }).count()).toBe(1);
  });

  test('without an OAuth client there is no link, but a hint about what is missing', async () => {
    const hint = 'Set this environment variable, for example in .env, and restart.';
    const problem = { code: 'ACCOUNT_FAILED', message: 'account support: there is no value', hint };
    viewer.api.world.connections = [{ ...base, state: 'client_missing', problem }];
    await open();
    await viewer.page.getByText(hint).waitFor();
    expect(await viewer.page.locator('.account-card a[target]').count()).toBe(0);
  });

  test('an account that needs no sign-in is listed without a link', async () => {
    await open();
    await viewer.page.getByText('needs no sign-in').waitFor();
    expect(await viewer.page.locator('.account-card a[target]').count()).toBe(0);
  });

  test('a test of an account shows the error and its hint', async () => {
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

  test('a test that finds the sign-in revoked updates the state of the account', async () => {
    viewer.api.world.connections = [{ ...base, state: 'connected' }];
    await open();
    await viewer.page.getByText('connected', { exact: true }).waitFor();
    viewer.api.world.connections = [{ ...base, state: 'grant_lost' }];
    await viewer.page.getByRole('button', { name: 'Test support' }).click();
    await viewer.page.getByText('sign-in no longer valid').waitFor();
  });

  test('a page that waits for an encryption also waits for an answer that takes longer than the time between two', async () => {
    const state = { storage: 'plaintext', envFile: '/srv/desk/.env', obstacle: null, isUnderWay: true, failure: null };
    const slow = Promise.withResolvers<void>();
    let isLoaded = false;
    let asked = 0;
    await viewer.page.route('**/api/encryption', async (route) => {
      if (!isLoaded) return route.fulfill({ json: state });
      asked++;
      // Only the first question that follows is ever answered.
      if (asked > 1) return;
      await slow.promise;
      await route.fulfill({ json: { ...state, storage: 'encrypted', isUnderWay: false } }).catch(() => {});
    });
    // Before the page, whose timers are then those of this clock.
    await viewer.page.clock.install();
    await open();
    await viewer.page.getByText('The server encrypts the stored data').waitFor();
    await viewer.stopClock();
    isLoaded = true;
    await soon(async () => {
      await viewer.page.clock.runFor(1000);
      return asked;
    }).toBe(1);
    await viewer.page.clock.runFor(5000);
    slow.resolve();
    await viewer.page.getByText('Encrypted.').waitFor();
  });
});

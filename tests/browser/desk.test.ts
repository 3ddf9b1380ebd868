import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { soon } from './soon.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from './chromium.ts';
import { addRun, makeItem } from './fixtures.ts';
import { type FakeApi, startFakeApi } from './fake-api.ts';

describe.skipIf(chromiumPath === undefined)(`approvals, config and the live link${leftOut}`, () => {
  let browser: Browser;
  let api: FakeApi;
  let page: Page;
  beforeAll(async () => {
    api = await startFakeApi();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });
  beforeEach(async () => {
    api.reset();
    page = await browser.context.newPage();
  });
  afterEach(() => page.close());
  const open = async (screen: string) => {
    await page.goto(`${api.url}/#/${screen}`);
    await page.locator('.link.live').waitFor();
  };

  test('the tab and the title count what waits', async () => {
    await open('results');
    await soon(() => page.locator('.badge.approvals').textContent()).toBe('1');
    await soon(() => page.title()).toBe('(1) Callsheet');
  });

  test('y allows with the arguments as they were asked', async () => {
    await open('approvals');
    await page.getByText('mail_send').first().waitFor();
    await page.keyboard.press('y');
    await page.getByText('Nothing waits for you.').waitFor();
    expect(api.bodies.map((sent) => sent.body)).toEqual([{ decision: 'allow' }]);
  });

  test('edited arguments are sent as JSON, and broken JSON cannot be sent', async () => {
    await open('approvals');
    const area = page.getByLabel(/Arguments/);
    await area.fill('{ "to": ');
    await page.getByText('Not valid JSON').waitFor();
    expect(await page.getByRole('button', { name: /Allow/ }).isDisabled()).toBe(true);
    await area.fill('{ "to": "other@example.net" }');
    await page.getByRole('button', { name: 'Allow with edits' }).click();
    await page.getByText('Nothing waits for you.').waitFor();
    expect(api.bodies.at(-1)?.body).toEqual({ decision: 'allow', arguments: { to: 'other@example.net' } });
  });

  test('n denies, with the reason that was typed', async () => {
    await open('approvals');
    await page.getByLabel('Reason').fill('Call him instead');
    await page.getByRole('heading', { name: 'mail_send' }).click();
    await page.keyboard.press('n');
    await page.getByText('Nothing waits for you.').waitFor();
    expect(api.bodies.at(-1)?.body).toEqual({ decision: 'deny', reason: 'Call him instead' });
  });

  test('y and n do nothing while somebody types', async () => {
    await open('approvals');
    await page.getByLabel('Reason').pressSequentially('yes or no');
    expect(api.bodies).toEqual([]);
  });

  test('one that was answered elsewhere goes from the list, and it is said', async () => {
    await open('approvals');
    await page.getByText('mail_send').first().waitFor();
    api.world.approvals = [];
    await page.keyboard.press('y');
    await page.getByText('This approval was answered already.').waitFor();
    await page.getByText('Nothing waits for you.').waitFor();
  });

  test('an approval that comes in shows without a reload', async () => {
    const [first] = api.world.approvals;
    api.world.approvals = [];
    await open('approvals');
    await page.getByText('Nothing waits for you.').waitFor();
    if (first !== undefined) api.world.approvals = [first];
    api.emit('approval', { id: 'approval-1', status: 'pending' });
    await page.getByRole('heading', { name: 'mail_send' }).waitFor();
  });

  test('a rejected edit is a banner that names what still runs, with the place of each problem', async () => {
    await open('config');
    await page.getByText('No problems.').waitFor();
    api.world.config = {
      ...api.world.config,
      documents: api.world.config.documents.map((entry) =>
        entry.id === 'responder' ? { ...entry, state: 'stale' } : entry,
      ),
      problems: [
        {
          severity: 'error',
          code: 'CONFIG_UNKNOWN_TOOL',
          file: 'config/agents/responder.yaml',
          line: 12,
          column: 7,
          path: '/tools/1',
          message: 'no tool "serch"',
          hint: 'Did you mean "search"?',
        },
      ],
    };
    api.emit('config', { revision: api.world.config.revision, problems: 1 });
    await page.getByText('An edit was rejected.').waitFor();
    expect(await page.locator('.banner').innerText()).toContain(
      'config/agents/responder.yaml still runs, in revision a1b2c3d4e5f6',
    );
    expect(await page.locator('.problem').textContent()).toMatch(
      /responder\.yaml:12:7.*CONFIG_UNKNOWN_TOOL.*serch.*Did you mean/s,
    );
    expect(await page.getByRole('link', { name: 'Open in VS Code' }).getAttribute('href')).toBe(
      'vscode://file/home/jane/desk/config/agents/responder.yaml:12:7',
    );
    expect(await page.locator('.badge.config').textContent()).toBe('1');
  });

  test('without a session the page says how to get one', async () => {
    api.signOut();
    await page.goto(api.url);
    await page.getByText('callsheet start').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  test('a lost stream is said, resumed, and what was missed is fetched', async () => {
    await open('results');
    await page.getByRole('treeitem').first().waitFor();
    api.requests.length = 0;
    api.breakStreams();
    await page.locator('.link.reconnecting').waitFor();
    await page.locator('.link.live').waitFor();
    await soon(() => api.requests.some((line) => line.startsWith('GET /api/emails?'))).toBe(true);
  });

  test('a hidden tab has no stream, and catches up when it is looked at again', async () => {
    await open('results');
    await page.getByRole('treeitem').first().waitFor();
    const hide = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await hide(true);
    await page.locator('.link.paused').waitFor();
    api.world.mails = api.world.mails.slice(1);
    api.emit('mail', { id: 'mail-invoice', deleted: true });
    expect(await page.getByRole('treeitem', { name: 'Invoice 4411' }).count()).toBe(1);
    await hide(false);
    await page.locator('.link.live').waitFor();
    await soon(() => page.getByRole('treeitem', { name: 'Invoice 4411' }).count()).toBe(0);
  });

  test('the page reloads itself when the server has another version', async () => {
    await open('results');
    await page.getByRole('treeitem').first().waitFor();
    await page.evaluate(() => Object.assign(window, { old: true }));
    api.world.version = '2';
    api.breakStreams();
    await soon(() => page.evaluate(() => 'old' in window).catch(() => true)).toBe(false);
  });

  test('the fetcher is stopped and started', async () => {
    await open('results');
    await page.getByRole('button', { name: 'fetcher running' }).click();
    await page.getByRole('button', { name: 'fetcher stopped' }).click();
    await page.getByRole('button', { name: 'fetcher running' }).waitFor();
    expect(api.requests.filter((line) => line.startsWith('POST'))).toEqual([
      'POST /api/fetcher/stop',
      'POST /api/fetcher/start',
    ]);
  });

  test('a run without a mail shows its results too', async () => {
    addRun(api.world, '', 'run-asked', [makeItem('item-answer', { label: 'Answer', data: 'Forty-two' })], {
      trigger: { kind: 'message', message: 'How much?' },
      summary: 'How much?',
    });
    await open('runs');
    await page.getByRole('link', { name: 'How much?' }).click();
    await page.getByRole('link', { name: 'Answer' }).click();
    await page.frameLocator('iframe.frame').getByText('Forty-two').waitFor();
  });

  test('a run that works can be cancelled', async () => {
    await open('runs/run-meeting');
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
    await page.locator('.head').getByText('cancelled').waitFor();
  });

  test('? shows the keys and Escape takes them away', async () => {
    await open('results');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Problems', exact: true }).waitFor();
  });

  test('the chosen colours outlive a reload', async () => {
    await open('results');
    await page.getByRole('button', { name: 'Dark or light' }).click();
    const chosen = await page.evaluate(() => document.documentElement.dataset['theme']);
    await page.reload();
    await soon(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe(chosen);
  });
});

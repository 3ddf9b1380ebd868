import { expect, test } from 'vitest';
import { addRun, makeItem } from '../fake/fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the page Runs', (viewer) => {
  const rows = () => viewer.page.locator('.run-row');
  const words = async () => (await rows().allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));

  test('lists title first, then director, duration and cost, and finds runs on the server', async () => {
    await viewer.open('runs');
    await soon(() => rows().count()).toBe(4);
    expect((await words()).find((text) => text.startsWith('Invoice 4411'))).toMatch(
      /cable twice .* Client manager .* s · \$0\.0041/,
    );
    await viewer.page.keyboard.press('/');
    await viewer.page.keyboard.type('urgent');
    await soon(words).toEqual([expect.stringContaining('URGENT')]);
    await viewer.page.waitForURL('**/#/runs?q=urgent');
    expect(viewer.api.requests.some((line) => /GET \/api\/runs\?.*q=urgent/.test(line))).toBe(true);
    await viewer.page.keyboard.press('Escape');
    await viewer.page.keyboard.press('j');
    await viewer.page.waitForURL('**/#/runs/run-urgent?q=urgent');
    await viewer.page.reload();
    await soon(words).toEqual([expect.stringContaining('URGENT')]);
    await viewer.page.getByRole('button', { name: 'Failed' }).click();
    await viewer.page.getByText('No run matches.').waitFor();
    await viewer.page.getByRole('searchbox', { name: 'Search runs' }).fill('');
    await soon(words).toEqual([expect.stringContaining('返品')]);
    await viewer.page.waitForURL('**/#/runs/run-urgent?status=failed');
  });

  test('a run says what its director and each agent cost', async () => {
    await viewer.open('runs/run-invoice');
    const table = viewer.page.getByRole('region', { name: 'Cost by agent' });
    await soon(() => table.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^Director or agent\s+Cost\s+Answers\s+Read\s+Written$/),
      expect.stringMatching(/^Responder\s+\$0\.0031\s+2\s+4\.2k\s+620$/),
      expect.stringMatching(/^Client manager\s+\$0\.0010\s+1\s+2\.1k\s+310$/),
    ]);
    await viewer.page.goto(`${viewer.api.url}/#/runs/run-urgent`);
    await viewer.page.getByRole('heading', { name: /URGENT/ }).waitFor();
    expect(await table.count()).toBe(0);
  });

  test('compares two marked runs: facts, config, prompts, calls and results', async () => {
    const { world } = viewer.api;
    addRun(world, 'mail-invoice', 'run-later', [makeItem('item-new', { label: 'Reply draft', data: 'Dear Ada' })], {
      usage: { turns: 5, inputTokens: 9000, outputTokens: 900, cost: 0.0052 },
    });
    world.threads.set('thread-run-later', {
      ...world.threads.get('thread-run-invoice')!,
      id: 'thread-run-later',
      messages: [
        {
          ...{ role: 'assistant', content: null },
          tool_calls: [
            { id: 'z1', type: 'function', function: { name: 'agent__psychologist', arguments: '{"input":"Angry?"}' } },
          ],
        },
      ],
    });
    await viewer.open('runs/run-later');
    await viewer.page.locator('.facts').waitFor();
    await viewer.page.keyboard.press('x');
    await viewer.page
      .getByRole('link', { name: /^Invoice 4411/ })
      .last()
      .click();
    await viewer.page.waitForURL('**/#/runs/run-invoice');
    await viewer.page.keyboard.press('x');
    await viewer.page.getByText('2 marked').waitFor();
    await viewer.page.keyboard.press('c');
    await viewer.page.waitForURL('**/#/runs/compare/run-invoice/run-later');
    const page = viewer.page.locator('.compare');
    await page.getByRole('row', { name: 'Cost $0.0041 $0.0052' }).waitFor();
    expect(await page.locator('tr.differs th').allInnerTexts()).toEqual(['Turns', 'Tokens in / out', 'Cost']);
    await page.getByRole('group', { name: 'What differs in config/directors/client-manager.yaml' }).waitFor();
    await page.getByRole('group', { name: 'What differs in the prompts' }).getByText('+Be short and warm.').waitFor();
    const calls = page.getByRole('list', { name: 'Calls of the left run' });
    expect((await calls.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'other arguments',
      'only here',
    ]);
    const results = page.getByRole('list', { name: 'Results of the right run' });
    expect(await results.innerText()).toMatch(/Reply draft\s+text\/markdown\s+differs\s+Dear Ada/);
    await viewer.page.keyboard.press('s');
    await viewer.page.waitForURL('**/#/runs/compare/run-later/run-invoice');
    await viewer.page.keyboard.press('u');
    await viewer.page.waitForURL('**/#/runs');
  });

  test('saves a run as a test after it has said what the files hold', async () => {
    await viewer.open('runs/run-invoice');
    await viewer.page.getByRole('button', { name: 'Save as test' }).waitFor();
    await viewer.page.keyboard.press('T');
    const dialog = viewer.page.getByRole('dialog');
    expect(await dialog.textContent()).toMatch(/config\/tests\/run-invoice\.yaml.*the whole e-mail.*private data/);
    expect(viewer.api.requests.some((line) => line.startsWith('POST'))).toBe(false);
    await dialog.getByRole('button', { name: 'Save as test' }).click();
    await viewer.page.getByText('Saved: /home/ada/desk/config/tests/run-invoice.yaml.').waitFor();
    expect(viewer.api.requests.filter((line) => line.startsWith('POST'))).toEqual(['POST /api/runs/run-invoice/test']);
  });

  test('runs a finished run again after a question, and several at once', async () => {
    await viewer.open('runs/run-invoice');
    await viewer.page.getByRole('button', { name: 'Run again' }).waitFor();
    await viewer.page.keyboard.press('R');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
    await soon(() => viewer.api.bodies.map(({ body }) => body)).toEqual([
      { directorId: 'client-manager', emailId: 'mail-invoice' },
    ]);
    await viewer.page
      .getByLabel(/^Mark Invoice 4411/)
      .last()
      .check();
    await viewer.page.getByLabel(/^Mark 返品/).check();
    await viewer.page.getByRole('button', { name: 'Run 2 again' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
    await soon(() => viewer.api.bodies.map(({ line }) => line)).toEqual([
      'POST /api/runs',
      'POST /api/runs/retry?ids=run-failed',
      'POST /api/runs',
    ]);
  });

  test('keeps only the marks of runs that could not be started, so that none is started twice', async () => {
    await viewer.page.route('**/api/runs', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { error: { code: 'BUSY', message: 'too many runs' } } })
        : route.continue(),
    );
    await viewer.open('runs');
    await viewer.page
      .getByLabel(/^Mark Invoice 4411/)
      .last()
      .check();
    await viewer.page.getByLabel(/^Mark 返品/).check();
    await viewer.page.getByRole('button', { name: 'Run 2 again' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
    await viewer.page.getByText('too many runs').waitFor();
    await viewer.page.getByText('1 marked').waitFor();
    const kept = () => viewer.page.getByRole('checkbox', { name: /^Mark /, checked: true }).count();
    await soon(kept).toBe(1);
    await soon(() =>
      viewer.page
        .getByLabel(/^Mark Invoice 4411/)
        .last()
        .isChecked(),
    ).toBe(true);
  });
});

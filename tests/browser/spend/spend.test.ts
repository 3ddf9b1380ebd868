import { expect, test } from 'vitest';
import { axeViolations, cutOff } from '../fake/axe.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

const TODAY = '2026-11-24';
const line = (day: string, directorId: string, apiId: string, cost: number | null, more = {}) => ({
  ...{ day, directorId, apiId, cost, runs: 2, turns: 5, inputTokens: 12_000, outputTokens: 800, ...more },
});
const SPEND = {
  items: [
    line(TODAY, 'client-manager', 'main', 0.5),
    line(TODAY, '', 'main', 0.25, { agentId: 'responder', runs: 1 }),
    line('2026-11-20', 'client-manager', 'local', null),
    line('2026-11-20', 'reading-list', 'main', 1.5),
  ],
  nextCursor: null,
  today: TODAY,
  budget: { maxCostPerDay: 2, maxTokensPerDay: 500_000 },
};
const RUNS = {
  items: [{ ...line(TODAY, 'client-manager', 'main', 0.5), runId: 'run-invoice' }],
  nextCursor: null,
};

describeLongViewer('the page Spend', (viewer) => {
  const answer = async (spend: object = SPEND) => {
    await viewer.page.route('**/api/spend?*', (route) => route.fulfill({ json: spend }));
    await viewer.page.route('**/api/spend/runs?*', (route) => route.fulfill({ json: RUNS }));
  };
  const rows = () => viewer.page.locator('.spend-table tbody tr').allTextContents();

  test('shows sums, the budget of a day, a chart, and the same figures in a table', async () => {
    await answer();
    await viewer.open('spend');
    await viewer.page.getByText('$0.7500 of $2.00, 25.6k of 500.0k tokens').waitFor();
    expect(await viewer.page.locator('.spend-sums').textContent()).toContain('$2.25 + unknown');
    expect(await viewer.page.locator('.chart .column').count()).toBe(30);
    const titles = await viewer.page.locator('.chart .column title').allTextContents();
    expect(titles.filter((title) => !title.endsWith('$0.00'))).toEqual([
      '2026-11-20: $1.50 + unknown',
      '2026-11-24: $0.7500',
    ]);
    expect((await rows()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^2026-11-24 ?\$0.7500/),
      expect.stringMatching(/^2026-11-20 ?\$1.50 \+ unknown/),
    ]);
  });

  test('period, table, measure and day are in the address, and Back works', async () => {
    await answer();
    await viewer.open('spend/7/api/tokens');
    await soon(() => viewer.page.locator('.chart .column').count()).toBe(7);
    expect((await rows()).map((text) => text.trim().split(/\s|\$/)[0])).toEqual(
      ['main', 'local'].map((id) => expect.stringContaining(id)),
    );
    await viewer.page.getByRole('button', { name: 'Director or agent' }).click();
    await viewer.page.getByRole('rowheader', { name: 'agent responder' }).waitFor();
    await viewer.page.waitForURL('**/#/spend/7/who/tokens');
    await viewer.page.goBack();
    await viewer.page.getByRole('rowheader', { name: 'local' }).waitFor();
  });

  test('participants of chats have their names, also two of the same name', async () => {
    const ofChat = (agentId: string, cost: number) => line(TODAY, '', 'main', cost, { agentId, agentName: 'Ann' });
    await answer({ ...SPEND, items: [ofChat('a_1', 0.5), ofChat('a_2', 0.25)] });
    await viewer.open('spend/7/who/cost');
    await viewer.page.getByRole('rowheader', { name: 'Ann in a chat' }).first().waitFor();
    expect((await rows()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^Ann in a chat ?\$0.5000/),
      expect.stringMatching(/^Ann in a chat ?\$0.2500/),
    ]);
  });

  test('a chart without figures is a sentence', async () => {
    await answer({ ...SPEND, items: [line(TODAY, 'client-manager', 'main', 0)] });
    await viewer.open('spend/7/day/cost');
    await viewer.page.getByText('These runs cost nothing, or their price is unknown.').waitFor();
    expect(await viewer.page.locator('.chart').count()).toBe(0);
    await viewer.page.keyboard.press('v');
    await viewer.page.locator('.chart').waitFor();
  });

  test('keys go through the days, and a day lists its runs with links', async () => {
    await answer();
    await viewer.open('inbox');
    for (const key of ['g', 's']) await viewer.page.keyboard.press(key);
    await viewer.page.locator('.spend-table').waitFor();
    for (const key of ['p', 'v', 'j', 'j', 'k']) await viewer.page.keyboard.press(key);
    await viewer.page.waitForURL(`**/#/spend/90/day/tokens/${TODAY}`);
    await viewer.page.getByRole('heading', { name: `Runs of ${TODAY}` }).waitFor();
    const link = viewer.page.locator('.spend-runs a');
    expect(await link.getAttribute('href')).toBe('#/runs/run-invoice');
    await viewer.page.keyboard.press('u');
    await soon(() => viewer.page.locator('.spend-runs').count()).toBe(0);
  });

  test('an empty period says so, obeys axe in light and dark, and everything fits on a phone', async () => {
    await viewer.page.setViewportSize({ width: 390, height: 780 });
    await answer({ ...SPEND, items: [], budget: {} });
    await viewer.open('spend');
    await viewer.page.getByText('No costs in the last 30 days.').waitFor();
    await viewer.page.getByText('No limit for a day is set.').waitFor();
    await viewer.page.unrouteAll();
    await answer();
    await viewer.page.goto('about:blank');
    await viewer.open(`spend/30/day/cost/${TODAY}`);
    await viewer.page.locator('.spend-runs a').waitFor();
    expect(await cutOff(viewer.page, '.spend *, .top button')).toEqual([]);
    for (const theme of ['light', 'dark']) expect(await axeViolations(viewer.page, theme)).toEqual([]);
  });
});

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { makeApproval } from '../fake/approval-fixtures.ts';
import { makeObjective } from '../fake/objective-fixtures.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the page Objectives', (viewer) => {
  const { open } = viewer;
  const column = (name: string) => viewer.page.getByRole('region', { name });
  const press = async (...keys: string[]) => {
    for (const key of keys) await viewer.page.keyboard.press(key);
  };
  const focused = () => viewer.page.evaluate(() => document.activeElement?.id);
  /** Neither a violation of axe-core nor anything that is cut off at the side. */
  const expectClean = async (theme: 'light' | 'dark') => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await viewer.page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    const { violations } = await viewer.page.evaluate<AxeResults>(`${axe}; axe.run(document, { iframes: false })`);
    expect(violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
    const page = viewer.page.locator('.objectives');
    expect(await page.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0);
  };

  test('the board has a column for each status, with what waits for the user first', async () => {
    await open('objectives');
    const waiting = column('Waiting').getByRole('link');
    await soon(() => waiting.count()).toBe(3);
    expect(await waiting.nth(0).textContent()).toContain('waits for you to send the draft');
    expect(await waiting.nth(1).textContent()).toContain('waits for your answer');
    expect(await waiting.nth(2).textContent()).toMatch(
      /Get the corrected invoice.*waits for a reply of ray@example\.org.*follow-up 2 of 3.*\$0\.0213/s,
    );
    expect(await column('Error').textContent()).toContain('the objective reached maxCost');
    expect(await column('In progress').textContent()).toContain('paused');
    await expectClean('light');
    await viewer.page.setViewportSize({ width: 390, height: 800 });
    await expectClean('dark');
  });

  test('keys open an objective and go back to its card; each one has an address', async () => {
    await open('inbox');
    await press('g', 'b');
    await column('Waiting').getByRole('link').first().waitFor();
    await press('j', 'ArrowRight', 'ArrowRight', 'j', 'j', 'Enter');
    await viewer.page.getByRole('heading', { name: 'Get the corrected invoice 4411 from Ada Ray' }).waitFor();
    expect(viewer.page.url()).toMatch(/#\/objectives\/obj-reply$/);
    const text = async () => (await viewer.page.locator('.objective').textContent()) ?? '';
    await soon(text).toContain('Ada Ray was asked for a corrected invoice on Monday.');
    expect(await text()).toMatch(/topics.*invoice, cable.*Wrote a draft to ray@example\.org/s);
    const mail = viewer.page.getByRole('link', { name: 'Invoice 4411 lists the cable twice' });
    await soon(() => mail.getAttribute('href')).toBe('#/inbox/mail-invoice');
    expect(await viewer.page.getByRole('link', { name: 'Trace' }).getAttribute('href')).toBe('#/diagnostics/obj-reply');
    await expectClean('light');
    await viewer.page.setViewportSize({ width: 390, height: 800 });
    await expectClean('dark');
    await viewer.page.goBack();
    await soon(focused).toBe('objective-obj-reply');
  });

  test('p pauses and resumes at once, d finishes after a confirmation', async () => {
    await open('objectives/obj-reply');
    await viewer.page.getByRole('button', { name: 'Pause' }).waitFor();
    await press('p');
    await viewer.page.getByRole('button', { name: 'Resume' }).waitFor();
    await press('p');
    await viewer.page.getByRole('button', { name: 'Pause' }).waitFor();
    await press('d');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(viewer.api.bodies.map(({ line }) => line)).toEqual([
      'POST /api/objectives/obj-reply/pause',
      'POST /api/objectives/obj-reply/resume',
    ]);
    await press('d');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click();
    await soon(() => viewer.page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    expect(viewer.api.world.objectives[0]?.status).toBe('done');
  });

  test('an open draft is shown, and a question can be answered in place', async () => {
    await open('objectives/obj-draft');
    await viewer.page.getByText('would Thursday at 10 suit you as well?').waitFor();
    viewer.api.world.approvals = [
      makeApproval({ kind: 'question', id: 'q-1', runId: 'run-urgent', arguments: { question: 'Do you want it?' } }),
    ];
    await viewer.page.goto(`${viewer.api.url}/#/objectives/run-urgent`);
    await viewer.page.getByText('A plain yes takes the proposal').waitFor();
    await viewer.page.getByLabel('Your answer').fill('yes');
    await expectClean('light');
    await viewer.page.getByLabel('Your answer').press('Control+Enter');
    await soon(() => viewer.api.bodies.at(-1)).toMatchObject({ body: { message: 'yes', questionId: 'q-1' } });
  });

  test('a change elsewhere moves the card and the open objective', async () => {
    await open('objectives');
    await column('Waiting').getByRole('link').first().waitFor();
    const change = { status: 'done', waitingFor: null, outcome: 'reached' } as const;
    viewer.api.world.objectives = viewer.api.world.objectives.map((one) => ({ ...one, ...change }));
    viewer.api.emit('objective', { id: 'obj-reply', status: 'done' });
    await soon(() => column('Done').getByRole('link').count()).toBe(7);
  });

  test('an empty board says how to start one, and n starts one in words', async () => {
    viewer.api.world.objectives = [];
    await open('objectives');
    await viewer.page.getByText('No objectives yet.').waitFor();
    await press('n');
    const field = viewer.page.getByLabel('What do you want?');
    await field.fill('Find a plumber');
    await field.press('Control+Enter');
    await soon(() => viewer.api.bodies.at(-1)).toEqual({
      line: 'POST /api/runs',
      body: { directorId: 'autopilot', message: 'Find a plumber' },
    });
    await soon(() => viewer.page.url()).toMatch(/#\/objectives\/run-started$/);
  });

  test('of 500 lines the page shows the first and the newest, the others on demand, and says what is not kept', async () => {
    const history = Array.from({ length: 500 }, (_, n) => ({
      ...{ at: new Date(Date.UTC(2026, 9, 1) + n * 3_600_000).toISOString(), kind: 'action' as const },
      text: `Wrote line ${n}.`,
    }));
    viewer.api.world.objectives = [makeObjective('obj-long', { history, droppedLines: 12 })];
    await open('objectives/obj-long');
    const lines = viewer.page.locator('.story li');
    await viewer.page.getByText('Wrote line 499.').waitFor();
    expect(await lines.count()).toBe(31);
    await viewer.page.getByText('12 more lines are not kept here').waitFor();
    await press('A');
    await soon(() => lines.count()).toBe(500);
    const texts = await lines.locator('.words').allTextContents();
    expect(texts).toEqual(history.map(({ text }) => text));
  });
});

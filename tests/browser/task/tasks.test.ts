import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { makeTask } from '../fake/task-routes.ts';
import { soon } from '../soon.ts';
import { describeLongViewer } from '../viewer.ts';

describeLongViewer('the page Tasks', (viewer) => {
  const { open } = viewer;
  const titles = () => viewer.page.locator('.task b').allTextContents();
  const press = async (...keys: string[]) => {
    for (const key of keys) await viewer.page.keyboard.press(key);
  };
  const lastCall = () => viewer.api.bodies.at(-1);
  const expectClean = async (theme: 'light' | 'dark') => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await viewer.page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
    const { violations } = await viewer.page.evaluate<AxeResults>(`${axe}; axe.run(document, { iframes: false })`);
    expect(violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
    const page = viewer.page.locator('.page');
    expect(await page.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0);
  };

  test('open tasks stand in the order in which they start, and keys change it', async () => {
    await open('inbox');
    await press('g', 't');
    const order = ['Answer the complaints', 'Sum up the week', 'Sort the offers', 'Prepare the fair'];
    await soon(titles).toEqual(order);
    expect(await viewer.page.locator('.task').first().textContent()).toContain('waiting for approval');
    await press('j', 'j', 'j', '+');
    await soon(titles).toEqual([order[0], order[2], order[1], order[3]]);
    expect(lastCall()).toEqual({ line: 'PUT /api/tasks/task-second', body: { priority: 'high' } });
    await viewer.page.getByRole('button', { name: 'Lower the priority of Sort the offers' }).click();
    await soon(titles).toEqual(order);
    await expectClean('light');
    await viewer.page.setViewportSize({ width: 390, height: 800 });
    await expectClean('dark');
  });

  test('a waiting task is cancelled at once, a running one after a confirmation; both can be tried again', async () => {
    await open('todos');
    await viewer.page.getByRole('button', { name: 'Cancel Sum up the week' }).click();
    await soon(titles).toEqual(['Answer the complaints', 'Sort the offers', 'Prepare the fair']);
    await press('j', '#');
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click();
    await soon(titles).toEqual(['Sort the offers', 'Prepare the fair']);
    await viewer.page.getByRole('button', { name: 'Cancelled', exact: true }).click();
    await soon(titles).toEqual(['Sum up the week', 'Answer the complaints']);
    await press('j', 'j', 'R');
    await soon(titles).toEqual(['Sum up the week']);
  });

  test('a failed task says why, and o opens its run', async () => {
    await open('todos');
    await viewer.page.getByRole('button', { name: 'Failed', exact: true }).click();
    await viewer.page.getByText('the provider refused 5 times').waitFor();
    await press('j', 'o');
    await viewer.page.waitForURL('**/#/runs/run-failed');
  });

  test('n opens the form of a task, which stays with its words until it is added', async () => {
    viewer.api.world.tasks = [];
    await open('todos');
    await viewer.page.getByText('No open tasks.').waitFor();
    await press('n');
    await viewer.page.getByLabel('Title').fill('x'.repeat(201));
    await viewer.page.getByLabel('Priority').selectOption('high');
    await viewer.page.getByLabel('Due').fill('2026-12-01T08:00');
    await viewer.page.getByLabel('Instructions').press('Control+Enter');
    await viewer.page.getByText('"title" must have 1 to 200 characters').waitFor();
    await expectClean('light');
    await viewer.page.getByLabel('Title').fill('Call the printer');
    await viewer.page.getByLabel('Instructions').press('Control+Enter');
    await soon(titles).toEqual(['Call the printer']);
    expect(lastCall()?.body).toEqual({
      ...{ title: 'Call the printer', assignedTo: 'directors/autopilot', instructions: '' },
      ...{ priority: 'high', dueAt: '2026-12-01T08:00' },
    });
  });

  test('a task that changes elsewhere is shown as it is', async () => {
    await open('todos');
    await soon(titles).toHaveLength(4);
    viewer.api.world.tasks = [makeTask('task-other', { title: 'From the terminal' })];
    viewer.api.emit('task', { id: 'task-other', status: 'pending' });
    await soon(titles).toEqual(['From the terminal']);
  });
});

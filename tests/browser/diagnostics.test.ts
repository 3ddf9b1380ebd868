import { beforeEach, expect, test } from 'vitest';
import { soon } from './soon.ts';
import { describeLongViewer } from './viewer.ts';

describeLongViewer('the Diagnostics screen', (viewer) => {
  const refused: string[] = [];
  beforeEach(() => {
    refused.length = 0;
    viewer.page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
  });
  const open = async (place = 'diagnostics') => {
    await viewer.open(place);
    await viewer.page.locator('.link.live').waitFor();
    await viewer.page.getByRole('treeitem').first().waitFor();
  };
  const row = (name: string | RegExp) => viewer.page.getByRole('treeitem', { name });
  const labels = () => viewer.page.locator('.trace-row .label').allTextContents();

  test('shows a tree in which only failed branches are open at first', async () => {
    await open();
    await row('model_failed').waitFor();
    expect(await row('Responder').getAttribute('aria-expanded')).toBe('true');
    expect(await row('th_good').getAttribute('aria-expanded')).toBe('false');
    expect(await row('memory_search').count()).toBe(0);
    expect(await row('model_failed').getAttribute('aria-level')).toBe('4');
    expect((await labels())[0]).toBe('Archivist · what did she ask?');
  });

  test('each level says how many of its rows are loaded and match the filter', async () => {
    await open();
    const levels = () => viewer.page.getByRole('group', { name: 'Minimum level' }).getByRole('button').allInnerTexts();
    await soon(levels).toEqual(['error 1', 'warn', 'info 4', 'debug 2']);
    await viewer.page.getByRole('searchbox', { name: 'Filter rows' }).fill('memory');
    await soon(levels).toEqual(['error', 'warn', 'info 1', 'debug']);
  });

  test('needs two lines for a row on a narrow screen at most, and cuts nothing off', async () => {
    const title =
      'Client manager · Invoice 4411 lists the cable twice and somebody has to look at it · ada@example.org';
    const usage = { inputTokens: 21_000, outputTokens: 3100, cachedTokens: 0, cost: 0.0123 };
    viewer.api.world.traces = viewer.api.world.traces.map((node) => ({ ...node, title, usage, durationMs: 83_000 }));
    await viewer.page.setViewportSize({ width: 390, height: 844 });
    await open();
    const rows = await viewer.page.locator('.trace-row').evaluateAll((all) =>
      all.map((row) => {
        const { right, height } = row.getBoundingClientRect();
        const texts = [...row.querySelectorAll('.label, .hint')].flatMap((text) => [...text.getClientRects()]);
        const line = Number.parseFloat(getComputedStyle(row).lineHeight);
        return {
          lines: Math.floor(height / line),
          isInside: texts.every((text) => text.right <= right && text.height <= 2 * line),
        };
      }),
    );
    expect(rows.filter(({ lines, isInside }) => lines > 2 || !isInside)).toEqual([]);
    expect(rows.some(({ lines }) => lines === 2)).toBe(true);
    expect((await labels()).filter((label) => label === title)).not.toEqual([]);
    await viewer.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('splits no letter of a long title', async () => {
    viewer.api.world.traces = viewer.api.world.traces.map((node) => ({ ...node, title: '🦊'.repeat(60) }));
    await open();
    const parts = await viewer.page
      .locator('.trace-row .label')
      .evaluateAll((all) => all.map((label) => [...label.childNodes].map(({ textContent }) => textContent ?? '')));
    expect(parts.some(({ length }) => length > 1)).toBe(true);
    expect(parts.flat().filter((part) => !part.isWellFormed())).toEqual([]);
  });

  test('draws durations as bars without breaking the CSP of the page', async () => {
    await open();
    const bar = row('workspace_add_item').locator('.time-bar');
    const { left, width, room } = await bar.evaluate((element) => {
      const parent = element.parentElement?.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      return { left: own.left - (parent?.left ?? 0), width: own.width, room: parent?.width ?? 0 };
    });
    // It began 6 of 8 seconds into the run and took one.
    expect(Math.abs(left / room - 0.75)).toBeLessThan(0.05);
    expect(Math.abs(width / room - 0.125)).toBeLessThan(0.05);
    expect(refused).toEqual([]);
  });

  test('draws the bars of all rows in one column, each one of the same height', async () => {
    await open();
    await row('workspace_add_item').waitFor();
    const boxes = await viewer.page.locator('.bar-room').evaluateAll((rooms) =>
      rooms.map((room) => {
        const bar = room.firstElementChild?.getBoundingClientRect();
        return [room.getBoundingClientRect().x, bar?.height, room.getBoundingClientRect().height];
      }),
    );
    expect(boxes.length).toBeGreaterThan(3);
    expect(new Set(boxes.map((box) => box.join(' '))).size).toBe(1);
    expect(boxes[0]?.[1]).toBe(boxes[0]?.[2]);
  });

  test('shows a flat list, newest first', async () => {
    await open();
    await viewer.page.getByRole('button', { name: 'Flat' }).click();
    await soon(labels).toEqual([
      'workspace_add_item',
      'model_failed',
      'gpt-5 · turn 1',
      'memory_search',
      'director_start',
    ]);
    await viewer.page.getByRole('button', { name: 'Grouped' }).click();
    await row('Responder').waitFor();
  });

  test('filters by level and by words', async () => {
    await open();
    await viewer.page.getByRole('button', { name: /^error/ }).click();
    await soon(() => row('workspace_add_item').count()).toBe(0);
    expect(await row('model_failed').count()).toBe(1);
    await viewer.page.getByRole('button', { name: /^debug/ }).click();
    await row('gpt-5 · turn 1 · request').waitFor();
    await viewer.page.getByLabel('Filter rows').fill('rate_limit');
    await soon(labels).toEqual([
      expect.stringMatching(/^Fetch/),
      expect.stringContaining('th_failed'),
      'Responder',
      'model_failed',
    ]);
    await viewer.page.getByLabel('Filter rows').fill('nothing like it');
    await viewer.page.getByText('No row matches the filter.').waitFor();
  });

  test('has tabs for what a step did and what it worked with, by click and by number', async () => {
    await open('diagnostics/run_02.3');
    const tabs = viewer.page.getByRole('tab');
    const names = async () => (await tabs.allTextContents()).map((text) => text.trim());
    await soon(names).toEqual(['Messages', 'Result', 'Email', 'Prompt', 'Config', 'JSON']);
    const tab = (name: string) => viewer.page.getByRole('tab', { name });
    expect(await tab('Result').getAttribute('aria-selected')).toBe('true');
    const panel = viewer.page.getByRole('tabpanel');
    await soon(() => panel.textContent()).toMatch(/"answer": 42[\s\S]*"request"/);
    await tab('Email').click();
    await panel.getByText('Ada Ray <ray@example.org>').waitFor();
    await panel.getByText('A short beginning of the text').waitFor();
    await panel.getByText('invoice-4411.pdf').waitFor();
    await panel.getByRole('button', { name: 'Raw JSON' }).click();
    await panel.getByText('"accountId": "support"').waitFor();
    await viewer.page.keyboard.press('5');
    await panel.getByText('1 of its documents changed since.').waitFor();
    await panel
      .getByRole('group', { name: 'What has changed in config/directors' })
      .getByText('Be short and')
      .waitFor();
    expect(await panel.getByRole('link', { name: 'Open in VS Code' }).first().getAttribute('href')).toBe(
      'vscode://file/home/jane/desk/config/directors/client-manager.yaml:1:1',
    );
    await panel.getByText('config/apis/main.yaml').click();
    await panel.getByText('provider: openai').first().waitFor();
    await tab('Config').focus();
    await viewer.page.keyboard.press('ArrowRight');
    await panel.getByRole('button', { name: 'Copy JSON' }).waitFor();
    await viewer.page.keyboard.press('Escape');
    await viewer.page.waitForURL('**/#/diagnostics');
  });

  test('shows the messages and the prompt of a thread, and the command for a terminal', async () => {
    const { threads } = viewer.api.world;
    threads.set('th_good', { ...threads.get('thread-run-invoice')!, id: 'th_good' });
    await open('diagnostics/th_good');
    const panel = viewer.page.getByRole('tabpanel');
    await panel.getByText('agent__psychologist').waitFor();
    await viewer.page.keyboard.press('4');
    await panel.getByText('You are the client manager.').waitFor();
    await panel.getByText('Subject: Invoice 4411').waitFor();
    await viewer.page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: async (text: string) => void (document.title = text) },
      });
    });
    await viewer.page.keyboard.press('c');
    await soon(() => viewer.page.title()).toBe('callsheet runs show run_01');
  });

  test('has the whole width for the waterfall while nothing is selected', async () => {
    await viewer.page.setViewportSize({ width: 1440, height: 900 });
    await open();
    const width = () =>
      row('workspace_add_item')
        .locator('.bar-room')
        .evaluate((room) => room.getBoundingClientRect().width);
    expect(await width()).toBeGreaterThan(400);
    await row('workspace_add_item').click();
    await viewer.page.getByRole('tabpanel').waitFor();
    expect(await width()).toBeLessThan(100);
  });

  test('says when no e-mail started the run', async () => {
    await open('diagnostics/th_alone');
    await viewer.page.getByRole('tab', { name: 'Email' }).click();
    await viewer.page.getByText('No e-mail started this run.').waitFor();
  });

  test('shows the message and the hint of an error', async () => {
    await open('diagnostics/run_02.2');
    expect(await viewer.page.getByRole('alert').textContent()).toMatch(
      /too many requests.*MODEL_RATE_LIMIT.*Wait a minute/s,
    );
  });

  test('supports the keys of a tree', async () => {
    await open();
    await viewer.page.keyboard.press('j');
    await soon(() => viewer.page.url()).toMatch(/diagnostics\/th_alone$/);
    await viewer.page.keyboard.press('j');
    await viewer.page.keyboard.press('j');
    await soon(() => viewer.page.url()).toMatch(/diagnostics\/th_good$/);
    await viewer.page.keyboard.press('o');
    await row('memory_search').waitFor();
    await viewer.page.keyboard.press('o');
    await soon(() => row('memory_search').count()).toBe(0);
    await viewer.page.keyboard.press('g');
    await viewer.page.keyboard.press('i');
    await soon(() => viewer.page.url()).toMatch(/inbox/);
    await viewer.page.keyboard.press('g');
    await viewer.page.keyboard.press('d');
    await soon(() => viewer.page.url()).toMatch(/diagnostics/);
  });

  test('deletes one entry after a confirmation', async () => {
    await open('diagnostics/run_02.3');
    await viewer.page.getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await soon(() => row('workspace_add_item').count()).toBe(0);
    expect(viewer.api.requests).toContain('DELETE /api/diagnostics/run_02.3');
  });

  test('marks and deletes all entries of a branch at once', async () => {
    await open();
    await viewer.page.keyboard.press('j');
    await row('th_failed').hover();
    await row('th_failed').getByRole('checkbox').click();
    await viewer.page.getByText('3 entries marked').waitFor();
    await viewer.page.locator('.marks').getByRole('button', { name: 'Delete' }).click();
    await viewer.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await soon(() => row('model_failed').count()).toBe(0);
    expect(viewer.api.requests.filter((line) => line.startsWith('DELETE'))).toEqual([
      'DELETE /api/diagnostics?ids=run_02.1,run_02.2,run_02.3',
    ]);
    expect(await viewer.page.locator('.marks').count()).toBe(0);
  });

  test('updates a run when an event arrives', async () => {
    await open();
    viewer.api.world.traces = viewer.api.world.traces.slice(0, 1);
    viewer.api.emit('run', { id: 'run_02', status: 'completed', emailId: null });
    await soon(labels).toEqual(['Archivist · what did she ask?']);
  });
});

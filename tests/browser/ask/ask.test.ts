import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Desk, openDesk, TOKEN } from '../../api/harness.ts';
import { forChromium, longChromium } from '../../available.ts';
import { call, type Play } from '../../run/harness.ts';
import { type Browser, openBrowser } from '../chromium.ts';
import { soon } from '../soon.ts';

const FILES = {
  'settings.yaml': 'roots: { lab: ./lab }\n',
  'directors/boss.yaml': 'id: boss\nname: Boss\ndescription: Answers.\napiConfigId: main\ntools: [document]\n',
  'directors/planner.yaml':
    'id: planner\nname: Planner\nmode: plan\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n',
  'agents/reader.yaml':
    'id: reader\nname: Reader\napiConfigId: main\ntools: [notebook, workspace]\nscope: { notebooks: [lab], operations: [read, write] }\npermissions: { ask: [notebook_write_file], allow: ["workspace_*"] }\n',
  'agents/mood.yaml':
    'id: mood\nname: Mood\napiConfigId: main\nprompt: [{ role: user, content: I love it }, { role: assistant, content: happy }]\n',
};

const PLAN = {
  ...{ language: 'en', needsOutside: false, wantsSeveralFiles: false, preferences: [] },
  steps: ['Note the dates', 'Sum it up'].map((title) => ({ title, task: `Do it: ${title}`, tool: 'none' })),
};

/** Answers by the role of a plan, or by the last question: "plan" makes a result, "write" asks a person, "wait" never ends. */
const play: Play = ({ messages, signal }) => {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const isFirst = messages.at(-1)?.role === 'user';
  const system = messages.map(({ role, content }) => (role === 'system' ? content : '')).join('\n');
  if (system.includes('You are the planner')) return { content: JSON.stringify(PLAN) };
  if (system.includes('You are the executor') && isFirst)
    return { tool_calls: [call('c', 'workspace_add_item', { label: 'Dates', data: 'Monday' })] };
  if (question.includes('wait'))
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  if (isFirst && question.includes('plan'))
    return {
      tool_calls: [
        call('a', 'workspace_add_item', {
          ...{ label: 'The plan', mimeType: 'text/markdown' },
          data: question.includes('long') ? `# Plan ${'step '.repeat(200)}` : '# Plan',
        }),
      ],
    };
  if (isFirst && question.includes('write'))
    return { tool_calls: [call('b', 'notebook_write_file', { path: '/notes/plan.md', content: 'new\n' })] };
  return { content: 'It is **done**:\n\n- one' };
};

describe.skipIf(longChromium === undefined)(`the page Ask${forChromium}`, () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    desk = await openDesk({ files: FILES, play });
    mkdirSync(join(desk.stage.root, 'lab/notes'), { recursive: true });
    writeFileSync(join(desk.stage.root, 'lab/notes/plan.md'), 'old\n');
    browser = await openBrowser();
    const first = await browser.context.newPage();
    await first.goto(`${desk.url}/?token=${TOKEN}`);
    await first.locator('.link.live').waitFor({ state: 'attached' });
    await first.close();
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
  });
  beforeEach(async () => {
    page = await browser.context.newPage();
  });
  afterEach(() => page.close({ runBeforeUnload: false }));

  const open = async (place: string) => {
    await page.goto(`${desk.url}/#/${place}`);
    await page.locator('.link.live').waitFor({ state: 'attached' });
  };
  const field = () => page.getByRole('textbox', { name: 'Question' });
  const say = async (text: string) => {
    await field().fill(text);
    // An answer is shown a moment before its run is over and the next question can be asked.
    await soon(() => page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
    await field().press('Control+Enter');
  };
  const answers = () => page.getByRole('article', { name: 'Answer' });
  const expectAccessible = async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const theme of ['light', 'dark']) {
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        `${axe}; axe.run(document, { iframes: false })`,
      );
      expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    }
  };

  test('the plan of a director is shown while it is worked on, and says what became of each step', async () => {
    await open('ask/director/planner');
    await say('Note the dates and sum them up');
    const steps = answers().getByRole('region', { name: 'Plan' }).getByRole('listitem');
    const said = async () => (await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    await page.getByRole('button', { name: 'Allow', exact: false }).first().waitFor();
    await soon(said).toEqual(['1. Note the dates at work', '2. Sum it up to do']);
    await expectAccessible();
    await steps.first().locator('summary').click();
    await steps.first().getByText('Do it: Note the dates').waitFor();
  });

  test('by keyboard alone an agent is chosen and asked; call, result and answer stay under a link', async () => {
    await open('inbox');
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('link', { name: 'Reader' }).focus();
    await page.keyboard.press('Enter');
    await soon(() => field().evaluate((area) => area === document.activeElement)).toBe(true);
    await page.keyboard.type('Show the plan');
    await page.getByText(/First request: about .* tokens/).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Reader' }).waitFor();
    await answers().getByText('workspace_add_item').waitFor();
    await answers().locator('li', { hasText: 'one' }).waitFor();
    await page.getByRole('link', { name: /The plan/ }).waitFor();
    expect(page.url()).toMatch(/#\/ask\/session\/th_/);
    expect(await field().inputValue()).toBe('');
    await expectAccessible();
    await page.reload();
    await answers().locator('strong', { hasText: 'done' }).waitFor();
  });

  test('the examples in the prompt of an agent are no questions of the person', async () => {
    await open('ask/agent/mood');
    await say('It rains.');
    await answers().locator('strong', { hasText: 'done' }).waitFor();
    expect(await page.getByRole('article', { name: 'Your question' }).allInnerTexts()).toEqual([
      expect.stringContaining('It rains.'),
    ]);
    expect(await answers().count()).toBe(1);
  });

  test('a call that asks stands in the conversation, and y allows it', async () => {
    await open('ask/agent/reader');
    await say('Please write it');
    const card = page.locator('.answer .approval');
    await card.getByRole('button', { name: 'Allow', exact: false }).first().focus();
    await expectAccessible();
    await page.keyboard.press('y');
    await page.getByText('It is sent in five seconds').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    await answers().locator('strong', { hasText: 'done' }).waitFor();
    expect(readFileSync(join(desk.stage.root, 'lab/notes/plan.md'), 'utf8')).toBe('new\n');
  });

  test('Escape leaves the field with its text, then cancels; End ends the session', async () => {
    await open('ask/agent/reader');
    await say('Please wait');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await field().fill('Half a sent');
    await field().press('Escape');
    expect(await field().inputValue()).toBe('Half a sent');
    await page.keyboard.press('Escape');
    await answers().getByText('cancelled').first().waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('This session has ended.').waitFor();
    expect(await field().count()).toBe(0);
  });

  test('a director reads an attached file, and goes on in the same conversation; a draft is kept', async () => {
    await open('ask/director/boss');
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('It costs 420 EUR.') },
    });
    await page.getByRole('list', { name: 'Attached files' }).getByText('offer.txt').waitFor();
    await say('What does it cost?');
    await answers().locator('strong', { hasText: 'done' }).waitFor();
    await say('And tomorrow?');
    await answers().nth(1).locator('strong', { hasText: 'done' }).waitFor();
    const runs = (await desk.get('/api/runs?limit=2')).json.items as unknown as { conversationId: string }[];
    expect(new Set(runs.map(({ conversationId }) => conversationId)).size).toBe(1);
    await field().fill('Half a question');
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('heading', { name: 'Select a run' }).waitFor();
    await page.goBack();
    await soon(() => field().inputValue()).toBe('Half a question');
    await field().fill('');
  });

  test('a file of a notebook begins a question, on a phone too, where nothing is cut off', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open('ask/agent/reader/files');
    await page.getByRole('link', { name: 'notes' }).click();
    await page.getByRole('button', { name: 'plan.md' }).click();
    await soon(() => field().inputValue()).toBe('About the file /notes/plan.md of the notebook lab: ');
    await field().fill('About the file /notes/plan.md of the notebook lab: who wrote it?');
    await page.goBack();
    await page.getByRole('button', { name: 'plan.md' }).click();
    await soon(() => field().inputValue()).toBe('About the file /notes/plan.md of the notebook lab: who wrote it?');
    await field().fill('Who wrote this?');
    await page.goBack();
    await page.getByRole('button', { name: 'plan.md' }).click();
    await soon(() => field().inputValue()).toBe('About the file /notes/plan.md of the notebook lab: Who wrote this?');
    await expectAccessible();
    const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(await isWider()).toBe(false);
    await field().fill('');
    await open('ask');
    await page.getByRole('navigation', { name: 'Earlier questions' }).getByRole('link').first().waitFor();
    expect(await isWider()).toBe(false);
  });

  test.each([1280, 390])('a call with long arguments stays inside its answer at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await open('ask/agent/reader');
    await say('a long plan');
    const chip = answers().last().locator('.call').first();
    await chip.waitFor();
    const [inner, outer] = [await chip.boundingBox(), await answers().last().boundingBox()];
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
  });
});

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forChromium, longChromium } from '../../available.ts';
import { LETTER, makePlace, type Place, type Started } from '../../cli/harness.ts';
import { type Browser, openBrowser } from '../chromium.ts';
import { soon } from '../soon.ts';
import { PATIENCE_MS } from '../../next-try.ts';

/** A comparison on a machine that does more. */
const PROMPT = 'Be brief.';

describe.skipIf(longChromium === undefined)(`the page Changes on a real server${forChromium}`, () => {
  let model: Server;
  let asked = 0;
  let place: Place;
  let app: Started;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    model = createServer((request, response) => {
      request.resume().on('end', () => {
        asked++;
        const message = { role: 'assistant', content: 'Dear Ada, all is well.' };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, finish_reason: 'stop', message }] }));
      });
    });
    await new Promise<void>((done) => model.listen(0, '127.0.0.1', () => done()));
    const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    place = makePlace({
      'apis/real.yaml': `id: real\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: ${url}\nstream: false\n`,
      'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: real\nprompt:\n  - { role: system, content: ${PROMPT} }\n  - { role: user, content: '{{email}}' }\n`,
      'accounts/inbox.yaml': 'id: inbox\nprovider: folder\nemail: me@example.org\npath: ./inbox\n',
      'filters/all.yaml': 'id: all\nfield: Subject\nregex: ^hello\ndirectorId: [boss]\n',
    });
    place.drop('a.eml', LETTER);
    [app, browser] = await Promise.all([place.start([], { KEY: 'sk-test-key' }), openBrowser()]);
    page = await browser.context.newPage();
    await page.goto(`${app.url}/?token=${app.token}`);
    await page.locator('.link.live').waitFor();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    place?.remove();
    model?.close();
  });

  const director = () => join(place.dir, 'config/directors/boss.yaml');
  const comparison = () => page.getByRole('region', { name: 'Comparison' });
  const compare = async () => {
    await page.getByRole('button', { name: 'Compare' }).click();
    await comparison()
      .getByText(/^Finished, started/)
      .waitFor({ timeout: PATIENCE_MS });
  };

  test('shows what a changed prompt in a form would do to a mail, with both sides, and asks no model', async () => {
    await page.getByRole('treeitem', { name: 'hello' }).click({ timeout: PATIENCE_MS });
    await soon(() => asked).toBe(1);
    await page.goto(`${app.url}/#/config/${encodeURIComponent('config/directors/boss.yaml')}`);
    await page.getByLabel('Text of message 1', { exact: true }).fill('Be polite.');
    await page.getByText('Not saved yet.').waitFor();
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByText('director boss', { exact: true }).waitFor();
    await compare();
    await comparison().getByText('1 run would ask something that is not recorded.').waitFor();
    const row = comparison().locator('tbody tr');
    expect((await row.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^hello run of boss .*the director asks openai m something else: .*Be polite/),
    ]);
    await row.getByRole('link').click();
    await page.getByText('Dear Ada, all is well.').first().waitFor();
    await page.getByText('Show the texts').click();
    expect([await page.locator('del').textContent(), await page.locator('ins').textContent()]).toEqual([
      'brief',
      'polite',
    ]);
    expect([asked, readFileSync(director(), 'utf8').includes(PROMPT)]).toEqual([1, true]);
    await page.keyboard.press('u');
    await comparison().waitFor();
  });

  test('compares a new director together with the filter that sends mail to it', async () => {
    await page.goto(`${app.url}/#/config/new/director`);
    await page.getByLabel('Id (required)').fill('fresh');
    await page.getByLabel(/^Name/).fill('Fresh');
    await page.getByLabel(/^API/).first().selectOption('real');
    await page.goto(`${app.url}/#/config/${encodeURIComponent('config/filters/all.yaml')}`);
    const directors = page.getByLabel(/^Add to director/i);
    await directors.fill('fresh');
    await directors.press('Enter');
    await page.getByText('Not saved yet.').waitFor();
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByText('new director fresh').waitFor();
    await compare();
    await comparison().getByText('went to boss, now to boss, fresh').waitFor();
  });
});

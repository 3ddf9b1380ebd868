import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumPath, leftOut, openBrowser } from './chromium.ts';
import { hostileHtml } from './hostile.ts';
import { soon } from './soon.ts';
import { settled } from './settled.ts';
import { PATIENCE_MS } from '../next-try.ts';

const REPO = fileURLToPath(new URL('../..', import.meta.url));

interface App {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
}

/** Starts the shipped config as `npm start` does, in its own folder, without a key and without Ollama. */
async function startApp(site: string): Promise<App> {
  await cp(join(REPO, 'config'), join(site, 'config'), { recursive: true });
  await mkdir(join(site, 'inbox'));
  // Nothing listens on port 9: a running Ollama would answer late, and differently each time.
  const local = join(site, 'config/apis/local.yaml');
  await writeFile(local, (await readFile(local, 'utf8')).replace(':11434', ':9'));
  const args = [
    'start',
    '--config',
    join(site, 'config'),
    '--data',
    join(site, 'data'),
    '--port',
    '0',
    '--no-open',
    '--json',
  ];
  const { OPENAI_API_KEY: _key, CALLSHEET_TOKEN: _token, ...env } = process.env;
  const child = spawn(process.execPath, [join(REPO, 'engine/callsheet.cjs'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { ...(JSON.parse(line) as { url: string; token: string }), process: child };
}

describe.skipIf(chromiumPath === undefined)(`the shipped workflow in a browser${leftOut}`, () => {
  const hits: string[] = [];
  const tracker = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end();
  });
  let site: string;
  let app: App;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    tracker.listen(0, '127.0.0.1');
    await once(tracker, 'listening');
    site = await mkdtemp(join(tmpdir(), 'callsheet-app-'));
    [app, browser] = await Promise.all([startApp(site), openBrowser()]);
    page = await browser.context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    tracker.close();
    if (app !== undefined) {
      app.process.kill('SIGTERM');
      await once(app.process, 'exit');
    }
    if (site !== undefined) await rm(site, { recursive: true, force: true });
  });

  /** Puts a mail into the inbox in one step, as a mail program does. */
  const drop = async (name: string, subject: string, type: string, body: string) => {
    const head = `From: Ada Ray <ray@example.org>\nTo: support@example.com\nSubject: ${subject}\nMessage-ID: <${name}@example.org>`;
    await writeFile(
      join(site, name),
      `${head}\nDate: Fri, 20 Nov 2026 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: ${type}; charset=utf-8\n\n${body}\n`,
    );
    await rename(join(site, name), join(site, 'inbox', `${name}.eml`));
  };

  test('without the token the page says how to sign in', async () => {
    await page.goto(app.url);
    await page.getByText('callsheet start').waitFor();
  });

  test('the printed link signs in and leaves no token in the address', async () => {
    await page.goto(`${app.url}/?token=${app.token}`);
    await page.locator('.link.live').waitFor();
    expect(page.url()).not.toContain('token');
  });

  test('a page whose modules do not arrive says so, and comes when the viewer is loaded again', async () => {
    const other = await browser.context.newPage();
    await other.route('**/spend-screen*', (route) => route.abort());
    await other.goto(`${app.url}/#/spend`);
    await other.getByText('This page could not be loaded.').waitFor();
    await other.unroute('**/spend-screen*');
    await other.getByRole('button', { name: 'Reload' }).click();
    await other.getByRole('heading', { name: 'Spend' }).first().waitFor();
    await other.close();
  });

  test('the results of a mail put into the inbox appear without a reload', async () => {
    await page.evaluate(() => Object.assign(window, { same: true }));
    await drop('invoice', 'Invoice 4411 lists the cable twice', 'text/plain', 'Please send a corrected one.');
    await page.getByRole('treeitem', { name: 'Invoice 4411' }).click({ timeout: PATIENCE_MS });
    await page.locator('.card').first().waitFor({ timeout: PATIENCE_MS });
    await page.getByText('scripted, no AI').first().waitFor();
    expect(await page.evaluate(() => 'same' in window)).toBe(true);
  });

  test('the real store saves an edit as the next revision', async () => {
    await page.locator('.card').first().click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.editor textarea').fill('# Checked\n\nby hand');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.frameLocator('iframe.frame').getByRole('heading', { name: 'Checked' }).waitFor();
    await soon(() => page.locator('.sub').first().innerText()).toContain('revision 2');
  });

  test('hostile HTML from a real mail loads nothing remote and runs nothing', async () => {
    const { port } = tracker.address() as AddressInfo;
    await drop('hostile', 'Look at this', 'text/html', hostileHtml(`http://127.0.0.1:${port}`));
    await page.getByRole('treeitem', { name: 'Look at this' }).click({ timeout: PATIENCE_MS });
    await page.frameLocator('iframe[title="E-mail body"]').getByText('Hello from the mail').waitFor();
    await page.getByText('Images blocked').waitFor();
    await settled(page);
    expect(hits).toEqual([]);
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  });

  test('a broken edit of an agent shows a banner, and the old version still runs', async () => {
    await page.goto(`${app.url}/#/config`);
    await page.getByRole('heading', { name: 'Problems' }).waitFor();
    await writeFile(join(site, 'config/agents/responder.yaml'), 'id: responder\nnonsense: true\n');
    await page.getByText('An edit was rejected.').waitFor();
    expect(await page.locator('.banner').innerText()).toContain('config/agents/responder.yaml still runs');
  });

  test('no screen breaks the CSP of the page', async () => {
    const broken: string[] = [];
    page.on('console', (message) => /Content Security Policy/i.test(message.text()) && broken.push(message.text()));
    for (const screen of ['runs', 'approvals', 'todos', 'config']) {
      await page.goto(`${app.url}/#/${screen}`);
      await page.locator(`nav a[aria-current=page][href="#/${screen}"]`).waitFor();
    }
    await settled(page);
    expect(broken).toEqual([]);
  });
});

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk, send, TOKEN } from '../../api/harness.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from '../chromium.ts';
import { soon } from '../soon.ts';

const MAIL = `From: Ada Ray <ada@example.org>
To: me@example.org
Subject: nothing much
Message-ID: <1@example.org>
Date: Sat, 21 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8

<p>Hello from the mail</p>
--b
Content-Type: text/csv; name=costs.csv
Content-Disposition: attachment; filename=costs.csv

a,b
--b--
`;

/** Chromium sends the cookies of 127.0.0.1 to every port, so also to a server of another user of this machine. */
describe.skipIf(chromiumPath === undefined)(`a second server on this machine${leftOut}`, () => {
  const seen: IncomingHttpHeaders[] = [];
  const thief = createServer((request, response) => {
    seen.push(request.headers);
    response.setHeader('Content-Type', 'text/html').end('<title>thief</title>');
  });
  let thiefUrl: string;
  let desk: Desk;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    thief.listen(0, '127.0.0.1');
    await once(thief, 'listening');
    thiefUrl = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    [desk, browser] = await Promise.all([openDesk(), openBrowser()]);
    desk.drop('mail.eml', MAIL);
    await desk.fetch();
    page = await browser.context.newPage();
    await page.goto(`${desk.url}/?token=${TOKEN}`);
    await page.locator('.link.live').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
    thief.close();
  });

  /** A script of the thief: it sends what the browser would send, and the stolen cookie. */
  const replay = (line: string, more: Readonly<Record<string, string>> = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const cookie = seen.map((headers) => headers.cookie).find((text) => text?.includes('vx.session')) ?? '';
    const headers = { cookie, 'origin': desk.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', ...more };
    return send(desk.port, '', method, path, { isSignedIn: false, headers });
  };

  test('receives the cookie from the browser, replays it from a script and gets 401', async () => {
    const second = await browser.context.newPage();
    await second.goto(thiefUrl);
    expect(seen.some(({ cookie }) => /vx\.session=v\d\./.test(cookie ?? ''))).toBe(true);
    const [mail] = (await desk.get('/api/emails')).json.items;
    const lines = ['/api/runs', '/api/stream', '/api/auth/whoami', `/api/emails/${mail?.id}/body.html`];
    for (const line of [
      ...lines.map((path) => `GET ${path}`),
      'POST /api/fetcher/stop',
      'DELETE /api/browser-sessions',
    ])
      expect([line, (await replay(line)).status]).toEqual([line, 401]);
    const navigates = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await replay('GET /api/runs', navigates)).status).toBe(401);
    // The key of the page is what the script lacks, and the thief's page, of another origin, cannot read it.
    const key = await page.evaluate(() => localStorage.getItem('callsheet.key') ?? '');
    expect((await replay('GET /api/runs', { 'x-callsheet-key': key })).status).toBe(200);
    expect((await replay(`GET /api/runs?key=${key}`)).status).toBe(200);
    expect((await replay(`POST /api/fetcher/stop?key=${key}`)).status).toBe(401);
    expect(await second.evaluate(() => Object.keys(localStorage))).toEqual([]);
    await second.close();
  });

  test('cannot end the session by its cookie alone', async () => {
    expect((await replay('POST /api/auth/logout')).status).toBe(204);
    await page.reload();
    await page.locator('.link.live').waitFor();
  });

  test('leaves the viewer whole: address, mail, body, attachment, a new tab and a deep link', async () => {
    expect(page.url()).not.toMatch(/key|token/);
    await page.getByRole('treeitem', { name: 'nothing much' }).click();
    const place = page.url();
    await page.frameLocator('iframe[title="E-mail body"]').getByText('Hello from the mail').waitFor();
    const download = page.waitForEvent('download');
    await page.getByText('costs.csv').click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('costs.csv');
    expect((await readFile(await file.path())).toString()).toContain('a,b');
    // Browsers note the address of a download beside the file, for other users to read.
    expect(file.url()).not.toContain('key=');
    const tab = await browser.context.newPage();
    await tab.goto(place);
    await tab.getByRole('heading', { name: 'nothing much' }).waitFor();
    await tab.close();
  });

  test('a restart of the engine leaves open tabs signed in', async () => {
    const port = desk.port;
    await desk.restart('another-token-0123456789', port);
    await page.reload();
    await page.locator('.link.live').waitFor();
  });

  test('a link with another key does not sign out a browser that is signed in', async () => {
    await page.goto('about:blank');
    await page.goto(`${desk.url}/#key=of-somebody-else`);
    await page.locator('.link.live').waitFor();
    expect(page.url()).not.toContain('key');
  });

  test('when all sessions are ended, an open page says so at once', async () => {
    expect((await desk.ask('DELETE', '/api/browser-sessions')).status).toBe(204);
    await page.getByText('You are not signed in').waitFor();
    await soon(() => page.locator('.link.live').count()).toBe(0);
  });
});

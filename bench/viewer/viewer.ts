/**
 * Measures the viewer in Chromium, on a store of 100,000 mails of which the newest 10,000 have a result: the first page from
 * a server that has just started, its bytes over the wire, and the time from a key or a click to the next frame once all mails
 * are loaded. `node bench/viewer/viewer.ts [--json] [mails]`.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '../../tests/browser/chromium.ts';
import { home, median, serve } from '../serve.ts';
import { fill } from './fill.ts';

const MAILS = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 100_000);
const RESULTS = Math.min(MAILS, 10_000);
const OPENINGS = 5;
const KEYS = 20;
const LARGEST_PAGE = 200;

/** Runs a step and says on stderr how long it took: with 100,000 mails they take minutes. */
async function timed<T>(name: string, step: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await step();
  console.error(`viewer: ${name} took ${Math.round((performance.now() - began) / 1000)} s`);
  return result;
}

const round = (ms: number) => Math.round(ms);

/** From the address to a row of the list and a result on the screen: the server has answered nothing before. */
async function firstPage(root: string): Promise<{ ms: number; bytes: number }> {
  const server = await serve(root);
  const browser = await openBrowser();
  try {
    const page = await browser.context.newPage();
    const wire = await browser.context.newCDPSession(page);
    let bytes = 0;
    await wire.send('Network.enable');
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    const began = performance.now();
    await page.goto(server.signIn);
    await page.getByRole('treeitem').first().waitFor();
    await page.locator('.card').first().waitFor();
    return { ms: performance.now() - began, bytes };
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Milliseconds from each of these steps to the end of the frame that shows it. */
async function toPaint(page: Page, steps: readonly (() => Promise<void>)[]): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    const measure = ({ timeStamp }: Event) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => void times.push(performance.now() - timeStamp);
        port2.postMessage(undefined);
      });
    for (const kind of ['keydown', 'click']) addEventListener(kind, measure, { capture: true });
  });
  const count = () => page.evaluate<number>('times.length');
  for (const [n, step] of steps.entries()) {
    await step();
    while ((await count()) <= n) await page.waitForTimeout(5);
  }
  return page.evaluate<number[]>('times');
}

async function interactions(root: string): Promise<{ loaded: number; rows: number; ms: number[] }> {
  const server = await serve(root);
  const browser = await openBrowser();
  try {
    const page = await browser.context.newPage();
    // The largest pages that the API has: 2,000 pages of 50 took minutes, and only the loaded list is measured.
    await page.route(/\/api\/emails\?/, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/\blimit=\d+/, `limit=${LARGEST_PAGE}`),
      }),
    );
    await page.goto(server.signIn);
    await page.getByRole('treeitem').first().waitFor();
    // The list loads its next page when its end comes into sight.
    const loaded = await page.evaluate<number>(`(async () => {
      for (let more; (more = document.querySelector('.more')); ) {
        more.scrollIntoView();
        await new Promise(requestAnimationFrame);
      }
      const row = document.querySelector('[role=treeitem]');
      row.scrollIntoView();
      return Number(row.getAttribute('aria-setsize'));
    })()`);
    const tree = page.getByRole('tree');
    await tree.focus();
    const keys = ['j', 'j', 'k', 'o', 'u', 'End', 'k', 'Home', 'j', 'x'];
    const steps = Array.from({ length: KEYS }, (_, n) => () => page.keyboard.press(keys[n % keys.length]!));
    const ms = await toPaint(page, [...steps, () => page.getByRole('treeitem').nth(3).click()]);
    return { loaded, rows: await page.getByRole('treeitem').count(), ms };
  } finally {
    await browser.close();
    await server.stop();
  }
}

if (chromiumPath === undefined) console.error('viewer: left out, there is no Chromium; set CHROMIUM to its path');
else {
  const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
  try {
    await mkdir(join(root, 'data'));
    await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
    await timed(`storing ${MAILS} mails`, () => fill(root, MAILS, RESULTS));
    const pages: { ms: number; bytes: number }[] = [];
    for (let n = 0; n < OPENINGS; n++) pages.push(await timed('a first page', () => firstPage(root)));
    const { loaded, rows, ms } = await timed('loading all mails and pressing keys', () => interactions(root));
    const result = {
      ...{ mails: MAILS, results: RESULTS, loaded, rows },
      firstPageMs: round(median(pages.map((page) => page.ms))),
      firstPageKb: round(median(pages.map(({ bytes }) => bytes)) / 1000),
      toPaintMs: round(median(ms)),
      toPaintWorstMs: round(Math.max(...ms)),
    };
    if (process.argv.includes('--json')) console.log(JSON.stringify(result));
    else
      console.log(
        `viewer: first page of ${RESULTS} results and ${MAILS} mails after ${result.firstPageMs} ms with ${result.firstPageKb} KB (median of ${OPENINGS} cold servers and browsers); ` +
          `with ${loaded} mails loaded ${rows} rows are drawn, and a key or click is painted after ${result.toPaintMs} ms (median of ${ms.length}), ${result.toPaintWorstMs} ms at worst`,
      );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

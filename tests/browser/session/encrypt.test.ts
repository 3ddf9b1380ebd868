import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LETTER, makePlace, type Place, type Started } from '../../cli/harness.ts';
import { PATIENCE_MS } from '../../next-try.ts';
import { findWords } from '../../store/folder.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from '../chromium.ts';
import { soon } from '../soon.ts';

/** What must not lie in the data folder afterwards. */
const WORDS = ['Zephyrine invoice 7781', 'the-wombat-clause-applies', 'ada@secret-sender.example'];
const MAIL = LETTER.replace('Subject: hello', `Subject: ${WORDS[0]}`)
  .replace('Hello.', `${WORDS[1]}`)
  .replace('ada@example.org', `${WORDS[2]}`);

describe.skipIf(chromiumPath === undefined)(`encryption by a click${leftOut}`, { timeout: 90_000 }, () => {
  let browser: Browser;
  let place: Place;
  let server: Started;
  let page: Page;
  let answers: Promise<string>[];
  beforeAll(async () => void (browser = await openBrowser()));
  afterAll(() => browser?.close());
  beforeEach(async () => {
    place = makePlace();
    writeFileSync(join(place.dir, '.env'), '# mine\nOTHER=one # kept\n', { mode: 0o644 });
    server = await place.start();
    place.drop('a.eml', MAIL);
    await server.ask('POST', '/api/fetcher/fetch');
    await soon(async () => (await (await server.ask('GET', '/api/runs')).text()).includes('"completed"')).toBe(true);
    page = await browser.context.newPage();
    answers = [];
    // The stream of events has no end.
    page.on('response', (answer) => {
      if (!answer.url().includes('/api/stream')) answers.push(answer.text().catch(() => ''));
    });
    await page.goto(`${server.url}/?token=${server.token}`);
    await page.locator('.link.live').waitFor({ state: 'attached' });
    await page.goto(`${server.url}/#/accounts`);
  });
  afterEach(async () => {
    await page.close();
    await server.stop('SIGKILL');
    place.remove();
  });

  const env = () => readFileSync(join(place.dir, '.env'), 'utf8');
  /** Presses the button, and the one of the dialog. */
  const encrypt = async () => {
    await page.getByRole('button', { name: 'Encrypt now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Encrypt and restart' }).click();
  };

  test('encrypts all that is stored, and the page comes back by itself with its data', async () => {
    expect(findWords(place.dataDir, WORDS)).not.toEqual([]);
    await page.evaluate(() => Object.assign(window, { same: true }));
    await encrypt();
    await page.getByText('Encrypted.').waitFor({ timeout: PATIENCE_MS });
    await page.getByText(`The key lies in ${join(place.dir, '.env')}`).waitFor();
    expect(findWords(place.dataDir, WORDS)).toEqual([]);

    const key = /^# mine\nOTHER=one # kept\nVX_MAILAGENT_KEY=([0-9a-f]{64})\n$/.exec(env())?.[1] ?? '';
    expect(key).toHaveLength(64);
    expect(statSync(join(place.dir, '.env')).mode & 0o777).toBe(0o600);

    await page.locator('.link.live').waitFor({ state: 'attached', timeout: PATIENCE_MS });
    await page.goto(`${server.url}/#/inbox`);
    await page.getByRole('treeitem', { name: WORDS[0]! }).click();
    await page.locator('.card').first().waitFor();
    expect(await page.evaluate(() => 'same' in window)).toBe(true);
    const seen = [...(await Promise.all(answers)), await page.content(), server.stderr(), server.stdout()];
    expect(seen.filter((text) => text.includes(key))).toEqual([]);
    // The token of the start stays valid.
    expect((await server.ask('GET', '/api/encryption')).status).toBe(200);
  });

  test('says before the click what will happen, and does nothing when it is cancelled', async () => {
    await page.getByRole('button', { name: 'Encrypt now' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain(join(place.dir, '.env'));
    expect(await dialog.innerText()).toContain('loses the data');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Encrypt now' }).waitFor();
    expect(env()).not.toContain('VX_MAILAGENT_KEY');
    expect(server.stderr()).not.toContain('stopping');
  });

  test('changes nothing while another program has the database open, says so, and works afterwards', async () => {
    const other = new DatabaseSync(join(place.dataDir, 'callsheet.db'), { readOnly: true });
    other.exec('BEGIN');
    other.prepare('SELECT count(*) FROM mail').get();
    await encrypt();
    await page.getByText('another program has').waitFor({ timeout: PATIENCE_MS });
    await page.getByText('Nothing was changed').waitFor();
    expect(env()).toBe('# mine\nOTHER=one # kept\n');
    other.close();
    await encrypt();
    await page.getByText('Encrypted.').waitFor({ timeout: PATIENCE_MS });
    expect(findWords(place.dataDir, WORDS)).toEqual([]);
  });
});

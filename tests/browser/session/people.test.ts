import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GoogleEmulator, startGoogle } from '../../account/oauth/google-emulator.ts';
import { openLoginDesk } from '../../api/auth/sign-in.ts';
import { type Desk, letter } from '../../api/harness.ts';
import { type Browser, chromiumPath, leftOut, openBrowser } from '../chromium.ts';
import { soon } from '../soon.ts';

describe.skipIf(chromiumPath === undefined)(`people who sign in with Google${leftOut}`, () => {
  let google: GoogleEmulator;
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    google = await startGoogle();
    [desk, browser] = await Promise.all([openLoginDesk(google.url), openBrowser()]);
    desk.drop('mail.eml', letter('nothing much'));
    await desk.fetch();
    page = await browser.context.newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
    await google?.close();
  });

  const signInAs = async (email: string) => {
    await page.getByRole('link', { name: 'Sign in with Google' }).click();
    await page.getByRole('button', { name: email }).click();
    await page.locator('.link.live').waitFor({ state: 'attached' });
  };

  test('see a page that leads to Google, and come back to where they were', async () => {
    await page.goto(`${desk.url}/#/runs`);
    await signInAs('jane@example.org');
    expect(page.url()).toBe(`${desk.url}/#/runs`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await page.getByRole('button', { name: 'Fetch mail now' }).isVisible()).toBe(true);
  });

  test('sign out, and the page says so at once', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Callsheet' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Callsheet' }).waitFor();
  });

  test('do not see what their role may not do', async () => {
    await page.goto(`${desk.url}/#/inbox`);
    await signInAs('john@example.org');
    await page.getByRole('treeitem', { name: 'nothing much' }).click();
    await page.getByRole('heading', { name: 'nothing much' }).waitFor();
    await soon(() => page.getByRole('button', { name: 'Fetch mail now' }).isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reply' }).count()).toBe(0);
    await page.keyboard.press('f');
    await page.getByText('this needs the role admin').waitFor();
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { chromium as found } from '../available.ts';

/** Path of Chromium on this machine, or undefined. */
export const chromiumPath = found;

/** Part of the title of a suite that is left out because there is no browser. */
export const leftOut =
  chromiumPath === undefined ? ' (left out: no Chromium on this machine; set CHROMIUM to its path)' : '';

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A browser with its own profile and without background requests. */
export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium');
  const profile = mkdtempSync(join(tmpdir(), 'callsheet-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    headless: true,
    viewport: { width: 1280, height: 800 },
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-gpu',
      '--no-first-run',
      '--disable-component-update',
      '--disable-sync',
      // The pages of a suite share a process and its compiled code: a new one takes half of the processor time.
      '--renderer-process-limit=1',
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

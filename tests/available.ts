import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const corporaFolder = process.env['CORPORA_DIR'] ?? join(root, '..', 'shared', 'corpora');

/** The folder of test corpora, which are not part of the repository, or undefined where there is none. */
export const corpora = existsSync(corporaFolder) ? corporaFolder : undefined;

/** Where browsers lie on the systems that we know; playwright-core brings none of its own. */
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of a Chromium or Chrome, or undefined where there is none. */
export const chromium = [process.env['CHROMIUM'], ...BROWSERS].find((path) => path !== undefined && existsSync(path));

/** Whether loops run at their full length (`CALLSHEET_FULL=1`); else a short one that still proves the point. */
export const isFull = process.env['CALLSHEET_FULL'] === '1';

/** What this run leaves out or shortens, each with what would bring it in. */
export function leftOut(): string[] {
  return [
    ...(corpora === undefined ? ['tests on the corpora: there is no folder of them; set CORPORA_DIR'] : []),
    ...(chromium === undefined
      ? ['tests in a browser: no Chromium or Chrome was found; set CHROMIUM to its path']
      : []),
    ...(isFull ? [] : ['long loops run short; CALLSHEET_FULL=1 runs them in full']),
  ];
}

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const corporaFolder = process.env['CORPORA_DIR'] ?? join(root, '..', 'shared', 'corpora');

/** The folder of test corpora, which are not part of the repository, or undefined where there is none. */
export const corpora = existsSync(corporaFolder) ? corporaFolder : undefined;

/**
 * Where browsers lie on the systems that we know; playwright-core brings none of its own. First the one without windows, which draws no tabs
 * and tools around a page: it takes a third less processor time.
 */
const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of a Chromium or Chrome, or undefined where there is none. */
export const chromium = [process.env['CHROMIUM'], ...BROWSERS].find((path) => path !== undefined && existsSync(path));

/** Folder of a PostgreSQL's programs (15 or newer), or undefined where there is none. Debian keeps them out of the PATH. */
export const postgres = [
  process.env['POSTGRES_BIN'],
  ...debianPostgres(),
  ...(process.env['PATH'] ?? '').split(delimiter),
]
  .filter((folder) => folder !== undefined)
  .find((folder) => folder !== '' && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));

function debianPostgres(): string[] {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).map(Number) : [];
  return versions
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
    .map((version) => join(root, String(version), 'bin'));
}

/** A Dovecot (the program `dovecot` with IMAP), or undefined where there is none. Debian keeps it out of the PATH. */
export const dovecot = [
  process.env['DOVECOT'],
  '/usr/sbin/dovecot',
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'dovecot')),
].find((path) => path !== undefined && existsSync(path));

/** An nginx, or undefined where there is none. Debian keeps it out of the PATH. */
export const nginx = [
  process.env['NGINX'],
  '/usr/sbin/nginx',
  ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'nginx')),
].find((path) => path !== undefined && existsSync(path));

/** Whether programs can run under bubblewrap (`bwrap`) here: some containers forbid it. */
export const hasBubblewrap =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--', 'true'], { stdio: 'ignore' }).status === 0;

/** The user that Unix keeps for programs without rights. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * How to spawn a program that may not read and write everywhere: as it is, or as nobody where the tests run as root.
 * Undefined where that cannot be: nobody cannot reach the checkout or Node, or the system has no such users.
 */
export const powerless: { readonly uid?: number; readonly gid?: number } | undefined =
  process.getuid === undefined ? undefined : process.getuid() !== 0 ? {} : isOpenToAll() ? NOBODY : undefined;

function isOpenToAll(): boolean {
  const mayAll = (path: string, right: number) => (statSync(path).mode & right) === right;
  const isReachable = (path: string): boolean =>
    path === dirname(path) || (mayAll(path, 0o001) && isReachable(dirname(path)));
  const main = join(root, 'engine/src/main.ts');
  return mayAll(main, 0o004) && [dirname(main), process.execPath, tmpdir()].every(isReachable);
}

/** Whether loops run at their full length (`CALLSHEET_FULL=1`); else a short one that still proves the point. */
export const isFull = process.env['CALLSHEET_FULL'] === '1';

/** A PostgreSQL for tests that take long: only where loops run at their full length. */
export const longPostgres = isFull ? postgres : undefined;

/** A Dovecot and a Chromium for tests that take long: only where loops run at their full length. */
export const longDovecot = isFull ? dovecot : undefined;
export const longChromium = isFull ? chromium : undefined;

/** Ends of the titles of suites that are left out: what each of them needs. */
export const forFull = ' (needs CALLSHEET_FULL=1)';
export const forPostgres = ' (needs PostgreSQL and CALLSHEET_FULL=1)';
export const forDovecot = ' (needs Dovecot and CALLSHEET_FULL=1)';
export const forChromium = ' (needs Chromium and CALLSHEET_FULL=1)';

/** What this run leaves out or shortens, each with what would bring it in. */
export function leftOut(): string[] {
  return [
    ...(corpora === undefined ? ['tests on the corpora: there is no folder of them; set CORPORA_DIR'] : []),
    ...(chromium === undefined
      ? ['tests in a browser: no Chromium or Chrome was found; set CHROMIUM to its path']
      : []),
    ...(postgres === undefined
      ? ['tests on a real PostgreSQL: none was found; install it, or set POSTGRES_BIN to the folder of initdb']
      : []),
    ...(dovecot === undefined
      ? ['tests on a real IMAP server: no Dovecot was found; install dovecot-imapd, or set DOVECOT to its path']
      : []),
    ...(nginx === undefined
      ? ['tests behind a reverse proxy: no nginx was found; install nginx-light, or set NGINX to its path']
      : []),
    ...(hasBubblewrap ? [] : ['tests in a sandbox: bubblewrap is not installed, or may not run here']),
    ...(powerless === undefined
      ? ['tests without rights: as root they need a checkout and a Node that every user can read']
      : []),
    ...(isFull
      ? []
      : [
          'long loops run short, and many tests on a real PostgreSQL, on Dovecot and in a browser not at all; CALLSHEET_FULL=1 runs them in full',
        ]),
  ];
}

/** A folder for temporary files that programs in a sandbox see: it is on a disk (`memory-folder.ts`). */
export const disk = process.env['TEST_DISK'] ?? tmpdir();

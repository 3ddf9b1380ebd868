import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../available.ts';

interface Locked {
  readonly version: string;
  readonly optional?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
}
type Packages = Record<string, Locked>;

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'callsheet-setup-'));
  mkdirSync(join(clone, 'scripts'));
  copyFileSync(join(root, 'scripts', 'setup.mjs'), join(clone, 'scripts', 'setup.mjs'));
});
afterEach(() => rmSync(clone, { recursive: true }));

/** Writes the lock, and what npm noted down as installed; undefined for no node_modules. */
function given(locked: Packages, installed: Packages | undefined): void {
  const lock = (packages: Packages) => JSON.stringify({ lockfileVersion: 3, packages });
  writeFileSync(join(clone, 'package-lock.json'), lock({ '': { version: '1.0.0' }, ...locked }));
  if (installed === undefined) return;
  mkdirSync(join(clone, 'node_modules'));
  writeFileSync(join(clone, 'node_modules', '.package-lock.json'), lock(installed));
}

/** Runs the setup with an npm that writes down its arguments, says `says` and ends with `exit`. */
function setUp({ says = '', exit = 0 } = {}) {
  const npm = join(clone, 'npm-cli.js');
  writeFileSync(
    npm,
    `require('node:fs').writeFileSync(${JSON.stringify(join(clone, 'asked'))}, process.argv.slice(2).join(' '));
     console.error(${JSON.stringify(says)});
     process.exit(${exit});`,
  );
  const env = { PATH: process.env['PATH'], npm_execpath: npm, npm_node_execpath: process.execPath };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, 'scripts', 'setup.mjs')], {
    env,
    encoding: 'utf8',
  });
  const asked = existsSync(join(clone, 'asked')) ? readFileSync(join(clone, 'asked'), 'utf8') : undefined;
  return { status, stdout, stderr, asked };
}

const one = { 'node_modules/koa': { version: '3.3.0' } };

test.each([
  { name: 'everything is there', locked: one, installed: one },
  {
    name: 'only a package for another platform is missing',
    locked: { ...one, 'node_modules/x': { version: '1.0.0', optional: true } },
    installed: one,
  },
  {
    name: 'only the pinned Node for another platform is missing',
    locked: {
      ...one,
      'node_modules/node-beos-x64': { version: '1.0.0', optional: true, os: 'beos', cpu: process.arch },
    },
    installed: one,
  },
  {
    name: 'there is more than the lock lists',
    locked: one,
    installed: { ...one, 'node_modules/y': { version: '1.0.0' } },
  },
])('does nothing, and says nothing, where $name', ({ locked, installed }) => {
  given(locked, installed);
  expect(setUp()).toEqual({ status: 0, stdout: '', stderr: '', asked: undefined });
});

test.each(['string', 'list'])('installs the pinned Node of this platform where it is missing (os as a %s)', (form) => {
  const [os, cpu] = form === 'list' ? [[process.platform], [process.arch]] : [process.platform, process.arch];
  given({ ...one, 'node_modules/node-this-one': { version: '1.0.0', optional: true, os, cpu } }, one);
  expect(setUp().asked).toMatch(/--include=optional/);
});

test('links the pinned Node again where npm left its link out, and does nothing else', () => {
  const node = { version: '1.0.0', optional: true, os: process.platform, cpu: process.arch };
  const all = { ...one, 'node_modules/node-this-one': node };
  given(all, all);
  expect(setUp()).toMatchObject({
    status: 0,
    stderr: '',
    asked: 'rebuild node-this-one --ignore-scripts --loglevel=error',
  });
});

test('the lock pins the hash of every package, the Node of each platform included, and none runs a script', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked & { integrity?: string; hasInstallScript?: boolean }>;
  };
  const packages = Object.entries(lock.packages).filter(([place]) => place !== '');
  const named = (fits: (one: (typeof packages)[number][1]) => boolean) =>
    packages.filter(([, one]) => fits(one)).map(([place]) => place);
  expect(named(({ integrity }) => !/^sha512-/.test(integrity ?? ''))).toEqual([]);
  expect(named(({ hasInstallScript }) => hasInstallScript === true)).toEqual([]);
  const nodes = packages.filter(([place]) => /^node_modules\/node(-bin)?-(linux|darwin|win)-/.test(place));
  expect(nodes.map(([, { os, cpu }]) => `${String(os)} ${String(cpu)}`).sort()).toEqual([
    'darwin arm64',
    'darwin x64',
    'linux arm64',
    'linux x64',
    'win32 x64',
  ]);
  expect(new Set(nodes.map(([, { version }]) => version)).size).toBe(1);
});

const outdated: readonly { name: string; installed: Packages | undefined }[] = [
  { name: 'there is no node_modules', installed: undefined },
  { name: 'a package is missing', installed: {} },
  { name: 'a package has another version', installed: { 'node_modules/koa': { version: '3.2.0' } } },
];

test.each(outdated)('installs what the lock says, in one line, where $name', ({ installed }) => {
  given(one, installed);
  const { status, stdout, stderr, asked } = setUp();
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: '',
    stderr: 'callsheet: installing what is missing (once) …\n',
  });
  expect(asked).toMatch(/^ci --include=dev --include=optional --ignore-scripts /);
});

test('says that the registry cannot be reached, and not what npm thinks of it', () => {
  given(one, undefined);
  const { status, stderr } = setUp({ says: 'npm error code ENOTFOUND\nnpm error at a long stack', exit: 1 });
  expect(status).toBe(1);
  expect(stderr).toContain('the npm registry could not be reached (ENOTFOUND)');
  expect(stderr).not.toContain('a long stack');
});

test('shows what npm said where anything else fails', () => {
  given(one, undefined);
  const { status, stderr } = setUp({ says: 'npm error code EACCES', exit: 243 });
  expect(status).toBe(1);
  expect(stderr).toContain('npm error code EACCES');
  expect(stderr).toContain('npm ci ended with 243');
});

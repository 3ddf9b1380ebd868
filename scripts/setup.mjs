// Runs before the npm scripts, on whatever Node is there (20 or newer), so it is plain JavaScript and imports nothing
// from node_modules. When what package-lock.json lists is not all installed, it installs it; else it does nothing.
// The lock brings a Node of its own, one optional package per platform, which npm puts first in the PATH of the script that
// follows. Its hash is in the lock like that of every package, and no package runs an install script.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
/** The oldest Node that runs the engine's TypeScript as it is. */
const ENGINE_NODE = 24;
/** Longest time for the bundle, which takes some seconds. */
const BUNDLE_MS = 60_000;
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/;

const root = fileURLToPath(new URL('..', import.meta.url));
const isWindows = process.platform === 'win32';

/** The packages of a lock file by their place, or undefined where there is no readable one. */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether every package of the lock is in node_modules in its version. npm keeps the list of what it installed in
 * node_modules/.package-lock.json; comparing contents, unlike dates, also holds after a `git checkout` or a copy.
 */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(
    ([place, { version, integrity, optional, devOptional }]) =>
      place === '' ||
      (present[place]?.version === version && present[place]?.integrity === integrity) ||
      // Packages for other platforms are listed and rightly missing.
      (present[place] === undefined && (optional || devOptional) && !isNodeOfThisMachine(place, wanted[place])),
  );
}

/** Whether a package of the lock is the pinned Node for this platform. */
function isNodeOfThisMachine(place, { os, cpu }) {
  return (
    /^node_modules\/node(-bin)?-/.test(place) &&
    [os].flat().includes(process.platform) &&
    [cpu].flat().includes(process.arch)
  );
}

/** Runs npm with the Node that npm itself runs on: the one in node_modules is about to be replaced. */
function npm(...args) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 2 ** 20 };
  const cli = process.env.npm_execpath ?? '';
  return /npm-cli\.c?js$/.test(cli)
    ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [cli, ...args], options)
    : // Node refuses to start npm.cmd without a shell.
      spawnSync('npm', args, { ...options, shell: isWindows });
}

/** Stops the npm script with what went wrong and what to do. */
function fail(message, hint) {
  console.error(`callsheet: ${message}\n           ${hint}`);
  process.exit(1);
}

function install() {
  console.error('callsheet: installing what is missing (once) …');
  // Windows keeps the running node.exe from being removed with the rest, so there only what differs is replaced.
  const isOwnNode = process.execPath.startsWith(join(root, 'node_modules') + sep);
  const command = isWindows && isOwnNode ? ['install', '--no-save'] : ['ci'];
  const result = npm(
    ...command,
    '--include=dev',
    '--include=optional', // the pinned Node
    '--ignore-scripts', // no package needs one
    '--no-engine-strict', // an older Node may install; it does not run the engine
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  );
  if (result.error !== undefined) {
    fail(`npm could not be started: ${result.error.message}`, 'Install npm (it comes with Node), then try again.');
  }
  if (result.status === 0) return;
  const said = `${result.stdout}${result.stderr}`.trim();
  const offline = OFFLINE.exec(said)?.[0];
  if (offline !== undefined) {
    fail(
      `packages are missing, and the npm registry could not be reached (${offline}).`,
      'Check the network or the proxy (npm config get registry), then try again. Later starts need no network.',
    );
  }
  console.error(said);
  fail(
    `npm ${command[0]} ended with ${result.status ?? result.signal}; its words are above.`,
    'Fix that, then try again.',
  );
}

/** npm 10 removes the link to the pinned Node with those of the packages for other platforms; this makes it again. */
function linkNode() {
  const installed = Object.entries(packagesOf('node_modules/.package-lock.json') ?? {});
  const [place] = installed.find(([place, entry]) => isNodeOfThisMachine(place, entry)) ?? [];
  if (place !== undefined && !existsSync(pinned))
    npm('rebuild', place.slice('node_modules/'.length), '--ignore-scripts', '--loglevel=error');
}

/** A path for the shell that Windows needs: it may contain spaces. */
function quoted(path) {
  return isWindows ? `"${path}"` : path;
}

/** Makes the bundle of the engine, after an installation and before a start. Without it the sources run. */
function bundle() {
  const script = join(root, 'scripts', 'bundle.mjs');
  const isWanted = hasInstalled || process.argv.includes('--link') || process.argv.includes('--bundle');
  if (isWanted && existsSync(script) && existsSync(pinned))
    spawnSync(quoted(pinned), [quoted(script)], { cwd: root, stdio: 'ignore', shell: isWindows, timeout: BUNDLE_MS });
}

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST_NODE) {
  fail(
    `Node ${OLDEST_NODE} or newer is needed to begin with; this is ${process.version}.`,
    'Install a current Node from https://nodejs.org, then try again.',
  );
}
// As the postinstall script, npm has just installed.
const hasInstalled = !process.argv.includes('--link') && !isInstalled();
if (hasInstalled) install();

const pinned = join(root, 'node_modules', '.bin', isWindows ? 'node.cmd' : 'node');
linkNode();
bundle();
if (process.argv.includes('--link')) process.exit();

if (major < ENGINE_NODE && !existsSync(pinned)) {
  fail(
    `Node ${ENGINE_NODE} or newer is needed; this is ${process.version}, and the pinned Node was not installed.`,
    `There is one for Linux and macOS (x64, arm64) and Windows (x64). Elsewhere, install Node ${ENGINE_NODE}.`,
  );
}

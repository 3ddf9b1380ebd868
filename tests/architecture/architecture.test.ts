import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from '../available.ts';
import {
  badNames,
  bannedWords,
  cycles,
  loadedBy,
  ROOMS,
  strangers,
  tooLong,
  wrongPackages,
  wrongWays,
} from './rules.ts';
import {
  backwardImports,
  crowdedFolders,
  kindSwitches,
  repeatedTypes,
  retiredNames,
  unmatchedTests,
  unplacedFolders,
} from './layout.ts';
import { readSources, targetOf } from './source.ts';

const engine = readSources(root, ['engine']);
const ui = readSources(root, ['ui']);
const around = readSources(root, ['bench', 'scripts']);
const tests = readSources(root, ['tests']);
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  /** Packages that are imported where they are installed. */
  peerDependencies: Record<string, string>;
};

test('every engine file is in a room', () => {
  expect(engine.length).toBeGreaterThan(10);
  expect(strangers(engine)).toEqual([]);
});

test('no folder holds more files than a reader takes in', () => {
  expect(crowdedFolders([...engine, ...ui, ...tests])).toEqual([]);
});

test('every folder of a room has its place in the order of the room', () => {
  expect(unplacedFolders(engine)).toEqual([]);
});

test('an exported type name exists once in the engine', () => {
  expect(repeatedTypes(engine)).toEqual([]);
});

test('imports inside a room go one way through its folders, and siblings do not import each other', () => {
  expect(backwardImports(engine)).toEqual([]);
});

test('the tests have the folders of the engine', () => {
  const others = [
    'architecture',
    'browser',
    'contracts',
    'fixtures',
    'flow',
    'machines',
    'readme',
    'red-team',
    'scripts',
    'ui',
  ];
  expect(unmatchedTests(engine, tests, others)).toEqual([]);
});

test('no switch decides by the kind of a plug-in: its registry has a field for that', () => {
  expect(kindSwitches([...engine, ...ui])).toEqual([]);
});

test('no exported name of the engine holds a word that the house plan retired', () => {
  expect(retiredNames(engine)).toEqual([]);
});

test('AGENTS.md gives the order of the rooms that these tests enforce', () => {
  const text = readFileSync(join(root, 'AGENTS.md'), 'utf8');
  const order = /^ {4}(base < [^]*?)\n\n/m.exec(text)?.[1] ?? '';
  expect(order.split('<').map((room) => room.trim())).toEqual(ROOMS);
});

test('imports go one way through the rooms', () => {
  // Benches start their server as the tests do.
  expect(wrongWays([...engine, ...ui, ...around], tests)).toEqual([]);
});

test('engine and viewer import only what package.json declares, machines only xstate', () => {
  expect(
    wrongPackages(
      [...engine, ...ui],
      [...Object.keys(packageJson.dependencies), ...Object.keys(packageJson.peerDependencies)],
    ),
  ).toEqual([]);
});

test('no files import each other in a circle', () => {
  expect(cycles([...engine, ...ui])).toEqual([]);
});

test('no process but the worker for mail loads the sanitiser: it costs each start and each command', () => {
  const sanitiser = 'engine/src/mail/html/sanitize.ts';
  expect(loadedBy('engine/src/mail/parse/mail-worker.ts', engine)).toContain(sanitiser);
  const loaded = loadedBy('engine/src/main.ts', engine);
  expect(loaded).toContain('engine/src/api/server.ts');
  expect(loaded).not.toContain(sanitiser);
});

test('no file is above the ceiling', () => {
  expect(tooLong([...engine, ...ui, ...around])).toEqual([]);
});

test('no word stands where it does not belong', () => {
  expect(bannedWords([...engine, ...ui, ...around, ...tests])).toEqual([]);
});

test('files are named in kebab case', () => {
  expect(badNames([...engine, ...ui, ...around, ...tests])).toEqual([]);
});

test('viewer files hold only syntax that can be stripped', () => {
  const refused = ui
    .filter(({ path }) => path.endsWith('.ts'))
    .filter(({ path }) => {
      try {
        return stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')) === '';
      } catch {
        return true;
      }
    });
  expect(refused.map(({ path }) => path)).toEqual([]);
});

test('plain Node imports every engine file, and nothing happens', { timeout: 60_000 }, async () => {
  const workers = new Set(
    engine.flatMap((source) =>
      source.imports.filter(({ kind }) => kind === 'url').map((item) => targetOf(source, item)),
    ),
  );
  const isLoaded = (path: string) => path !== 'engine/src/main.ts' && !workers.has(path) && !path.endsWith('.d.ts');
  const files = engine.map(({ path }) => path).filter(isLoaded);
  const urls = files.map((path) => pathToFileURL(join(root, path)).href);
  const script = `for (const url of ${JSON.stringify(urls)}) await import(url);`;
  // Ends by itself: a timer, a socket or a watcher left by an import would run into the time limit.
  const options = { timeout: 50_000, env: { PATH: process.env['PATH'] } };
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], options, (error, stdout, stderr) =>
      resolve({ exit: error?.code ?? 0, signal: error?.signal ?? '', stdout, stderr }),
    );
  });
  expect(ended).toEqual({ exit: 0, signal: '', stdout: '', stderr: '' });
});

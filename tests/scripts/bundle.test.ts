import { execFile, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openModelServer } from '../../bench/gate/model-server.ts';
import { KINDS } from '../../engine/src/config/config.ts';
import { root } from '../available.ts';
import { FILES } from '../cli/harness.ts';

let clone: string;

/** An installation with packages of this one, and its bundle. */
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'callsheet-bundle-'));
  for (const name of ['engine', 'schemas', 'config', 'package.json'])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  mkdirSync(join(clone, 'scripts'));
  for (const name of [
    'bundle.mjs',
    'engine-bundle.mjs',
    'bundle-cache.mjs',
    'bundle-text.mjs',
    'viewer-bundle.mjs',
    'warm-up.mjs',
  ])
    cpSync(join(root, 'scripts', name), join(clone, 'scripts', name));
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache'))
    symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(clone, 'desk', name)), { recursive: true });
    writeFileSync(join(clone, 'desk', name), text);
  }
  mkdirSync(join(clone, 'inbox'));
  // A config that the user has edited: what it names must not be touched while the bundle is made.
  mkdirSync(join(clone, 'mails'));
  writeFileSync(join(clone, 'mails/1.eml'), 'From: ann@example.com\r\nSubject: Order\r\n\r\nHello\r\n');
  writeFileSync(
    join(clone, 'config/accounts/archive.yaml'),
    `id: archive\nprovider: folder\nemail: me@example.org\npath: ${JSON.stringify(join(clone, 'mails'))}\n`,
  );
  const started = `require('node:fs').writeFileSync(${JSON.stringify(join(clone, 'started'))}, '')`;
  writeFileSync(
    join(clone, 'config/tools/mine.yaml'),
    `id: mine\nkind: mcp\ncommand: ${JSON.stringify(process.execPath)}\nargs: ${JSON.stringify(['-e', started])}\nallow: ['*']\neffects: read\n`,
  );
  node('scripts/bundle.mjs');
}, 60_000);
afterAll(() => rmSync(clone, { recursive: true }));

function node(script: string, ...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] };
  return spawnSync(process.execPath, [join(clone, script), ...args], { cwd: clone, env, encoding: 'utf8' });
}

/** The bundle that a command would start now. */
function foundBundle(): unknown {
  const path = join(clone, 'engine/bundle.cjs');
  const { findBundle } = createRequire(import.meta.url)(path) as { findBundle: () => unknown };
  return findBundle();
}

function served(baseUrl: string): string {
  return `id: main\nprovider: openai\nmodel: scripted\nstream: false\nbaseUrl: ${baseUrl}\napiKey: '\${env:SERVED_KEY}'\n`;
}

/** Leaves two files of the engine, for the tests that make many bundles. */
function shrinkEngine(): void {
  writeFileSync(join(clone, 'engine/src/app/installation.ts'), 'process.exitCode = 0;\n');
  writeFileSync(
    join(clone, 'engine/src/cli/program.ts'),
    `import '../app/installation.ts';\nexport async function runCommand() {\n  return 0;\n}\n`,
  );
}

test('making the bundle touches no mailbox and starts no program of the user', () => {
  expect(readdirSync(join(clone, 'mails'))).toEqual(['1.eml']);
  expect(existsSync(join(clone, 'started'))).toBe(false);
});

test('the configs of the warm-up are valid, and the one that is only checked has every kind of document', async () => {
  const configs = (await import(pathToFileURL(join(root, 'scripts/warm-up.mjs')).href)) as {
    CONFIG: Readonly<Record<string, string>>;
    CHECKED: Readonly<Record<string, string>>;
  };
  for (const [folder, files] of Object.entries({ warm: configs.CONFIG, checked: configs.CHECKED })) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(clone, folder, name)), { recursive: true });
      writeFileSync(join(clone, folder, name), text);
    }
    expect(node('engine/callsheet.cjs', 'validate', '--config', folder)).toMatchObject({ status: 0, stderr: '' });
  }
  const kinds = new Set(Object.keys(configs.CHECKED).map((name) => name.replace(/\/.*|\.yaml/, '')));
  expect(kinds).toEqual(new Set(['tests', 'settings', ...Object.values(KINDS).filter((folder) => folder !== '')]));
});

test('the parts of the bundle are ASCII, so that Node reads them without decoding', () => {
  const dir = dirname(String(foundBundle()));
  const parts = readdirSync(dir).filter((name) => name.endsWith('.cjs'));
  expect(parts.filter((name) => !/^[\x00-\x7f]*$/.test(readFileSync(join(dir, name), 'utf8')))).toEqual([]);
});

test('the bundle prints what the sources print', () => {
  expect(foundBundle()).toMatch(/bundle-[0-9a-f]{12}[/\\]main\.cjs$/);
  for (const args of [['--help'], ['validate'], ['no-such-command']]) {
    const { status, stdout, stderr } = node('engine/callsheet.cjs', ...args);
    const plain = node('engine/src/main.ts', ...args);
    expect({ status, stdout, stderr }).toEqual({ status: plain.status, stdout: plain.stdout, stderr: plain.stderr });
  }
});

test('the bundle runs a director and lists the run', () => {
  const run = node('engine/callsheet.cjs', 'run', 'boss', '--config', 'desk', '--message', 'Hello', '--json');
  expect(run).toMatchObject({ status: 0, stderr: '' });
  const { stdout } = node('engine/callsheet.cjs', 'runs', 'list', '--config', 'desk', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ directorId: 'boss', status: 'completed' }] });
});

test('the bundle brings the client of most models: a run of it loads no file of the package', async () => {
  const model = await openModelServer();
  const desk = { ...FILES, 'apis/main.yaml': served(model.baseURL) };
  for (const [name, text] of Object.entries(desk)) {
    mkdirSync(dirname(join(clone, 'served', name)), { recursive: true });
    writeFileSync(join(clone, 'served', name), text);
  }
  const openai = join(clone, 'node_modules/openai');
  rmSync(openai);
  const args = ['engine/callsheet.cjs', 'run', 'boss', '--config', 'served', '--message', 'turns=0;'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    ...{ cwd: clone, env: { PATH: process.env['PATH'], SERVED_KEY: 'none' } },
  });
  expect(stdout).toBe('Done.\n');
  symlinkSync(join(root, 'node_modules/openai'), openai);
  model.close();
});

test('the bundle brings the compiled code of its parts, also of functions that only a command calls', () => {
  const dir = dirname(String(foundBundle()));
  const parts = readdirSync(dir).filter((name) => name.endsWith('.cjs') && name !== 'main.cjs');
  const file = join(clone, 'compiled.cjs');
  writeFileSync(
    file,
    `const { readFileSync } = require('node:fs');
     const { Script } = require('node:vm');
     const { openBundle } = require('./engine/bundle.cjs');
     const [dir, ...parts] = process.argv.slice(2);
     const { load, scripts } = openBundle(dir);
     for (const name of parts) load(name);
     const program = dir + '/' + parts.find((name) => name.startsWith('program-'));
     const loaded = new Script(readFileSync(program, 'utf8')).createCachedData().length;
     const refused = parts.filter((name) => scripts.get(name).cachedDataRejected !== false);
     console.log(JSON.stringify({ refused, hasCalled: readFileSync(program + '.code').length > 1.5 * loaded }));`,
  );
  const { stdout } = node('compiled.cjs', dir, ...parts);
  expect(JSON.parse(stdout)).toEqual({ refused: [], hasCalled: true });
});

test('a part whose compiled code is gone is compiled again', () => {
  const dir = dirname(String(foundBundle()));
  for (const name of readdirSync(dir)) if (/^(program|json)-.*code$/.test(name)) rmSync(join(dir, name));
  expect(node('engine/callsheet.cjs', 'validate', '--config', 'desk')).toMatchObject({ status: 0 });
});

test('a bundle of another format is not started', () => {
  const file = join(clone, 'node_modules/.cache/callsheet/bundle.json');
  const manifest = readFileSync(file, 'utf8');
  const { format: _format, ...older } = JSON.parse(manifest) as { format: number };
  writeFileSync(file, JSON.stringify(older));
  expect(foundBundle()).toBeUndefined();
  writeFileSync(file, manifest);
  expect(foundBundle()).toBeDefined();
});

test('a changed source runs in place of the bundle, until the next one is made', () => {
  appendFileSync(join(clone, 'engine/src/app/installation.ts'), '\nprocess.stderr.write("changed\\n");\n');
  expect(foundBundle()).toBeUndefined();
  expect(node('engine/callsheet.cjs', '--version').stderr).toBe('changed\n');
  node('scripts/bundle.mjs');
  expect(foundBundle()).toBeDefined();
  expect(node('engine/callsheet.cjs', '--version').stderr).toBe('changed\n');
});

test('a bundle whose files are gone is not started', () => {
  const main = String(foundBundle());
  renameSync(dirname(main), `${dirname(main)}.gone`);
  expect(foundBundle()).toBeUndefined();
  expect(node('engine/callsheet.cjs', '--version').status).toBe(0);
  renameSync(`${dirname(main)}.gone`, dirname(main));
  expect(foundBundle()).toBe(main);
});

test('a bundle that a process may still use stays when newer ones are made, also one of the same sources', () => {
  shrinkEngine();
  node('scripts/bundle.mjs');
  const main = String(foundBundle());
  const mark = join(dirname(main), 'mark');
  writeFileSync(mark, '');
  rmSync(join(clone, 'node_modules/.cache/callsheet/bundle.json'));
  node('scripts/bundle.mjs');
  expect(foundBundle()).toBe(main);
  // With the first one more than the cache keeps whatever their age.
  for (let n = 0; n < 3; n++) {
    appendFileSync(join(clone, 'engine/src/app/installation.ts'), '\n');
    node('scripts/bundle.mjs');
  }
  expect(foundBundle()).not.toBe(main);
  expect(existsSync(mark)).toBe(true);
}, 60_000);

test('a bundle whose making was killed before its code was compiled is not started, and is made again', () => {
  shrinkEngine();
  const program = join(clone, 'engine/src/cli/program.ts');
  const source = readFileSync(program, 'utf8');
  writeFileSync(program, source.replace('return 0;', "process.kill(process.pid, 'SIGKILL');"));
  expect(node('scripts/bundle.mjs').signal).toBe('SIGKILL');
  expect(foundBundle()).toBeUndefined();
  writeFileSync(program, source);
  node('scripts/bundle.mjs');
  expect(readdirSync(dirname(String(foundBundle()))).filter((name) => name.endsWith('.code'))).not.toEqual([]);
});

test('a source that changes while the bundle is made runs in place of it', () => {
  const source = join(clone, 'engine/src/app/installation.ts');
  const bundler = join(clone, 'node_modules/rolldown');
  rmSync(bundler);
  mkdirSync(bundler);
  writeFileSync(join(bundler, 'package.json'), '{ "type": "module", "exports": "./slow.js" }');
  writeFileSync(
    join(bundler, 'slow.js'),
    `import { appendFileSync } from 'node:fs';
     import { rolldown as fast } from ${JSON.stringify(import.meta.resolve('rolldown'))};
     export async function rolldown(options) {
       const bundle = await fast(options);
       const generate = async (output) => {
         const made = await bundle.generate(output);
         appendFileSync(${JSON.stringify(source)}, '\\nprocess.stderr.write("late\\\\n");\\n');
         return made;
       };
       return { generate };
     }`,
  );
  appendFileSync(source, '\n');
  node('scripts/bundle.mjs');
  expect(foundBundle()).toBeUndefined();
  expect(node('engine/callsheet.cjs', '--version').stderr).toContain('late');
});

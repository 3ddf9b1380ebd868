import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

/** Runs a command with code that is loaded before it. */
const start = (before: string, ...args: readonly string[]) => startFile('engine/src/main.ts', before, ...args);

function startFile(file: string, before: string, ...args: readonly string[]) {
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(before)}`, join(root, file)];
  const { status, stderr } = spawnSync(process.execPath, [...argv, ...args], { encoding: 'utf8' });
  return { status, stderr };
}

test('a command that waits for something that can never come says so, and ends with 13', () => {
  const waits = `
    import { registerHooks } from 'node:module';
    const source = 'export const runCommand = () => new Promise(() => {})';
    registerHooks({
      load: (url, context, next) =>
        url.endsWith('/cli/program.ts') ? { format: 'module', source, shortCircuit: true } : next(url, context),
    });`;
  expect(start(waits, '--version')).toEqual({
    status: 13,
    stderr: 'callsheet: the command ended before it was done, since nothing was left that it waits for\n',
  });
});

test('a command that is done says nothing', () => {
  expect(start('', '--version')).toEqual({ status: 0, stderr: '' });
});

test('a Node that is too old is named, with what brings a newer one', () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`;
  expect(startFile('engine/callsheet.cjs', old, '--version')).toEqual({
    status: 2,
    stderr:
      'callsheet: needs Node 24 or newer, and this is 20.20.2; npx callsheet and npm start bring one of their own\n',
  });
});

/** Stands for a server: it reports something again and again. */
const REPORTS = `
  import { registerHooks } from 'node:module';
  const source = \`import { setTimeout } from 'node:timers/promises';
    export async function runCommand({ err }) {
      for (let n = 0; n < 5; n++) {
        err('report\\\\n');
        await setTimeout(20);
      }
      return 0;
    }\`;
  registerHooks({
    load: (url, context, next) =>
      url.endsWith('/cli/program.ts') ? { format: 'module', source, shortCircuit: true } : next(url, context),
  });`;

test('a command works on where nobody reads its log any more', async () => {
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(REPORTS)}`, join(root, 'engine/src/main.ts')];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.skipIf(!existsSync('/dev/full'))(
  'a log that a full disk refuses changes no exit code (only where there is /dev/full)',
  () => {
    const full = openSync('/dev/full', 'w');
    try {
      const argv = [join(root, 'engine/src/main.ts'), '--no-such-option'];
      expect(spawnSync(process.execPath, argv, { stdio: ['ignore', 'ignore', full] }).status).toBe(2);
    } finally {
      closeSync(full);
    }
  },
);

test.skipIf(!existsSync('/dev/full'))(
  'output that a full disk refuses is named (only where there is /dev/full)',
  () => {
    const full = openSync('/dev/full', 'w');
    try {
      const argv = [join(root, 'engine/src/main.ts'), 'tools', '--json'];
      const ended = spawnSync(process.execPath, argv, { encoding: 'utf8', stdio: ['ignore', full, 'pipe'] });
      expect([ended.status, ended.stderr]).toEqual([
        2,
        'callsheet: the output cannot be written: ENOSPC: no space left on device, write\n',
      ]);
    } finally {
      closeSync(full);
    }
  },
);

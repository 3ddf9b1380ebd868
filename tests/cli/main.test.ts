import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../available.ts';

/** Runs a command with code that is loaded before it. */
function start(before: string, ...args: readonly string[]) {
  const argv = ['--import', `data:text/javascript,${encodeURIComponent(before)}`, join(root, 'engine/src/main.ts')];
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

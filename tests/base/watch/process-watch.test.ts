import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/client';
import { systemClock } from '../../../engine/src/base/clock.ts';
import { watchProcess } from '../../../engine/src/base/watch/process-watch.ts';
import { runProgram } from '../../../engine/src/tool/declared/run-program.ts';
import { StdioTransport } from '../../../engine/src/tool/mcp/stdio-transport.ts';
import { nextTry } from '../../next-try.ts';

let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'callsheet-watched-by-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const sources = new URL('../../../engine/src/', import.meta.url).href;
const read = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** A program that writes its number down and ends for no reason of its own. */
const stubborn = (name: string) =>
  `process.stdin.resume(); process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(join(dir, name))}, String(process.pid)); setInterval(() => {}, 1000);`;
/** The same, with a child in its group. */
const withChild = () =>
  `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn('child'))}], { stdio: 'ignore' }); ${stubborn('head')}`;

async function numberIn(name: string): Promise<number> {
  await expect.poll(() => read(join(dir, name))).not.toBe('');
  return Number(read(join(dir, name)));
}

/** Whether a process works: one that nobody has collected yet does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) [ZX] /.test(read(`/proc/${pid}/stat`));
}

const gone = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

/** What starts programs, as a module that starts one and never ends it. */
const STARTERS = [
  {
    name: 'the program of a command tool',
    script: (argv: string) => `
      const { runProgram } = await import('${sources}tool/declared/run-program.ts');
      const { systemClock: clock } = await import('${sources}base/clock.ts');
      await runProgram({ argv: ${argv}, cwd: '/', env: {} }, { signal: new AbortController().signal, clock, maxBytes: 1000 });`,
  },
  {
    name: 'an MCP server that ignores the end of its input',
    script: (argv: string) => `
      const { StdioTransport } = await import('${sources}tool/mcp/stdio-transport.ts');
      const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/client');
      const [command, ...args] = ${argv};
      await new StdioTransport({ command, args, env: {}, cwd: '/', onLine() {} }, { ReadBuffer, serializeMessage }).start();
      setInterval(() => {}, 1000);`,
  },
];

describe.skipIf(process.platform === 'win32')(
  'a process that is killed with SIGKILL (left out on Windows, which has no signals)',
  () => {
    test.each(STARTERS)('takes $name with it, and what that has started', async ({ script }) => {
      const argv = JSON.stringify([process.execPath, '-e', withChild()]);
      const server = spawn(process.execPath, ['--input-type=module', '-e', script(argv)], {
        ...{ stdio: 'ignore', cwd: new URL('../../..', import.meta.url) },
      });
      const [head, child] = [await numberIn('head'), await numberIn('child')];
      expect([isAlive(head), isAlive(child)]).toEqual([true, true]);
      server.kill('SIGKILL');
      await gone(head);
      await gone(child);
    });
  },
);

describe.skipIf(process.platform === 'win32')(
  'a watch that is over (left out on Windows, which has no signals)',
  () => {
    test('kills nothing, although its pipe ends', async () => {
      const watch = watchProcess();
      const program = spawn(process.execPath, ['-e', stubborn('head')], { stdio: 'ignore', detached: true });
      watch.follow(program.pid);
      const head = await numberIn('head');
      watch.over();
      await expect.poll(watches).toBe(0);
      const isThere = isAlive(head);
      program.kill('SIGKILL');
      expect(isThere).toBe(true);
    });
  },
);

/** More than a system takes as arguments of a program. */
const TOO_LONG = 'x'.repeat(8 * 1024 * 1024);

describe.skipIf(process.platform !== 'linux')(
  'a program that cannot be started, since its arguments are too long (left out where the limit is not that of Linux)',
  () => {
    test('fails as a command tool, and leaves no watch', async () => {
      const { signal } = new AbortController();
      const program = { argv: [process.execPath, TOO_LONG], cwd: '/', env: {} };
      await expect(runProgram(program, { signal, clock: systemClock, maxBytes: 1000 })).rejects.toMatchObject({
        code: 'TOOL_FAILED',
        message: expect.stringContaining('E2BIG'),
      });
      await expect.poll(watches).toBe(0);
    });

    test('fails as an MCP server, and leaves no watch', async () => {
      const program = { command: process.execPath, args: [TOO_LONG], env: {}, cwd: '/', onLine() {} };
      await expect(new StdioTransport(program, { ReadBuffer, serializeMessage }).start()).rejects.toMatchObject({
        code: 'TOOL_FAILED',
        message: expect.stringContaining('E2BIG'),
      });
      await expect.poll(watches).toBe(0);
    });
  },
);

describe.skipIf(process.platform === 'win32')(
  'a program that cannot be started, since no more files can be opened (left out on Windows, which has no ulimit)',
  () => {
    test.each(STARTERS)('fails as $name, and the process works on', async ({ script }) => {
      const whole = `
        const { openSync } = await import('node:fs');
        // Loaded now: later no file can be read.
        for (const file of ['tool/declared/run-program.ts', 'tool/mcp/stdio-transport.ts', 'base/clock.ts'])
          await import('${sources}' + file);
        await import('@modelcontextprotocol/client');
        const start = async () => {${script(JSON.stringify(['true']))}};
        try { for (;;) openSync('/dev/null', 'r'); } catch {}
        const error = await start().then(() => undefined, (error) => error);
        await new Promise((resolve) => setTimeout(resolve, 50));
        console.log(error.code, error.message);
        process.exit();`;
      const args = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', whole];
      const { stdout } = await promisify(execFile)('/bin/sh', args, { cwd: new URL('../../..', import.meta.url) });
      expect(stdout).toMatch(/^TOOL_FAILED .*EMFILE/);
    });
  },
);

/** How many watches this process has. Only Linux says so: elsewhere none. */
async function watches(): Promise<number> {
  await nextTry(0);
  const tasks = read(`/proc/${process.pid}/task/${process.pid}/children`).trim().split(/\s+/);
  return tasks.filter((pid) => read(`/proc/${pid}/cmdline`).includes('callsheet-watch\0')).length;
}

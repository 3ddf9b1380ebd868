#!/usr/bin/env node
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Types are stripped and code is compiled once, not at each command. It has to come before the rooms are imported. Where
// `callsheet.cjs` or NODE_COMPILE_CACHE has named a folder, that one stays.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/callsheet/code', import.meta.url)));

// The reader of a pipe may go before all is written (`callsheet runs list | head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`callsheet: the output cannot be written: ${error.message}\n`);
  process.exit(2);
});

// The log may have no reader any more, or its disk may be full: a server works on, and a command ends with its own code.
process.stderr.on('error', () => {});

// Node would end with 0 where nothing is left to do although the command still waits for something.
const onIdle = () => {
  process.stderr.write('callsheet: the command ended before it was done, since nothing was left that it waits for\n');
  process.exitCode = 13;
};
process.once('beforeExit', onIdle);

void run();

async function run(): Promise<void> {
  const { runCommand } = await import('./cli/program.ts');
  const { delayCompilers, mayDelayCompilers } = await import('./cli/terminal/delay-compilers.ts');
  const { limitHeapGrowthSoon } = await import('./cli/terminal/heap-growth.ts');
  process.exitCode = await runCommand({
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    pid: process.pid,
    platform: process.platform,
    openStdin: () => process.stdin,
    isStdoutTty: process.stdout.isTTY === true,
    isStderrTty: process.stderr.isTTY === true,
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    async openLines() {
      const { openLines } = await import('./cli/terminal/line-reader.ts');
      return openLines(process.stdin, process.stdout.isTTY ? process.stdout : process.stderr);
    },
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    async drained() {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    },
    limitHeapGrowthSoon,
    delayCompilers: mayDelayCompilers(process) ? delayCompilers : undefined,
    onSignal(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => process.off('SIGINT', listener).off('SIGTERM', listener);
    },
    exit: (code = process.exitCode) => process.exit(code),
  });
  process.off('beforeExit', onIdle);
}

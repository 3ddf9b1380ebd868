/**
 * Measures the processor time of whole commands, from the start of the process to its end: bare Node, `--help`, `validate` on
 * the shipped config, `runs list` with and without a server, and `runs show` and `audit` without one, on the runs of the samples.
 * `node bench/commands.ts [--json]`.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { home, median, serve } from './serve.ts';

const RUNS = 9;
/** Prints the processor time of a process, in milliseconds, as the last line of its standard error. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('\\n' + (user + system) / 1000); });",
)}`;

async function cpuMs(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--import', REPORT, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const ms = Number(text.slice(text.lastIndexOf('\n') + 1));
  if (code !== 0 || !(ms > 0)) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${text}`);
  return ms;
}

async function medianOf(args: readonly string[]): Promise<number> {
  await cpuMs(args);
  const times = [];
  for (let n = 0; n < RUNS; n++) times.push(await cpuMs(args));
  return Math.round(median(times));
}

/** Measures beside a server whose sample runs rest; they are stored afterwards. */
async function withServer(measure: () => Promise<number>): Promise<number> {
  const server = await serve(root);
  try {
    for (let isAtRest = false; !isAtRest; await sleep(100)) {
      const { items } = JSON.parse(await server.get('/api/runs?limit=200')) as { items: { status: string }[] };
      // Some of them wait for a person for good.
      isAtRest = items.length > 0 && items.every(({ status }) => !['queued', 'running'].includes(status));
    }
    return await measure();
  } finally {
    await server.stop();
  }
}

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  // The tests of the config read the samples.
  for (const folder of ['config', 'samples']) await cp(join(home, folder), join(root, folder), { recursive: true });
  await cp(join(home, 'samples'), join(root, 'inbox'), { recursive: true });
  const callsheet = (...args: string[]) => [
    join(home, 'engine/callsheet.cjs'),
    ...args,
    '--config',
    join(root, 'config'),
  ];
  const result = {
    bareNodeMs: await medianOf(['--eval', '']),
    helpMs: await medianOf([join(home, 'engine/callsheet.cjs'), '--help']),
    validateMs: await medianOf(callsheet('validate')),
    runsListWithServerMs: await withServer(() => medianOf(callsheet('runs', 'list'))),
    runsListMs: await medianOf(callsheet('runs', 'list')),
    runsShowMs: await medianOf(callsheet('runs', 'show', 'last')),
    auditMs: await medianOf(callsheet('audit')),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `commands: bare Node ${result.bareNodeMs} ms of processor time, --help ${result.helpMs}, validate ${result.validateMs}, ` +
        `runs list ${result.runsListMs}, with a server ${result.runsListWithServerMs}, runs show ${result.runsShowMs}, audit ${result.auditMs} (median of ${RUNS})`,
    );
} finally {
  await rm(root, { recursive: true, force: true });
}

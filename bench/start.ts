/**
 * Start to first page: from the spawn of `callsheet start` on a copy of the shipped config to the first answer of `/`,
 * with a data folder that is new and with one that holds finished runs. `node bench/start.ts [--json]`.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const STARTS = 7;
const home = new URL('..', import.meta.url).pathname;

async function startOnce(root: string): Promise<{ listening: number; page: number }> {
  const began = performance.now();
  const args = [
    '--',
    join(home, 'engine/src/main.ts'),
    'start',
    '--config',
    join(root, 'config'),
    '--data',
    join(root, 'data'),
  ];
  const child = spawn(process.execPath, [...args, '--port', '0', '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (data: Buffer) => {
        text += data.toString();
        if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
      });
      child.once('exit', (code) => reject(new Error(`start ended with ${code}`)));
    });
    const listening = performance.now() - began;
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const page = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (!(await page.text()).includes('<html')) throw new Error(`no page: ${page.status}`);
    return { listening, page: performance.now() - began };
  } finally {
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await over;
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  const times = [];
  for (let n = 0; n < STARTS; n++) times.push(await startOnce(root));
  const result = {
    starts: STARTS,
    listeningMs: Math.round(median(times.map((t) => t.listening))),
    firstPageMs: Math.round(median(times.map((t) => t.page))),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `start: listening after ${result.listeningMs} ms, first page after ${result.firstPageMs} ms (median of ${STARTS})`,
    );
} finally {
  await rm(root, { recursive: true, force: true });
}

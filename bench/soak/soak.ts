/**
 * Measures the memory of a server over a long time of steady work: mails are dropped into the folder of the shipped config, each
 * starts runs of the scripted model, and the pages that a viewer shows are asked for. `node bench/soak/soak.ts [--json]
 * [minutes [milliseconds between two mails]]`, 60 minutes and a mail every two seconds by default. Prints the median of each
 * tenth of the time.
 */
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { home, median, serve } from '../serve.ts';

const [MINUTES = 60, EVERY_MS = 2000] = process.argv
  .slice(2)
  .flatMap((arg) => (/^\d+$/.test(arg) ? [Number(arg)] : []));
const PARTS = 10;
/** Newest mails and runs, a search, and what waits for a person. */
const PAGES = ['/api/emails?limit=50', '/api/runs?limit=50', '/api/emails?q=order&limit=50', '/api/approvals'];

const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
try {
  await cp(join(home, 'config'), join(root, 'config'), { recursive: true });
  const inbox = join(root, 'inbox');
  await Promise.all(['data', 'inbox'].map((name) => mkdir(join(root, name))));
  const account = join(root, 'config/accounts/archive.yaml');
  await writeFile(account, (await readFile(account, 'utf8')).replace('./inbox', inbox));
  const server = await serve(root);
  const samples: number[] = [];
  let mails = 0;
  const began = performance.now();
  while (performance.now() - began < MINUTES * 60_000) {
    await drop(inbox, ++mails);
    await server.get(PAGES[mails % PAGES.length] ?? '');
    await after(EVERY_MS);
    samples.push(server.rssMb() ?? NaN);
  }
  const runs = (JSON.parse(await server.get('/api/runs?limit=1')) as { items: readonly unknown[] }).items.length;
  await server.stop();
  if (runs === 0) throw new Error('no mail started a run');
  const size = Math.ceil(samples.length / PARTS);
  const parts = Array.from({ length: PARTS }, (_, n) => Math.round(median(samples.slice(n * size, (n + 1) * size))));
  const result = { minutes: MINUTES, mails, rssMb: parts };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `${mails} mails in ${MINUTES} minutes: MB held, the median of each tenth of the time: ${parts.join(', ')}`,
    );
} finally {
  await rm(root, { recursive: true, force: true });
}

/** Drops a mail as a whole: written beside the folder, then moved into it. */
async function drop(inbox: string, n: number): Promise<void> {
  const lines = [
    `From: Ann <ann${n % 50}@example.com>`,
    'To: me@example.org',
    `Subject: ${n % 3 === 0 ? 'URGENT: ' : ''}Order number ${n}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${n}@example.com>`,
    '',
    'Please send us the cable of last week once more, and tell us what it costs.',
    '',
  ];
  const file = join(root, `${n}.eml`);
  await writeFile(file, lines.join('\r\n'));
  await rename(file, join(inbox, `${n}.eml`));
}

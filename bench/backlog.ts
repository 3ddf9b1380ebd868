/**
 * Measures the first fetch of an account with a backlog of mail: the time until all mails are stored, the time until
 * the newest mail is stored, CPU time, the largest RSS and the longest block of the event loop. The mail comes from a
 * folder, a Dovecot, and fake servers for Gmail and Graph, each in its own process. `node bench/backlog.ts [folder]
 * [imap] [gmail] [outlook] [--json] [count]`, 10,000 mails by default. The fake servers have no rate limit; with
 * Gmail's limit the fetch would take 40 minutes. Without Dovecot the bench skips `imap` and prints a note.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { dovecot } from '../tests/available.ts';
import { KINDS, type Peer } from './backlog/kind.ts';
import type { FetchFigures } from './backlog/fetch.ts';

const isJson = process.argv.includes('--json');
const count = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 10_000);
const named = KINDS.filter((kind) => process.argv.includes(kind));

function start(name: string, ...args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./backlog/${name}.ts`, import.meta.url));
  return spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Reads the first line that a process prints, as JSON. */
async function firstLine<T>(child: ChildProcess): Promise<T> {
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line) as T;
  throw new Error('the process printed nothing');
}

for (const kind of named.length === 0 ? KINDS : named) {
  if (kind === 'imap' && dovecot === undefined) {
    console.error('imap: skipped, Dovecot is not installed');
    continue;
  }
  const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
  const peer = start('peer', kind, root, String(count));
  try {
    const address = await firstLine<Peer>(peer);
    const fetching = start('fetch', kind, root, JSON.stringify(address));
    const { taken, ...figures } = await firstLine<FetchFigures>(fetching);
    if (taken !== count) throw new Error(`${taken} of ${count} mails were fetched`);
    if (isJson) console.log(JSON.stringify({ kind, mails: count, ...figures }));
    else
      console.log(
        `${kind}: ${count} mails in ${figures.seconds} s (${figures.cpuSeconds} s of CPU time), ` +
          `newest after ${figures.firstMs} ms, RSS ${figures.rssMb} MB at most, event loop blocked for ${figures.stillMs} ms at most`,
      );
  } finally {
    peer.stdin!.end();
    if (peer.exitCode === null) await once(peer, 'exit');
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * A backlog of mail that an account finds at its first look: how long until all of it is taken and how soon the newest mail is
 * there, with the processor time, the largest RSS and the longest time for which the event loop stood still. From a folder, a
 * Dovecot, and peers that play Gmail and Graph, each in a process of its own. `node bench/backlog.ts [folder] [imap] [gmail]
 * [outlook] [--json] [count]`, 10,000 mails by default. The peers are asked as fast as they answer: what Gmail allows would
 * take 40 minutes. Leaves out Dovecot where there is none, and says so.
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
import type { Taken } from './backlog/take.ts';

const isJson = process.argv.includes('--json');
const count = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? 10_000);
const named = KINDS.filter((kind) => process.argv.includes(kind));

function start(name: string, ...args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./backlog/${name}.ts`, import.meta.url));
  return spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** The first line that a process says, which is JSON. */
async function said<T>(child: ChildProcess): Promise<T> {
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line) as T;
  throw new Error('it said nothing');
}

for (const kind of named.length === 0 ? KINDS : named) {
  if (kind === 'imap' && dovecot === undefined) {
    console.error('imap: left out, there is no Dovecot here');
    continue;
  }
  const root = await mkdtemp(join(tmpdir(), 'callsheet-bench-'));
  const peer = start('peer', kind, root, String(count));
  try {
    const place = await said<Peer>(peer);
    const taker = start('take', kind, root, JSON.stringify(place));
    const { taken, ...figures } = await said<Taken>(taker);
    if (taken !== count) throw new Error(`${taken} of ${count} mails were taken`);
    if (isJson) console.log(JSON.stringify({ kind, mails: count, ...figures }));
    else
      console.log(
        `${kind}: ${count} mails in ${figures.seconds} s (${figures.cpuSeconds} s of processor time), ` +
          `newest after ${figures.firstMs} ms, RSS ${figures.rssMb} MB at most, loop still for ${figures.stillMs} ms at most`,
      );
  } finally {
    peer.stdin!.end();
    if (peer.exitCode === null) await once(peer, 'exit');
    await rm(root, { recursive: true, force: true });
  }
}

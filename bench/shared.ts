/**
 * Compares the engine on PostgreSQL with the embedded default, each part in its own process: turns per second of 1, 2
 * and 4 workers, the cost of a step, and how times grow with the number of stored runs. `node bench/shared.ts [workers]
 * [step] [curve] [--json]`. The parts take sizes as arguments; the bench prints their commands. Needs the programs of
 * PostgreSQL; without them it skips those measurements and prints a note.
 */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PARTS = ['workers', 'step', 'curve'] as const;

const [wanted, flags] = [
  process.argv.slice(2).filter((arg) => !arg.startsWith('-')),
  process.argv.slice(2).filter((arg) => arg.startsWith('-')),
];
const unknown = wanted.filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) {
  console.error(`no part ${unknown.join(', ')}; there are ${PARTS.join(', ')}`);
  process.exitCode = 2;
} else {
  for (const part of PARTS) {
    if (wanted.length > 0 && !wanted.includes(part)) continue;
    const file = fileURLToPath(new URL(`./shared/${part}.ts`, import.meta.url));
    if (!flags.includes('--json')) console.log(`$ ${['node', relative(process.cwd(), file), ...flags].join(' ')}`);
    const { status } = spawnSync(process.execPath, [file, ...flags], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

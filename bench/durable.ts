/**
 * Measures durable runs, each part in its own process: runs per second, memory of waiting runs and objectives, recovery after a kill,
 * bytes per turn. `node bench/durable.ts [load] [waiting] [objectives] [recovery] [growth] [--json]`. The parts take sizes as
 * arguments; the bench prints their commands.
 */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PARTS = ['load', 'waiting', 'objectives', 'recovery', 'growth'] as const;

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
    const file = fileURLToPath(new URL(`./durable/${part}.ts`, import.meta.url));
    if (!flags.includes('--json')) console.log(`$ ${['node', relative(process.cwd(), file), ...flags].join(' ')}`);
    const { status } = spawnSync(process.execPath, [file, ...flags], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

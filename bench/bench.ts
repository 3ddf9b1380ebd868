/**
 * Measures the numbers of the README: runs each bench of this folder in its own process, one after the other. `npm run
 * bench` runs all, `npm run bench -- filter start` runs some, `npm run bench -- readme` writes the README's table, `npm run bench -- soak` takes an hour; `--json` prints rows of JSON. The comparison with peers
 * has its own harness; `peer-driver.ts` is the driver for it, out of a bundle as in an installation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

const BENCHES = [
  'config',
  'filter',
  'start',
  'commands',
  'pages',
  'viewer',
  'chats',
  'durable',
  'encryption',
  'backlog',
  'scale',
  'shared',
  'memory',
  'privacy',
  'injection',
  'replay',
  'gate',
  'readme',
  'soak',
] as const;
/** Only by name: one writes a file, the other takes an hour. */
const BY_NAME: readonly string[] = ['readme', 'soak'];

const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const flags = process.argv.includes('--json') ? ['--json'] : [];
const unknown = wanted.filter((name) => !BENCHES.some((bench) => bench === name));
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(', ')}; there are ${BENCHES.join(', ')}`);
  process.exitCode = 2;
} else {
  console.error(
    `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const bench of BENCHES) {
    if (wanted.length > 0 ? !wanted.includes(bench) : BY_NAME.includes(bench)) continue;
    console.error(`\n# ${bench}`);
    const flat = fileURLToPath(new URL(`./${bench}.ts`, import.meta.url));
    const file = existsSync(flat) ? flat : fileURLToPath(new URL(`./${bench}/${bench}.ts`, import.meta.url));
    const { status } = spawnSync(process.execPath, [file, ...flags], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}

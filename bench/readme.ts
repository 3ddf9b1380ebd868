/**
 * Measures the figures of the README, and writes them into it with the date and the machine; `readme/figures.json` keeps them,
 * and a test compares the two. Takes a few minutes. `npm run bench -- readme`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type ReadmeFigures, withFigures } from './readme/table.ts';
import { home } from './serve.ts';

type Row = Readonly<Record<string, unknown>>;

/** The rows of JSON that a bench prints. */
function rowsOf(file: string, ...args: readonly string[]): readonly Row[] {
  console.error(`# ${file} ${args.join(' ')}`);
  const command = [join(home, 'bench', file), '--json', ...args];
  const { status, stdout } = spawnSync(process.execPath, command, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${file} ended with ${status}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

const value = (row: Row | undefined, name: string) => {
  const figure = row?.[name];
  if (typeof figure !== 'number') throw new Error(`a bench printed no ${name}`);
  return figure;
};

const [load1 = 0] = loadavg();
// Other work on the machine would change the figures.
if (load1 > availableParallelism()) {
  console.error(
    `the load is ${load1.toFixed(1)}, with ${availableParallelism()} processors: measure on a quiet machine`,
  );
  process.exit(1);
}

const [commands] = rowsOf('commands.ts');
const [start] = rowsOf('start.ts');
const [gate] = rowsOf('gate.ts');
const [load] = rowsOf('durable/load.ts', '--runs=500');
// The last row compares the others.
const growth = rowsOf('durable/growth.ts', '--turns=900').slice(0, 3);
const ms = (name: string) => `${value(commands, name)} ms`;
const figures: ReadmeFigures = {
  date: new Date().toISOString().slice(0, 10),
  machine: `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}`,
  rows: [
    { figure: 'Processor time of an empty Node process', value: ms('bareNodeMs'), bench: 'commands' },
    { figure: '… of `callsheet --help`', value: ms('helpMs'), bench: 'commands' },
    { figure: '… of `callsheet validate`', value: ms('validateMs'), bench: 'commands' },
    { figure: '… of `callsheet runs list`, with a server', value: ms('runsListWithServerMs'), bench: 'commands' },
    { figure: '… of `callsheet runs list`, without one', value: ms('runsListMs'), bench: 'commands' },
    {
      figure: '… of `callsheet start` to its first page',
      value: `${value(start, 'firstPageCpuMs')} ms`,
      bench: 'start',
    },
    {
      figure: 'Processor time of a step, divided by that of a loop that stores nothing',
      value: `${value(gate, 'ratio')}`,
      bench: 'gate',
    },
    {
      figure: 'Processor time of a turn with 200 runs at once, every step on disk',
      value: `${value(load, 'cpuMsPerTurn')} ms`,
      bench: 'durable',
    },
    {
      figure: 'Written to disk per turn, in runs of 5, 20 and 80 tool turns',
      value: `${growth.map((row) => value(row, 'kbWrittenPerTurn')).join(', ')} KB`,
      bench: 'durable',
    },
  ],
};
const readme = join(home, 'README.md');
const text = withFigures(readFileSync(readme, 'utf8'), figures);
writeFileSync(readme, await format(text, { ...(await resolveConfig(readme)), parser: 'markdown' }));
writeFileSync(join(home, 'bench/readme/figures.json'), `${JSON.stringify(figures, null, 2)}\n`);

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run check`: everything that can be said about a change in under 20 seconds, without running it. Each check is a
 * process of its own and all run at once; a failed one prints all that it said, a passed one a line. With `--without-tests` it
 * leaves out what `npm test` has shown already.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

/** A check: its name, the JavaScript or TypeScript file that makes it, its arguments, and what to do when it fails. */
interface Check {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly hint: string;
  /** Whether `npm test` runs it too. */
  readonly isTest?: boolean;
}

function formatOf(part: string, files: readonly string[]): Check {
  const cache = `node_modules/.cache/prettier/${part.replaceAll(' ', '-')}`;
  return {
    name: `format of ${part}`,
    file: 'node_modules/prettier/bin/prettier.cjs',
    args: ['--check', '--cache', `--cache-location=${cache}`, '--log-level', 'warn', ...files],
    hint: 'npm run format',
  };
}

const CHECKS: readonly Check[] = [
  { name: 'types', file: 'node_modules/typescript/bin/tsc', args: ['-p', '.'], hint: 'fix what tsc names above' },
  // Two processes, since one takes longer than all other checks together on a second processor.
  formatOf('engine and ui', ['engine', 'ui']),
  formatOf('the rest', ['.', '!engine/**', '!ui/**']),
  { name: 'schemas', file: 'scripts/generate-types.ts', args: ['--check'], hint: 'npm run generate' },
  { name: 'diagrams', file: 'scripts/machine-diagrams.ts', args: ['--check'], hint: 'npm run generate' },
  {
    ...{ name: 'architecture, config and README', isTest: true },
    file: 'node_modules/vitest/vitest.mjs',
    args: ['run', 'tests/architecture', 'tests/readme', '--reporter=dot'],
    hint: 'npx vitest run tests/architecture tests/readme',
  },
];

interface Outcome extends Check {
  readonly passed: boolean;
  readonly output: string;
  readonly seconds: string;
}

function run(check: Check): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, check.file), ...check.args], { cwd: root, stdio: 'pipe' });
    let output = '';
    const take = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const done = (passed: boolean) =>
      resolve({ ...check, passed, output, seconds: ((performance.now() - started) / 1000).toFixed(1) });
    child.on('error', (error) => {
      output += error.message;
      done(false);
    });
    child.on('close', (code) => done(code === 0));
  });
}

const isWanted = ({ isTest = false }: Check) => !isTest || !process.argv.includes('--without-tests');
const outcomes = await Promise.all(CHECKS.filter(isWanted).map(run));
for (const { name, passed, output } of outcomes) {
  if (!passed) process.stdout.write(`--- ${name}\n${output.trim()}\n\n`);
}
for (const { name, passed, seconds, hint } of outcomes) {
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)${passed ? '' : `: ${hint}`}\n`);
}
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;

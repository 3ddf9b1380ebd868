import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { mayDelayCompilers } from '../../../engine/src/cli/terminal/delay-compilers.ts';
import { root } from '../../available.ts';

/** Runs a hot function while the compilers are delayed, and again afterwards; returns what V8 says about them in both. */
function traced(after: string): { held: string; later: string } {
  const url = pathToFileURL(join(root, 'engine/src/cli/terminal/delay-compilers.ts')).href;
  const script = `
    import { writeSync } from 'node:fs';
    import { delayCompilers } from ${JSON.stringify(url)};
    function hot(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum; }
    const work = () => { for (let i = 0; i < 20_000; i++) hot(100); };
    const held = delayCompilers();
    work();
    writeSync(1, '-- later --\\n');
    ${after}
    work();`;
  const argv = ['--trace-opt', '--input-type=module', '--eval', script];
  const { stdout, stderr, status } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [held = '', later = ''] = stdout.split('-- later --\n');
  return { held, later };
}

const HOT = /<JSFunction hot\b.*(?:MAGLEV|TURBOFAN)/;

test.each([
  ['a release', 'held.release();'],
  ['the longest time', 'await new Promise((resolve) => setTimeout(resolve, 301));'],
])('no function is optimised until %s', (_name, after) => {
  const { held, later } = traced(after);
  expect(held).not.toMatch(HOT);
  expect(later).toMatch(HOT);
});

test.each([
  { execArgv: [], env: {}, may: true },
  { execArgv: ['--import', 'data:text/javascript,opt', '--enable-source-maps'], env: { NODE_OPTIONS: '' }, may: true },
  { execArgv: ['--jitless'], env: {}, may: false },
  { execArgv: [], env: { NODE_OPTIONS: '--no-warnings --jitless' }, may: false },
  { execArgv: ['--no-opt'], env: {}, may: false },
  { execArgv: ['--max-opt=1'], env: {}, may: false },
  { execArgv: ['--no-maglev'], env: {}, may: false },
])('compilers that $execArgv $env say something about are left alone: $may', ({ may, ...process }) => {
  expect(mayDelayCompilers(process)).toBe(may);
});

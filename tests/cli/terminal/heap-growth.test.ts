import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from '../../available.ts';

test('this version of V8 knows the limit of the growth of the heap', () => {
  const url = pathToFileURL(join(root, 'engine/src/cli/terminal/heap-growth.ts')).href;
  const script = `const { limitHeapGrowth } = await import(${JSON.stringify(url)}); limitHeapGrowth(); console.log('set');`;
  const args = ['--input-type=module', '--eval', script];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ stdout: 'set\n', stderr: '' });
});

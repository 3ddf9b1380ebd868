import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeKey } from '../../../../engine/src/store/cipher.ts';
import { root } from '../../../available.ts';
import { makePlace, type Place } from '../../harness.ts';

let place: Place;
beforeEach(() => void (place = makePlace()));
afterEach(() => place.remove());

const api = (host: string) => ({
  'apis/spare.yaml': `id: spare\nprovider: openai\nmodel: m\napiKey: \${secret:B_KEY}\nbaseUrl: https://${host}\n`,
});

test('secrets are listed with their hosts; doctor names a host that waits, and a person allows it', async () => {
  const env = { VX_MAILAGENT_KEY: makeKey() };
  const secrets = (...args: readonly string[]) => place.run(['secrets', ...args], env);
  place.write(api('one.example'));
  const main = join(root, 'engine/callsheet.cjs');
  const options = { cwd: place.dir, env: { PATH: process.env['PATH'], ...env }, input: 'one-value\n' };
  expect(spawnSync(process.execPath, ['--', main, 'secrets', 'set', 'B_KEY'], options).status).toBe(0);
  expect((await secrets('list')).stdout).toBe('B_KEY  one.example\n');
  place.write(api('two.example'));
  const doctor = await place.run(['doctor'], env);
  expect([doctor.code, doctor.stdout]).toEqual([
    2,
    expect.stringContaining('callsheet secrets allow B_KEY two.example'),
  ]);
  const allowed = await secrets('allow', 'B_KEY', 'two.example');
  expect([allowed.code, allowed.stderr]).toEqual([0, 'B_KEY may be sent to one.example, two.example\n']);
  expect((await place.run(['doctor'], env)).stdout).not.toContain('secrets allow');
  expect((await secrets('allow', 'NONE', 'two.example')).stderr).toContain('NOT_FOUND');
});

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { silentLogger } from '../../../../engine/src/base/log.ts';
import { createRedactor } from '../../../../engine/src/base/redact.ts';
import { type AcpProbe, probeAcp } from '../../../../engine/src/model/cli/acp/probe.ts';
import { cliContextOf } from '../../../../engine/src/model/cli/cli.ts';
import { cliApi } from '../../../contracts/cli.ts';
import { programOf } from '../../../program.ts';

const fake = programOf(new URL('./fake-agent.ts', import.meta.url));

async function probe(behaviour: string, argv = [process.execPath, fake], signal?: AbortSignal): Promise<AcpProbe> {
  const dir = await mkdtemp(join(tmpdir(), 'callsheet-probe-'));
  const variables: Record<string, string | undefined> = {
    ...{ PATH: process.env['PATH'], HOME: dir, FAKE_DO: behaviour, FAKE_DIR: dir },
  };
  const context = cliContextOf({
    ...{ api: cliApi({ cli: 'codex', acpCommand: argv }), clock: systemClock, redactor: createRedactor() },
    ...{ log: silentLogger, env: (name: string) => variables[name] },
    sandbox: { isUsable: async () => false, wrapOf: async () => undefined },
  });
  return probeAcp(context, { signal });
}

const works = { state: 'works', name: 'fake-acp', version: '2.6.0', warnings: [] };

test.each([
  ['a tool whose adapter says that it is signed in', 'answers', { ...works, signedIn: true }],
  ['a tool that nobody has signed in to', 'signed-out', { ...works, signedIn: false }],
  [
    'a tool of another version of the protocol',
    'of-tomorrow',
    { state: 'failed', why: expect.stringContaining('speaks version 2'), hint: expect.stringMatching(/./) },
  ],
])('a probe tells of %s', async (_, behaviour, expected) => {
  expect(await probe(behaviour)).toEqual(expected);
});

test('a probe tells of an adapter that is not there', async () => {
  expect(await probe('answers', ['/nowhere/codex-acp'])).toEqual({ state: 'missing' });
});

test('a probe tells what a tool wrote that ends at once', async () => {
  const argv = [process.execPath, '-e', 'console.error("no such model"); process.exit(4)'];
  expect(await probe('answers', argv)).toMatchObject({
    state: 'failed',
    why: expect.stringMatching(/exit code 4: no such model/),
  });
});

test('a probe rejects on abort', async () => {
  const reason = new Error('stopped');
  await expect(probe('answers', undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
});

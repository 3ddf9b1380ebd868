import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Check } from '../../../engine/src/cli/doctor/check.ts';
import { hasBubblewrap } from '../../available.ts';
import { makePlace, type Place } from '../harness.ts';
import { programOf } from '../../program.ts';

const fakeAgent = programOf(new URL('../../model/cli/acp/fake-agent.ts', import.meta.url));
const fake = programOf(new URL('../../model/cli/flags/fake-known.ts', import.meta.url));

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** The checks of `callsheet doctor`, with only these programs in the PATH. */
async function doctor(path = join(place.dir, 'bin')): Promise<(check: string) => Check | undefined> {
  const { stdout } = await place.run(['doctor', '--json'], { PATH: path });
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return (name) => checks.find(({ check }) => check === name);
}

/** Puts the fake of a known tool into the PATH. */
function install(name: string): void {
  installScript(name, `process.argv.splice(2, 0, '${name}');\nimport('${fake}');`);
}

function installScript(name: string, script: string): void {
  const bin = join(place.dir, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!${process.execPath}\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

const api = (cli: string, more = '') => ({ [`apis/${cli}.yaml`]: `id: ${cli}\nprovider: cli\ncli: ${cli}\n${more}` });

test('an api whose tool is not installed is a warning that says how to install it', async () => {
  place.write(api('codex'));
  expect((await doctor())('api codex')).toMatchObject({
    ...{ status: 'warn', message: '"codex" is not installed', hint: 'install it: npm install --global @openai/codex' },
  });
});

test('an installed tool has its version, its sign-in and its driver', async () => {
  install('claude');
  writeFileSync(join(place.dir, 'signed-in'), '');
  place.write(api('claude'));
  expect((await doctor())('api claude')).toEqual({
    ...{ check: 'api claude', status: 'ok' },
    message: 'Claude Code 2.1.197, signed in, by command-line arguments',
  });
});

test('a tool that nobody has signed in to is a warning that says what to run', async () => {
  install('codex');
  place.write(api('codex'));
  expect((await doctor())('api codex')).toMatchObject({
    ...{ status: 'warn', message: expect.stringContaining('not signed in'), hint: 'run codex login' },
  });
});

test('a version that was not tried is named, and a sign-in that the tool does not tell', async () => {
  install('gemini');
  place.write(api('gemini', 'protocol: flags\n'));
  expect((await doctor())('api gemini')?.message).toContain(
    'Gemini CLI 0.99.0 (tried: 0.61.0), sign-in unknown, by command-line arguments',
  );
});

test('an adapter that works is named with its version and its sign-in', async () => {
  install('claude');
  installScript('claude-agent-acp', `import('${fakeAgent}');`);
  place.write(api('claude'));
  expect((await doctor())('api claude')).toEqual({
    ...{ check: 'api claude', status: 'ok' },
    message:
      'Claude Code 2.1.197, signed in, by the Agent Client Protocol (fake-acp 2.6.0); version 2.6.0 of the ACP adapter of claude was not tried with Callsheet; 0.101.0 was',
  });
});

test('a tool that nobody names and that does not speak the protocol is a warning with what it said', async () => {
  install('gemini');
  expect((await doctor())('tool gemini')).toMatchObject({
    ...{ status: 'warn', message: expect.stringMatching(/does not work: .*exit code 1: Unknown argument: acp/) },
    hint: expect.stringContaining('protocol: flags'),
  });
});

test('a tool that could read the files of the user is a warning without bubblewrap', async () => {
  install('codex');
  writeFileSync(join(place.dir, 'signed-in'), '');
  place.write(api('codex'));
  expect((await doctor())('api codex')).toMatchObject({
    ...{ status: 'warn', message: expect.stringContaining('can read what this user can read') },
  });
});

test.skipIf(!hasBubblewrap)(
  `a tool under bubblewrap is fine${hasBubblewrap ? '' : ' (needs bubblewrap)'}`,
  async () => {
    install('codex');
    writeFileSync(join(place.dir, 'signed-in'), '');
    place.write(api('codex'));
    symlinkSync('/usr/bin/bwrap', join(place.dir, 'bin/bwrap'));
    symlinkSync('/bin/true', join(place.dir, 'bin/true'));
    expect((await doctor())('api codex')).toMatchObject({ status: 'ok' });
  },
);

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Check } from '../../../engine/src/cli/doctor/check.ts';
import { FILES, makePlace, type Place } from '../harness.ts';

const KEY = 'ab'.repeat(32);
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

async function security(env: Record<string, string> = { VX_MAILAGENT_KEY: KEY }) {
  const { code, stdout } = await place.run(['doctor', '--security', '--json'], env);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] };
  const bad = checks.filter(({ status }) => status !== 'ok');
  for (const { hint } of bad) expect(hint).toBeDefined();
  return { code, checks, bad, of: (name: string) => checks.find(({ check }) => check === name) };
}

test('an installation with a key, private files and no unasked tool passes, before and after its first run', async () => {
  expect(await security()).toMatchObject({ code: 0, bad: [] });
  await place.run(['run', 'boss', '--message', 'hi'], { VX_MAILAGENT_KEY: KEY });
  const { code, bad, checks } = await security();
  expect([code, bad]).toEqual([0, []]);
  expect(checks.map(({ check }) => check)).toEqual([
    ...['encryption', 'data folder access', 'keys', 'config access', 'login', 'address', 'leaks'],
    ...['unasked tools', 'programs'],
  ]);
});

test('a missing key is a warning, before and after the first run', async () => {
  expect((await security({})).bad.map(({ check }) => check)).toEqual(['encryption']);
  await place.run(['run', 'boss', '--message', 'hi']);
  expect(await security({})).toMatchObject({ code: 1, bad: [{ check: 'encryption' }] });
});

test.skipIf(process.platform === 'win32')(
  'files that others can open or change are warnings (left out on Windows, which has no modes)',
  async () => {
    await place.run(['run', 'boss', '--message', 'hi'], { VX_MAILAGENT_KEY: KEY });
    const env = join(place.dir, '.env');
    writeFileSync(env, 'X=1\n');
    chmodSync(env, 0o644);
    chmodSync(join(place.dir, 'config', 'directors', 'boss.yaml'), 0o666);
    chmodSync(place.dataDir, 0o755);
    const { code, bad } = await security();
    expect(code).toBe(1);
    expect(bad.map(({ check }) => check)).toEqual(['data folder access', 'keys', 'config access']);
    expect(bad.at(-1)?.message).toContain('boss.yaml');
  },
);

test('tools that reach the world without a person are named, and those that do so after text from outside warn', async () => {
  place.write({
    'agents/ann.yaml': 'id: ann\nname: Ann\ntools: [mail_archive, mail_label]\npermissions: { allow: [mail_*] }\n',
    'directors/boss.yaml':
      'id: boss\nname: Boss\napiConfigId: main\nagents: [ann]\ntools: [mail_send, mail_draft, todo]\npermissions: { allow: [mail_send, mail_draft, mail_label, todo_*], ask: [mail_archive] }\nuntrusted: { act: [mail_label] }\n',
  });
  const { of, code } = await security();
  expect(of('director boss')).toMatchObject({
    status: 'warn',
    message: 'unasked: mail_send, mail_label; after text from outside: mail_label',
  });
  expect(code).toBe(1);
  place.write({
    'directors/boss.yaml':
      'id: boss\nname: Boss\napiConfigId: main\ntools: [mail_send]\npermissions: { allow: [mail_send] }\n',
  });
  expect((await security()).of('director boss')).toMatchObject({
    status: 'ok',
    message: 'unasked: mail_send; only where no text from outside was read',
  });
});

test('tools of notebooks that the scope can never permit are not named', async () => {
  const tools = "tools: [notebook]\npermissions: { allow: ['*'] }\n";
  place.write({
    'settings.yaml': 'roots: { lab: ./lab }\n',
    'agents/ann.yaml': `id: ann\nname: Ann\napiConfigId: main\n${tools}scope: { notebooks: [gone], operations: [write] }\n`,
    'directors/boss.yaml': `id: boss\nname: Boss\napiConfigId: main\n${tools}scope: { notebooks: [lab], operations: [read, create] }\n`,
  });
  const { of } = await security();
  expect(of('director boss')?.message).toBe('unasked: notebook_create_file; only where no text from outside was read');
  expect(of('agent ann')).toBeUndefined();
});

test('a leak and a program outside a sandbox are warnings', async () => {
  place.write({
    'tools/disk.yaml':
      'id: disk\nkind: command\ndescription: Disk use.\nargv: [df, -h]\ncwd: .\neffects: read\nparameters: { type: object, properties: {} }\n',
    'directors/boss.yaml':
      'id: boss\nname: Boss\napiConfigId: main\ntools: [mail]\npermissions: { allow: [mail_*] }\nuntrusted: { act: [mail_send] }\n',
  });
  const { of } = await security();
  expect(of('leaks')).toMatchObject({ status: 'warn', message: expect.stringContaining('directors/boss.yaml') });
  expect(of('programs')).toMatchObject({ status: 'warn', message: 'start outside a sandbox, as you: disk' });
});

test('a config that cannot start is a failure', async () => {
  place.write({ ...FILES, 'settings.yaml': 'server: { host: 0.0.0.0, publicUrl: "https://desk.example.org" }\n' });
  expect(await security()).toMatchObject({ code: 2, bad: [{ check: 'login', status: 'fail' }] });
});

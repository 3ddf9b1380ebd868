import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../engine/src/cli/program.ts';
import { FILES, LETTER, makePlace, type Place, type Started } from './harness.ts';
import { fakeTerminal } from './terminal/fake-terminal.ts';

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly items: readonly Record<string, unknown>[];
  readonly error?: { readonly code: string };
}

const json = (text: string) => JSON.parse(text) as Shown;

describe('the command line itself', () => {
  let place: Place;
  beforeAll(() => {
    place = makePlace();
  });
  afterAll(() => place.remove());

  test('says its version, fast', async () => {
    expect(await place.run(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  test('says what there is', async () => {
    const { code, stdout } = await place.run(['--help']);
    expect(code).toBe(0);
    for (const name of ['start', 'validate', 'run', 'runs', 'approvals', 'filters']) expect(stdout).toContain(name);
  });

  test.each([
    [['nonsense']],
    [[]],
    [['runs']],
    [['run']],
    [['run', 'boss']],
    [['run', 'boss', '--message', 'a', '--email', 'b']],
    [['run', 'boss', '--email', 'missing.eml']],
    [['run', 'nobody', '--message', 'a']],
    [['runs', 'show', 'nope']],
    [['runs', 'list', '--status', 'busy']],
    [['approvals', 'allow', 'nope', '--arguments', '[1]']],
    [['filters', 'try', 'missing.eml']],
    [['validate', '--format', 'xml']],
    [['validate', '--env-file', 'missing.env']],
    [['validate', 'missing']],
  ])('%j is wrong usage: exit code 2, a word on stderr, nothing on stdout', async (argv) => {
    const terminal = fakeTerminal({ argv, cwd: place.dir });
    expect([await runCommand(terminal), terminal.stdout()]).toEqual([2, '']);
    expect(terminal.stderr()).toMatch(/\S/);
    expect(terminal.stderr()).not.toMatch(/\bat .*\.ts:\d+/);
  });

  test('with --json an error is JSON on stderr', async () => {
    const { code, stdout, stderr } = await place.run(['runs', 'show', 'nope', '--json']);
    expect([code, stdout]).toEqual([2, '']);
    expect(json(stderr).error?.code).toBe('NOT_FOUND');
  });
});

/** The same commands, once with a server and once without one. */
describe.each([
  ['over the live server', true],
  ['on the data folder itself', false],
])('%s', (_name, isLive) => {
  let place: Place;
  let server: Started | undefined;
  beforeAll(async () => {
    place = makePlace();
    if (isLive) server = await place.start();
  });
  afterAll(async () => {
    await server?.stop();
    place.remove();
  });

  test('run waits for the end and prints the answer and the items on stdout', async () => {
    const { code, stdout, stderr } = await place.run(['run', 'boss', '--message', 'hi']);
    expect([code, stdout]).toEqual([0, 'done\n\n--- Note (text/plain)\nnoted\n\n']);
    expect(stderr).toMatch(/run run_\w+ of boss: completed \(scripted, no AI\)/);
  });

  test('run --json prints the run with its items as one document', async () => {
    const { code, stdout } = await place.run(['run', 'boss', '--message', 'hi', '--json']);
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({
      status: 'completed',
      directorId: 'boss',
      items: [{ label: 'Note', data: 'noted' }],
      approvals: [],
    });
  });

  test('run --email hands a mail to the director', async () => {
    writeFileSync(join(place.dir, 'f.eml'), LETTER);
    const { code, stdout } = await place.run(['run', 'boss', '--email', 'f.eml', '--json']);
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({
      trigger: { kind: 'mail' },
      items: [{ context: { email: { subject: 'hello', from: 'ada@example.org' } } }],
    });
  });

  test('runs are listed, shown and cancelled', async () => {
    const { stdout } = await place.run(['runs', 'list', '--json', '--limit', '1']);
    const [run] = json(stdout).items;
    expect(run).toMatchObject({ directorId: 'boss', status: 'completed' });
    const table = await place.run(['runs', 'list']);
    expect(table.stdout).toMatch(/^ID +STATE +DIRECTOR +TIME +COST +SUBJECT\n01/);
    const shown = await place.run(['runs', 'show', String(run?.['id'])]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('noted')]);
    const late = await place.run(['runs', 'cancel', String(run?.['id'])]);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('RUN_NOT_ACTIVE')]);
  });

  test('a run that waits for a person exits 3, and goes on when it is answered', async () => {
    const asked = await place.run(['run', 'shy', '--message', 'hi', '--json']);
    expect(asked.code).toBe(3);
    const { id, approvals } = JSON.parse(asked.stdout) as { id: string; approvals: { id: string }[] };
    const listed = await place.run(['approvals', 'list', '--json']);
    expect([listed.code, json(listed.stdout).items.map((item) => item['id'])]).toEqual([3, [approvals[0]?.id]]);
    const args = ['--arguments', '{"data":"changed"}', '--reason', 'better'];
    const allowed = await place.run(['approvals', 'allow', String(approvals[0]?.id), ...args, '--json']);
    expect([allowed.code, json(allowed.stdout).status]).toEqual([0, 'allowed']);
    expect((await place.run(['approvals', 'deny', String(approvals[0]?.id)])).code).toBe(1);
    expect((await place.run(['approvals', 'list'])).code).toBe(0);
    // Without a server it goes on at the next start.
    const own = isLive ? undefined : await place.start();
    await expect
      .poll(async () => json((await place.run(['runs', 'show', id, '--json'])).stdout).status)
      .toBe('completed');
    const shown = json((await place.run(['runs', 'show', id, '--json'])).stdout);
    expect(shown.items).toMatchObject([{ data: 'changed' }]);
    await own?.stop();
  });

  test('an approval can be denied', async () => {
    const asked = await place.run(['run', 'shy', '--message', 'hi', '--json']);
    const { approvals } = JSON.parse(asked.stdout) as { approvals: { id: string }[] };
    const denied = await place.run(['approvals', 'deny', String(approvals[0]?.id), '--reason', 'no', '--json']);
    expect([denied.code, json(denied.stdout).status]).toEqual([0, 'denied']);
  });

  test('a waiting run can be cancelled', async () => {
    const { id } = json((await place.run(['run', 'shy', '--message', 'hi', '--json'])).stdout);
    const cancelled = await place.run(['runs', 'cancel', id, '--json']);
    expect([cancelled.code, json(cancelled.stdout).status]).toEqual([0, 'cancelled']);
  });

  test('filters try says which filters match and which part decided', async () => {
    writeFileSync(join(place.dir, 'f.eml'), LETTER);
    const { code, stdout } = await place.run(['filters', 'try', 'f.eml']);
    expect(code).toBe(0);
    expect(stdout).toBe(`hello from ada@example.org, account inbox

✓ all
    ✓ not
      ✗ Subject ~ ^nothing

→ director boss (filter all)
`);
    const asJson = await place.run(['filters', 'try', 'f.eml', '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      directors: [{ directorId: 'boss', filterId: 'all' }],
      results: [{ filterId: 'all', matched: true }],
    });
  });
});

test('a folder that is taken and has no server is said to be locked', async () => {
  const place = makePlace();
  const server = await place.start();
  const file = join(place.dataDir, 'server.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), token: 'wrong' }));
  const { code, stderr } = await place.run(['runs', 'list', '--json']);
  expect([code, json(stderr).error?.code]).toEqual([2, 'DATA_LOCKED']);
  await server.stop();
  place.remove();
});

test('a server.json that a dead process left is looked through', async () => {
  const place = makePlace();
  const server = await place.start();
  await server.stop('SIGKILL');
  expect(JSON.parse(readFileSync(join(place.dataDir, 'server.json'), 'utf8'))).toHaveProperty('pid');
  expect((await place.run(['runs', 'list'])).code).toBe(0);
  place.remove();
});

test('a failed run exits 1', async () => {
  const place = makePlace({
    ...FILES,
    'apis/main.yaml': 'id: main\nprovider: openai\nmodel: m\napiKey: ${env:NO_KEY}\n',
  });
  const { code, stdout } = await place.run(['run', 'boss', '--message', 'hi', '--json']);
  expect([code, json(stdout).status]).toEqual([1, 'failed']);
  place.remove();
});

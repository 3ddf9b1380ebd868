import { cpSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../../../engine/src/cli/program.ts';
import { root } from '../../../available.ts';
import { type Ended, FILES, makePlace, type Place } from '../../harness.ts';
import { fakeTerminal } from '../../terminal/fake-terminal.ts';

let place: Place;
beforeAll(() => {
  place = makePlace({
    ...FILES,
    'apis/keyless.yaml': 'id: keyless\nprovider: openai\nmodel: gpt-5-mini\napiKey: ${env:NO_SUCH_KEY}\n',
    'agents/careful.yaml':
      'id: careful\nname: Careful\napiConfigId: main\ntools: [workspace]\npermissions: { ask: [workspace_add_item] }\n',
    'chats/careful.yaml': 'id: careful\nparticipants: [{ displayName: Scribe, agentId: careful, color: "#112233" }]\n',
    'chats/broken.yaml': 'id: broken\nparticipants: [{ displayName: Mute, apiConfigId: keyless }]\n',
  });
  for (const file of ['chats/round-table.yaml', 'apis/rehearsal.yaml'])
    cpSync(join(root, 'config', file), join(place.dir, 'config', file));
});
afterAll(() => place.remove());

/** Pipes lines into `callsheet chat`. */
async function chat(args: readonly string[], lines: readonly string[]): Promise<Ended> {
  const terminal = fakeTerminal({ argv: ['chat', ...args], cwd: place.dir, env: { HOME: place.dir } });
  for (const line of lines) terminal.press(`${line}\n`);
  terminal.end();
  const code = await runCommand(terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

test('a preset that is not there is refused, with those that are', async () => {
  const { code, stderr } = await chat(['@round-tabel'], []);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no preset "round-tabel"; did you mean "round-table"');
});

test('a new chat in which nothing was said is not kept', async () => {
  expect(await chat(['@round-table'], ['/who', '/nonsense'])).toMatchObject({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringContaining('Ada (@ada), Ben (@ben), Cleo (@cleo)\n  there is no /nonsense'),
  });
  expect((await place.run(['chats', 'list'])).stderr).toBe('no chats\n');
});

test('--chat goes on with a chat, shows its newest messages, and does not go with a preset', async () => {
  await chat(['@round-table'], ['a first word']);
  const { stdout } = await chat(['--chat', 'last'], ['a second word']);
  expect(stdout).toBe('\nUser\na first word\n');
  expect((await chat(['--chat', 'last', '--json'], [])).stdout.trim().split('\n')).toHaveLength(2);
  expect(await chat(['@round-table', '--chat', 'last'], [])).toMatchObject({ code: 2 });
});

test('without anybody to talk with, the command says whom it takes', async () => {
  const { code, stderr } = await chat([], []);
  expect(code).toBe(2);
  expect(stderr).toContain('a preset of group chats with @');
});

test('somebody who is not in the chat cannot speak', async () => {
  const { code, stderr } = await chat(['--chat', 'last'], ['/speak ava']);
  expect(code).toBe(1);
  expect(stderr).toContain('there is no participant "ava"; did you mean "ada"');
});

test('a message has the mentioned participant answer, and those that it mentions, round after round', async () => {
  const { code, stdout } = await chat(['@round-table'], ['@ada what first?']);
  const names = stdout.split('\n').filter((line) => /^(Ada|Ben|Cleo|User)$/.test(line));
  expect([code, names]).toEqual([0, ['Ada', 'Ben', 'Cleo']]);
  expect(stdout).toContain('@ben, what breaks first?');
});

test('/speak has one participant answer, and --json prints each message with what led to it', async () => {
  const { stdout } = await chat(['@round-table', '--json'], ['/speak @Cleo']);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ seq: 1, authorKind: 'agent', authorDisplayName: 'Cleo' },
    meta: { trigger: 'manual', provider: 'scripted', runId: expect.stringMatching(/^run_/) },
  });
});

test('a call of a participant that asks is shown whole, and y allows it', async () => {
  const { code, stdout, stderr } = await chat(['@careful'], ['@scribe take a note', 'y']);
  expect(stderr).toContain('Scribe asks:');
  expect(stderr).toContain('Add a result: Note');
  expect([code, stdout]).toEqual([0, '\nScribe\ndone\n']);
});

test('a participant still waits when the input ends, and the next chat goes on there', async () => {
  const { code } = await chat(['@careful'], ['@scribe take a note']);
  expect(code).toBe(3);
  expect(await chat(['--chat', 'last'], ['y'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Scribe\ndone\n$/),
  });
});

test('a participant that cannot answer says why, and the exit code is 1', async () => {
  const { code, stdout } = await chat(['@broken'], ['@mute hello']);
  expect(stdout).toMatch(/^\nMute\n.+/);
  expect(code).toBe(1);
});

test('names stand in the colour of their participant, but not with --no-color', async () => {
  const terminal = fakeTerminal({
    ...{ argv: ['chat', '@careful'], cwd: place.dir, env: { HOME: place.dir } },
    isTty: true,
  });
  terminal.press('@scribe take a note\n');
  terminal.press('y\n');
  terminal.end();
  await runCommand(terminal);
  expect(terminal.stdout()).toContain('\x1b[1;38;2;17;34;51mScribe\x1b[0m\n');
  expect((await chat(['@careful', '--no-color'], ['@scribe take a note', 'y'])).stdout).not.toContain('\x1b');
});

test('Ctrl-C cancels who is speaking, and the chat goes on', async () => {
  const asked = Promise.withResolvers<void>();
  // A model that never answers.
  const silent = createServer(() => asked.resolve());
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  place.write({
    'apis/silent.yaml': `id: silent\nprovider: openai\nmodel: m\napiKey: \${env:KEY}\nbaseUrl: ${baseUrl}\n`,
    'chats/silent.yaml': 'id: silent\nparticipants: [{ displayName: Sloth, apiConfigId: silent }]\n',
  });
  try {
    let interrupt: (signal: 'SIGINT' | 'SIGTERM') => void = () => {};
    const fake = fakeTerminal({
      argv: ['chat', '@silent'],
      cwd: place.dir,
      env: { HOME: place.dir, KEY: 'sk-silent' },
    });
    const terminal = { ...fake, onSignal: (listener: typeof interrupt) => ((interrupt = listener), () => {}) };
    fake.press('@sloth are you there?\n');
    const ended = runCommand(terminal);
    await asked.promise;
    interrupt('SIGINT');
    fake.press('/who\n');
    fake.end();
    await ended;
    expect(fake.stderr()).toContain('Sloth (@sloth)');
    const shown = JSON.parse((await place.run(['chats', 'show', 'last', '--json'])).stdout) as { round?: unknown };
    expect(shown.round).toBeUndefined();
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

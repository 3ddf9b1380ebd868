import { cliApi, describeCliDriver, openCli } from '../../../contracts/cli.ts';
import { expect, test } from 'vitest';
import type { CliApi } from '../../../../engine/src/config/documents.gen.ts';
import { request } from '../../fixtures.ts';
import { programOf } from '../../../program.ts';

const fake = programOf(new URL('./fake-tool.ts', import.meta.url));
const own = (more: object = {}): CliApi['cli'] => ({
  ...{ argv: [process.execPath, fake], input: 'stdin', output: 'jsonl', text: 'text', sessionId: 'session', ...more },
});

describeCliDriver('flags', {
  protocol: 'flags',
  api: { cli: own({ argv: [process.execPath, fake, '{{sessionId}}'] }) },
  missing: { cli: 'codex', command: ['/nowhere/codex'] },
});

test('a tool whose JSON cannot be read has its standard output as the message', async () => {
  const { model } = await openCli(cliApi({ cli: own() }), 'broken');
  expect((await model.ask(request())).message.content).toBe('{"session":"s-1"}\n{"text": "half of a li');
});

test('terminal colours in the strings of JSON lines, and white space at the end, are no part of the message', async () => {
  const { model } = await openCli(cliApi({ cli: own() }), 'colourful');
  const texts: string[] = [];
  const answer = await model.ask(request({ onText: (text) => texts.push(text) }));
  expect(answer.message.content).toBe('red words');
  expect(texts.join('')).toBe('red words');
});

test('a session id of a line is kept for the trace', async () => {
  const { model } = await openCli(cliApi({ cli: own() }));
  expect(JSON.parse((await model.ask(request())).raw)).toMatchObject({ sessionId: 's-1', exitCode: 0 });
});

test.each([
  ['in its place', ['--say', 'p={{prompt}}', 'end'], 'p=You are the desk.\n\nHello'],
  ['as the last argument where it has no place', ['--say'], 'You are the desk.\n\nHello'],
])('a prompt can be an argument: %s', async (_, args, expected) => {
  const print = 'console.log(JSON.stringify(process.argv.slice(2)))';
  const argv = [process.execPath, '-e', print, '--', ...args];
  const { model } = await openCli(cliApi({ cli: { argv, input: 'argument', output: 'text', text: 'text' } }));
  expect(JSON.parse((await model.ask(request())).message.content ?? '')).toContain(expected);
});

test('a command with a place for a session id gets a fresh one, which the trace has', async () => {
  const argv = [process.execPath, '-e', 'console.log(process.argv[1])', 'id-{{sessionId}}'];
  const { model } = await openCli(cliApi({ cli: { argv, input: 'stdin', output: 'text', text: 'text' } }));
  const first = await model.ask(request());
  const second = await model.ask(request());
  expect(first.message.content).toBe(`id-${JSON.parse(first.raw).sessionId}`);
  expect(second.message.content).not.toBe(first.message.content);
});

test('at most as many tools run at a time as the document says', async () => {
  const { model, pid } = await openCli(cliApi({ cli: own(), limits: { concurrency: 1 } }), 'silent');
  const controller = new AbortController();
  const first = model.ask(request({ signal: controller.signal }));
  first.catch(() => undefined);
  await pid('pid');
  let hasBegun = false;
  const waits = new AbortController();
  const second = model.ask(request({ signal: waits.signal, beforeSend: async () => void (hasBegun = true) }));
  waits.abort(new Error('left the queue'));
  await expect(second).rejects.toThrow('left the queue');
  expect(hasBegun).toBe(false);
  controller.abort(new Error('over'));
  await expect(first).rejects.toThrow('over');
});

test.each([
  ['Gemini', 'Error: Approval required for tool "run_shell_command"'],
  ['Claude', 'Raw mode is not supported on the current process.stdin'],
  ['Codex', 'Error: stdin is not a terminal'],
])('a tool that wants an answer at a terminal has an error of its own, as %s says it', async (_, said) => {
  const argv = [process.execPath, '-e', `console.error(${JSON.stringify(said)}); process.exit(1)`];
  const { model } = await openCli(cliApi({ cli: { argv, input: 'stdin', output: 'text', text: 'text' } }));
  await expect(model.ask(request())).rejects.toMatchObject({ code: 'MODEL_TOOL_PROMPT', retryable: false });
});

test('a tool that does not answer in time is quoted', async () => {
  const argv = [process.execPath, '-e', 'console.error("waiting for network"); setInterval(() => {}, 1000)'];
  const cli = { argv, input: 'stdin', output: 'text', text: 'text' } as const;
  const { model } = await openCli(cliApi({ cli, timeoutSeconds: 2 }));
  await expect(model.ask(request())).rejects.toMatchObject({
    ...{ code: 'MODEL_TIMEOUT', message: expect.stringContaining('and was ended: waiting for network') },
  });
});

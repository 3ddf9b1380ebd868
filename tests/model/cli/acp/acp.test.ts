import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../../../engine/src/base/clock.ts';
import { createAcpUpdates } from '../../../../engine/src/model/cli/acp/updates.ts';
import type { CliApi } from '../../../../engine/src/config/documents.gen.ts';
import type { CliPermission, CliTurn } from '../../../../engine/src/model/model.ts';
import { cliApi, type CliBehaviour, describeCliDriver, openCli, untilGone } from '../../../contracts/cli.ts';
import { request } from '../../fixtures.ts';
import { programOf } from '../../../program.ts';

const fake = programOf(new URL('./fake-agent.ts', import.meta.url));
const api: Pick<CliApi, 'cli' | 'acpCommand' | 'protocol'> = {
  ...{ cli: 'codex', acpCommand: [process.execPath, fake], protocol: 'acp' },
};

describeCliDriver('acp', { protocol: 'acp', api, missing: { cli: 'codex', acpCommand: ['/nowhere/codex-acp'] } });

const open = (behaviour: string, more: Partial<CliApi> = {}) =>
  openCli(cliApi({ ...api, ...more }), behaviour as CliBehaviour);

/** All messages that a fake agent got, in order; the first has its arguments. */
async function logOf(dir: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(join(dir, 'log'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

function roaming(mode: 'safe' | 'yolo', onPermission?: CliTurn['onPermission']): CliTurn {
  return { roaming: { dir: tmpdir(), mode, hidden: [] }, ...(onPermission && { onPermission }) };
}

async function answerTo(behaviour: string, cli?: CliTurn): Promise<unknown> {
  const { model } = await open(behaviour);
  const { message } = await model.ask(request({ ...(cli && { cli }) }));
  return JSON.parse(message.content ?? '');
}

const selected = (kind: string) => ({ outcome: { outcome: 'selected', optionId: `the ${kind}` } });

test.each([
  ['allowed', 'allow' as const, 'allow_once'],
  ['refused', 'deny' as const, 'reject_once'],
])('a permission that is %s is answered once, never for always', async (_, decision, option) => {
  const asked: CliPermission[] = [];
  const onPermission = async (permission: CliPermission) => (asked.push(permission), decision);
  expect(await answerTo('asks', roaming('safe', onPermission))).toEqual(selected(option));
  expect(asked).toEqual([{ title: 'Write note.txt', kind: 'edit', input: { path: 'note.txt', text: 'hi' } }]);
});

test('a request without input says so, also where the tool told an input before', async () => {
  const onPermission = vi.fn(async () => 'allow' as const);
  expect(await answerTo('asks-without-input', roaming('safe', onPermission))).toEqual(selected('allow_once'));
  expect(onPermission.mock.calls).toEqual([[{ title: 'Write note.txt', kind: 'edit' }, expect.anything()]]);
});

test.each([
  ['without roaming', 'asks', { onPermission: async () => 'allow' as const }],
  ['where nobody judges', 'asks', roaming('yolo')],
  ['that asks to leave the mode', 'asks-for-mode', roaming('safe', async () => 'allow')],
])('a request %s is refused', async (_, behaviour, turn) => {
  expect(await answerTo(behaviour, turn)).toEqual(selected('reject_once'));
});

test('a tool that offers a yes for always only gets no yes', async () => {
  expect(
    await answerTo(
      'asks-for-always',
      roaming('safe', async () => 'allow'),
    ),
  ).toEqual({
    outcome: { outcome: 'cancelled' },
  });
});

test('an error of the judge ends the turn with this error', async () => {
  const { model, pid } = await open('asks');
  const broken = new Error('the store is locked');
  const pending = model.ask(request({ cli: roaming('safe', () => Promise.reject(broken)) }));
  await expect(pending).rejects.toBe(broken);
  await untilGone(await pid('pid'));
});

test('the time limit stands still while a person decides', async () => {
  const { model } = await open('asks', { timeoutSeconds: 2 });
  const slow = () => new Promise<'allow'>((resolve) => void systemClock.delay(() => resolve('allow'), 2500));
  const { message } = await model.ask(request({ cli: roaming('safe', slow) }));
  expect(JSON.parse(message.content ?? '')).toEqual(selected('allow_once'));
});

test('an abort cancels open requests, then the session, then ends the tool', async () => {
  const { model, dir, pid } = await open('asks-twice');
  const controller = new AbortController();
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const signals: (AbortSignal | undefined)[] = [];
  const onPermission: CliTurn['onPermission'] = (_, { signal }) => {
    signals.push(signal);
    if (++waiting === 2) both.resolve();
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const reason = new Error('stopped');
  const pending = model.ask(request({ cli: roaming('safe', onPermission), signal: controller.signal }));
  pending.catch(() => undefined);
  await both.promise;
  controller.abort(reason);
  await expect(pending).rejects.toBe(reason);
  await untilGone(await pid('pid'));
  expect((await logOf(dir)).slice(-3)).toEqual([
    { jsonrpc: '2.0', id: 'p-1', result: { outcome: { outcome: 'cancelled' } } },
    { jsonrpc: '2.0', id: 'p-2', result: { outcome: { outcome: 'cancelled' } } },
    { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's-1' } },
  ]);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
});

test('a tool is told that there are no files and no terminals', async () => {
  const { model, dir } = await open('answers');
  await model.ask(request());
  expect((await logOf(dir))[1]).toMatchObject({
    method: 'initialize',
    params: {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    },
  });
});

test('text before and after a tool call are paragraphs, and the call is in the trace', async () => {
  const { model } = await open('works');
  const { message, raw, model: label } = await model.ask(request());
  expect(message.content).toBe('I look.\n\nTwo files.');
  expect(label).toBe('fake-acp 2.6.0');
  expect(JSON.parse(raw)).toMatchObject({
    ...{ protocol: 'acp', tool: 'fake-acp', version: '2.6.0', sessionId: 's-1' },
    toolCalls: [
      {
        ...{ title: 'ls', kind: 'execute', status: 'completed' },
        ...{ input: { command: 'ls' }, locations: ['/work/a.txt'] },
      },
    ],
  });
});

test.each(['leaves-mode', 'leaves-mode-by-option'])('a tool that leaves its mode is ended: %s', async (behaviour) => {
  const { model, pid } = await open(behaviour);
  await expect(model.ask(request())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('left the mode read-only for agent'),
  });
  await untilGone(await pid('pid'));
});

test('a tool without the mode of the turn gets no prompt', async () => {
  const { model, dir } = await open('without-modes');
  await expect(model.ask(request())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('does not offer the mode read-only'),
  });
  expect((await logOf(dir)).map(({ method }) => method)).toEqual([undefined, 'initialize', 'session/new']);
});

test('the mode is set after a load as well, and never later than the prompt', async () => {
  const { model, dir } = await open('remembers');
  await model.ask(request({ cli: { session: { dir, resume: { id: 's-old', prompt: 'New' } } } }));
  const log = await logOf(dir);
  expect(log.map(({ method }) => method)).toEqual([
    ...[undefined, 'initialize', 'session/load', 'session/set_mode', 'session/prompt'],
  ]);
  expect(log[2]).toMatchObject({ params: { sessionId: 's-old', cwd: dir, mcpServers: [] } });
  expect(log[3]).toMatchObject({ params: { sessionId: 's-old', modeId: 'read-only' } });
});

test.each([
  ['a tool that cannot load sessions', 'answers', 'codex', 'the tool cannot load sessions'],
  ['Gemini CLI', 'remembers', 'gemini', 'Gemini CLI erases a session that it loads'],
] as const)('%s gets a fresh session, and the trace says why', async (_, behaviour, cli, whyFresh) => {
  const { model, dir } = await open(behaviour, { cli });
  const onKept = vi.fn();
  const session = { dir, resume: { id: 's-old', prompt: 'New' }, onKept };
  const { message, raw } = await model.ask(request({ cli: { session } }));
  expect(message.content).toContain('Hello');
  expect(JSON.parse(raw)).toMatchObject({ session: 'fresh', whyFresh });
  expect(onKept).not.toHaveBeenCalled();
});

test('another version of the protocol ends the turn before there is a session', async () => {
  const { model, dir } = await open('of-tomorrow');
  await expect(model.ask(request())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringContaining('speaks version 2'),
  });
  expect((await logOf(dir)).map(({ method }) => method)).toEqual([undefined, 'initialize']);
});

test.each([
  ['an error of the tool', 'fails', { code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('model is gone') }],
  ['a line of 9 MB', 'long-line', { code: 'MODEL_UNAVAILABLE' }],
  ['a turn that it cancelled itself', 'cancels-itself', { code: 'MODEL_UNAVAILABLE' }],
])('%s fails the turn', async (_, behaviour, error) => {
  const { model, pid } = await open(behaviour);
  await expect(model.ask(request())).rejects.toMatchObject(error);
  await untilGone(await pid('pid'));
});

test('a refusal of the model is told as one', async () => {
  const { model } = await open('refuses');
  expect(await model.ask(request())).toMatchObject({ stop: 'refusal', message: { content: 'No.' } });
});

test('a version that was not tried is a warning in the trace', async () => {
  const { model } = await open('answers', { cli: 'claude' });
  expect(JSON.parse((await model.ask(request())).raw).warnings).toEqual([
    'version 2.6.0 of the ACP adapter of claude was not tried with Callsheet; 0.101.0 was',
  ]);
  const tried = await open('answers');
  expect(JSON.parse((await tried.model.ask(request())).raw)).not.toHaveProperty('warnings');
});

/** Modes in which a tool asks nobody, or has no sandbox, as they were measured. */
const DANGEROUS = ['auto', 'acceptEdits', 'bypassPermissions', 'agent', 'agent-full-access', 'autoEdit', 'yolo'];

test.each([
  ['claude', 'none', 'default'],
  ['claude', 'safe', 'default'],
  ['claude', 'yolo', 'bypassPermissions'],
  ['codex', 'none', 'read-only'],
  ['codex', 'safe', 'workspace-write'],
  ['codex', 'yolo', 'agent-full-access'],
  ['gemini', 'none', 'plan'],
  ['gemini', 'safe', 'default'],
  ['gemini', 'yolo', 'yolo'],
] as const)('%s works in the turn mode %s in its own mode %s', async (cli, mode, expected) => {
  const { model, dir } = await open('answers', { cli });
  await model.ask(request(mode === 'none' ? {} : { cli: roaming(mode) }));
  const log = await logOf(dir);
  const set = log.flatMap(({ method, params }) => (method === 'session/set_mode' ? [params] : []));
  expect(set).toEqual([{ sessionId: 's-1', modeId: expected }]);
  expect(DANGEROUS.includes(expected)).toBe(mode === 'yolo');
  const places = log.map(({ method }) => method);
  expect(places.indexOf('session/set_mode')).toBe(places.indexOf('session/new') + 1);
  expect(places.indexOf('session/set_mode')).toBeLessThan(places.indexOf('session/prompt'));
  expect(log[0]).toEqual({ argv: cli === 'gemini' && mode === 'yolo' ? ['--skip-trust'] : [] });
});

test.each([
  ['gemini', 'none', 'false'],
  ['gemini', 'safe', 'false'],
  ['gemini', 'yolo', undefined],
  ['codex', 'safe', undefined],
] as const)('%s in the turn mode %s trusts its folder: %s', async (cli, mode, expected) => {
  const { model } = await open('where', { cli });
  const { message } = await model.ask(request(mode === 'none' ? {} : { cli: roaming(mode) }));
  expect(JSON.parse(message.content ?? '').env.GEMINI_CLI_TRUST_WORKSPACE).toBe(expected);
});

test.each([
  ['none', { tools: [], settingSources: [], strictMcpConfig: true }],
  ['safe', { settingSources: [], strictMcpConfig: true }],
  ['yolo', { settingSources: [], strictMcpConfig: true }],
] as const)('Claude gets no settings, and no tools without roaming: %s', async (mode, options) => {
  const { model, dir } = await open('answers', { cli: 'claude' });
  await model.ask(request(mode === 'none' ? {} : { cli: roaming(mode) }));
  const made = (await logOf(dir)).find(({ method }) => method === 'session/new');
  expect(made).toMatchObject({ params: { mcpServers: [], _meta: { claudeCode: { options } } } });
  expect(made?.['params']).toHaveProperty('_meta.claudeCode.options', options);
});

test('a command of the user with an adapter works in its start mode, and the trace says so', async () => {
  const own: CliApi['cli'] = { argv: ['mine'], input: 'stdin', output: 'text', text: 'text' };
  const { model, dir } = await open('answers', { cli: own });
  expect(JSON.parse((await model.ask(request())).raw).warnings).toEqual([expect.stringContaining('start mode')]);
  expect((await logOf(dir)).map(({ method }) => method)).not.toContain('session/set_mode');
});

test('updates of any form are taken without an error', () => {
  const updates = createAcpUpdates({ onText: undefined, onMode: () => undefined });
  updates.start();
  const strange = [undefined, null, 1, {}, { update: null }, { update: { sessionUpdate: 'tool_call' } }];
  for (const one of strange) updates.take(one);
  updates.take({ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'image' } } });
  updates.take({ update: { sessionUpdate: 'config_option_update', configOptions: [null, 3] } });
  expect([updates.text(), updates.calls()]).toEqual(['', []]);
});

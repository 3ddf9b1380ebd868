import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CliTurn } from '../../../../engine/src/model/model.ts';
import { flagArguments } from '../../../../engine/src/model/cli/flags/arguments.ts';
import type { ToolName } from '../../../../engine/src/model/cli/tool.ts';
import { cliApi, openCli } from '../../../contracts/cli.ts';
import { request } from '../../fixtures.ts';
import { programOf } from '../../../program.ts';

const fake = programOf(new URL('./fake-known.ts', import.meta.url));
const names: readonly ToolName[] = ['codex', 'claude', 'gemini'];
const modes = ['none', 'safe', 'yolo'] as const;

const roamingIn = (dir: string, mode: (typeof modes)[number]): CliTurn['roaming'] =>
  mode === 'none' ? undefined : { dir, mode, hidden: [] };

/** Asks the fake of a tool; its message tells how it was started. */
async function ask(name: ToolName, cli: CliTurn = {}) {
  const { model } = await openCli(cliApi({ cli: name, protocol: 'flags', command: [process.execPath, fake, name] }));
  const answer = await model.ask(request({ cli }));
  const started = JSON.parse(answer.message.content ?? '') as { args: string[]; prompt: string; cwd: string };
  return { answer, raw: JSON.parse(answer.raw), started };
}

/** What opens each tool entirely: by value, and by the names of arguments that do the same. */
const YOLO =
  /danger|bypass|yolo|full-auto|allow-dangerously|skip-permissions|allowedTools|allowed-tools|auto-approve|^-y$/i;
/** What lets a tool write into its folder. */
const WRITES = /^(workspace-write|acceptEdits|auto_edit)$/;

describe('the arguments of the known tools', () => {
  test.each(names.flatMap((name) => modes.map((mode) => [name, mode] as const)))(
    '%s with %s opens no more than that',
    (name, mode) => {
      const args = flagArguments[name](roamingIn('/w', mode));
      expect(args.some((arg) => YOLO.test(arg))).toBe(mode === 'yolo');
      expect(args.some((arg) => WRITES.test(arg))).toBe(mode === 'safe');
    },
  );

  test('are those of text alone without roaming', () => {
    expect(flagArguments.codex(undefined)).toEqual([
      ...['exec', '--json', '--ephemeral', '--skip-git-repo-check', '--ignore-user-config', '-s', 'read-only', '-'],
    ]);
    expect(flagArguments.claude(undefined).join(' ')).toContain('--tools  --disable-slash-commands');
    expect(flagArguments.gemini(undefined).join(' ')).toContain('--approval-mode plan');
  });
});

describe.each(names)('%s by flags', (name) => {
  test('reads the prompt from standard input, so that no other program sees it', async () => {
    const { started } = await ask(name);
    expect(started.prompt).toBe('You are the desk.\n\nHello');
    expect(started.args.join(' ')).not.toContain('Hello');
    expect(started.args).toEqual(flagArguments[name](undefined));
  });

  test.each(['safe', 'yolo'] as const)('works in the folder of a roaming turn: %s', async (mode) => {
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'callsheet-roam-')));
    const { started, raw } = await ask(name, { roaming: { dir, mode, hidden: [] } });
    expect(started.cwd).toBe(dir);
    expect(started.args).toEqual(flagArguments[name]({ dir, mode, hidden: [] }));
    expect(raw).toMatchObject({ mode, tool: name, protocol: 'flags', isSandboxed: false });
  });

  test('counts tokens as the tool does', async () => {
    const { answer } = await ask(name);
    expect(answer.usage).toEqual({ inputTokens: 7, outputTokens: 3, cachedInputTokens: 2 });
  });
});

test('Claude Code keeps the session of a chat that resumes, and goes on in it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'callsheet-session-'));
  const kept: string[] = [];
  const session = { dir, onKept: (id: string) => kept.push(id) };
  const first = await ask('claude', { session });
  expect(first.started.args).not.toContain('--no-session-persistence');
  expect(first.started.args).not.toContain('--resume');
  const next = await ask('claude', { session: { ...session, resume: { id: 's-1', prompt: 'New' } } });
  expect(next.started).toMatchObject({ prompt: 'New', cwd: await realpath(dir) });
  expect(next.started.args.join(' ')).toContain('--resume s-1 --setting-sources  --tools ');
  expect(kept).toEqual(['s-1', 's-1']);
});

test.each(['codex', 'gemini'] as const)('%s is never resumed by flags, and the trace says why', async (name) => {
  const session = { dir: await mkdtemp(join(tmpdir(), 'callsheet-session-')), resume: { id: 's-1', prompt: 'New' } };
  const { started, raw } = await ask(name, { session });
  expect(started.args).toEqual(flagArguments[name](undefined));
  expect(started.prompt).toContain('Hello');
  expect(raw).toMatchObject({ session: 'fresh', whyFresh: expect.stringMatching(/sandbox|erases/) });
});

test('the calls that Codex reports are in the trace', async () => {
  const { raw } = await ask('codex');
  expect(raw.sessionId).toBe('t-1');
  expect(raw.toolCalls).toEqual([
    { title: 'ls', kind: 'execute', status: 'completed', input: { command: 'ls' } },
    expect.objectContaining({ kind: 'edit', status: 'completed', locations: ['a.txt'] }),
  ]);
});

test('the calls that Claude Code reports are in the trace', async () => {
  const { raw } = await ask('claude');
  expect(raw.sessionId).toBe('s-1');
  expect(raw.toolCalls).toEqual([
    {
      ...{ title: 'Write', kind: 'edit', status: 'failed', locations: ['/w/a.txt'] },
      input: { file_path: '/w/a.txt', content: 'x' },
    },
  ]);
});

test('the calls that Gemini CLI reports are in the trace', async () => {
  const { raw } = await ask('gemini');
  expect(raw.toolCalls).toEqual([{ title: 'read_file', kind: 'other', status: 'success', input: { path: 'a.txt' } }]);
});

test('a version that was not tried is a warning in the trace, and one that was is none', async () => {
  const gemini = await ask('gemini');
  expect(gemini.answer.model).toBe('gemini 0.99.0');
  expect(gemini.raw.warnings).toEqual([expect.stringContaining('Gemini CLI 0.99.0 was not tried')]);
  const codex = await ask('codex');
  expect(codex.answer.model).toBe('codex 0.169.0');
  expect(codex.raw).not.toHaveProperty('warnings');
});

describe('Gemini CLI by flags in a folder with settings for it', () => {
  test.each(['.gemini', '.agents', '.env'])('is not started in safe: %s', async (entry) => {
    const dir = await mkdtemp(join(tmpdir(), 'callsheet-roam-'));
    await writeFile(join(dir, entry), '');
    const roaming = { dir, mode: 'safe', hidden: [] } as const;
    await expect(ask('gemini', { roaming })).rejects.toMatchObject({
      code: 'MODEL_BAD_REQUEST',
      message: expect.stringContaining(`what its ${entry} says would count`),
      hint: expect.stringContaining('protocol: acp'),
    });
    expect((await ask('gemini', { roaming: { ...roaming, mode: 'yolo' } })).started.cwd).toBe(await realpath(dir));
    expect((await ask('claude', { roaming })).started.cwd).toBe(await realpath(dir));
  });
});

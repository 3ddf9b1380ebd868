import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../engine/src/base/clock.ts';
import { silentLogger } from '../../engine/src/base/log.ts';
import { createRedactor } from '../../engine/src/base/redact.ts';
import type { CliApi } from '../../engine/src/config/documents.gen.ts';
import { createCli } from '../../engine/src/model/cli/cli.ts';
import type { Model, ModelRequest } from '../../engine/src/model/model.ts';
import { nextTry } from '../next-try.ts';

/**
 * How the fake tool of a driver behaves: `answers` repeats the prompt; `where` answers with JSON of its folder, the files in it and its
 * environment; `silent` never answers; `stubborn` neither, and ignores SIGTERM; `outlived` starts a process in a group of its own and
 * never answers; `crashes` writes two lines and the value of `FAKE_API_KEY` on stderr and ends with 3; `chatty` writes 50,000 lines on
 * stderr and says "done"; `floods` answers with 50 MB of `x`; `signed-out` says that nobody has signed in; `remembers` can load sessions,
 * and repeats the prompt; `forgets` does the same and has no session "s-old". Each writes its process id into
 * the file `pid` in `FAKE_DIR`; `outlived` that of its child into `child`.
 */
export type CliBehaviour =
  | 'answers'
  | 'remembers'
  | 'forgets'
  | 'where'
  | 'silent'
  | 'stubborn'
  | 'outlived'
  | 'crashes'
  | 'chatty'
  | 'floods'
  | 'signed-out';

/** A driver: the keys of an api document that make it start its fake tool, and those that name a program that is not there. */
export interface CliDriverUnderTest {
  readonly protocol: 'acp' | 'flags';
  readonly api: Partial<CliApi> & Pick<CliApi, 'cli'>;
  readonly missing: Partial<CliApi> & Pick<CliApi, 'cli'>;
}

const SECRET = 'sk-fake-0123456789';

/** An api document of provider `cli`. */
export function cliApi(more: Partial<CliApi> & Pick<CliApi, 'cli'>): CliApi {
  return {
    ...{
      id: 'tool',
      description: '',
      enabled: true,
      provider: 'cli',
      protocol: 'auto',
      sessions: 'fresh',
      timeoutSeconds: 60,
      locality: 'any',
    },
    ...{ env: ['FAKE_DO', 'FAKE_DIR', 'FAKE_API_KEY'], limits: { concurrency: 2 }, fallback: [], ...more },
  };
}

/** A model of an api document whose tool behaves so, and the folder with its process ids. It runs without bubblewrap. */
export async function openCli(
  api: CliApi,
  behaviour: CliBehaviour | 'broken' | 'colourful' = 'answers',
): Promise<{ model: Model; dir: string; pid: (name: string) => Promise<number> }> {
  const dir = await mkdtemp(join(tmpdir(), 'callsheet-cli-'));
  const variables: Record<string, string | undefined> = {
    ...{
      PATH: process.env['PATH'],
      HOME: dir,
      FAKE_DO: behaviour,
      FAKE_DIR: dir,
      FAKE_API_KEY: SECRET,
      OTHER: 'private',
    },
  };
  const model = createCli({
    ...{ api, clock: systemClock, redactor: createRedactor(), log: silentLogger, env: (name) => variables[name] },
    sandbox: { isUsable: async () => false, wrapOf: async () => undefined },
  });
  const pid = async (name: string) => {
    for (let tries = 0; ; tries++) {
      const text = await readFile(join(dir, name), 'utf8').catch(() => '');
      if (text !== '') return Number(text);
      await nextTry(tries);
    }
  };
  return { model, dir, pid };
}

/** Resolves when a process does no work any more: it has ended, and perhaps nobody has collected it yet. */
export async function untilGone(pid: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined || /\) [ZX] /.test(stat)) return;
    await nextTry(tries);
  }
}

const request: ModelRequest = {
  messages: [
    { role: 'system', content: 'You are the desk.' },
    { role: 'user', content: 'Hello' },
  ],
  ...{ tools: [], role: 'agent', actorId: 'desk', turn: 1 },
};

/** What every driver of command-line agents promises. */
export function describeCliDriver(name: string, { protocol, api, missing }: CliDriverUnderTest): void {
  const open = (behaviour: CliBehaviour, more: Partial<CliApi> = {}) =>
    openCli(cliApi({ protocol, ...api, ...more }), behaviour);

  describe(`${name} as a driver of command-line agents`, () => {
    test('answers with the text of the tool, in pieces that are the text when joined', async () => {
      const { model } = await open('answers');
      const pieces: string[] = [];
      const { message, stop } = await model.ask({ ...request, onText: (piece) => pieces.push(piece) });
      expect(message.content).toContain('You are the desk.\n\nHello');
      expect(stop).toBe('stop');
      expect(pieces).not.toContain('');
      expect(pieces.join('')).toBe(message.content);
    });

    test('keeps the protocol, the tool, the mode, its calls and its standard error for the trace', async () => {
      const { model } = await open('answers');
      const { raw, model: label } = await model.ask(request);
      expect(JSON.parse(raw)).toMatchObject({
        protocol,
        mode: 'none',
        tool: expect.any(String),
        toolCalls: [],
        stderr: '',
      });
      expect(label).toMatch(/./);
    });

    test('works without roaming in a fresh empty folder, which is gone afterwards', async () => {
      const { model } = await open('where');
      const { cwd, files } = JSON.parse((await model.ask(request)).message.content ?? '');
      expect(files).toEqual([]);
      expect(cwd).not.toBe(process.cwd());
      expect(existsSync(cwd)).toBe(false);
    });

    test('works with roaming in the folder of the turn, and says in which mode', async () => {
      const { model } = await open('where');
      const dir = await realpath(await mkdtemp(join(tmpdir(), 'callsheet-roam-')));
      const answer = await model.ask({ ...request, cli: { roaming: { dir, mode: 'safe', hidden: [] } } });
      expect(JSON.parse(answer.message.content ?? '')).toMatchObject({ cwd: dir });
      expect(JSON.parse(answer.raw)).toMatchObject({ mode: 'safe' });
      expect(existsSync(dir)).toBe(true);
    });

    test('goes on in the session of an earlier turn, and reads what is new', async () => {
      const { model, dir } = await open('remembers');
      const kept: string[] = [];
      const resume = { id: 's-old', prompt: 'Only this' };
      const answer = await model.ask({ ...request, cli: { session: { dir, resume, onKept: (id) => kept.push(id) } } });
      expect(answer.message.content).toBe('Answer to: Only this');
      expect(JSON.parse(answer.raw)).toMatchObject({ session: 'resumed', sessionId: 's-old', toolCalls: [] });
      expect(kept).toEqual(['s-old']);
    });

    test('reads the whole prompt in a fresh session where the tool has lost the old one, and says so', async () => {
      const { model, dir } = await open('forgets');
      const kept: string[] = [];
      const resume = { id: 's-old', prompt: 'Only this' };
      const answer = await model.ask({ ...request, cli: { session: { dir, resume, onKept: (id) => kept.push(id) } } });
      expect(answer.message.content).toBe('Answer to: You are the desk.\n\nHello');
      expect(JSON.parse(answer.raw)).toMatchObject({ session: 'fresh', whyFresh: 'the tool has lost the session' });
      expect(kept).toEqual([expect.not.stringMatching('s-old')]);
    });

    test('gives the tool the environment that its document names, and no more', async () => {
      const { model } = await open('where');
      const { env } = JSON.parse((await model.ask(request)).message.content ?? '');
      expect(env).toMatchObject({ FAKE_DO: 'where', PATH: process.env['PATH'] });
      expect(env).not.toHaveProperty('OTHER');
      expect(env).not.toHaveProperty('VITEST');
    });

    test('fails with the last lines of standard error, without secrets', async () => {
      const { model } = await open('crashes');
      const failed = await model.ask(request).catch((error: unknown) => error);
      expect(failed).toMatchObject({
        code: 'MODEL_UNAVAILABLE',
        message: expect.stringContaining('is gone, key [redacted]'),
      });
    });

    test('says that nobody has signed in', async () => {
      const { model } = await open('signed-out');
      await expect(model.ask(request)).rejects.toMatchObject({
        code: 'MODEL_SIGN_IN',
        hint: expect.stringMatching(/./),
      });
    });

    test('keeps standard error out of the message, and its end for the trace', async () => {
      const { model } = await open('chatty');
      const { message, raw } = await model.ask(request);
      expect(message.content).toBe('done');
      expect(JSON.parse(raw).stderr).toMatch(/progress 49999$/);
    });

    test('cuts an answer of 50 MB, and says so', async () => {
      const { model } = await open('floods');
      const { content } = (await model.ask(request)).message;
      expect(content?.length).toBeLessThan(2 * 1024 * 1024);
      expect(content).toContain('[truncated');
    });

    test('ends a tool that does not answer in time', async () => {
      const { model, pid } = await open('silent', { timeoutSeconds: 2 });
      await expect(model.ask(request)).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' });
      await untilGone(await pid('pid'));
    });

    test('ends a tool on abort that ignores SIGTERM, and rejects with the reason', async () => {
      const { model, pid } = await open('stubborn');
      const controller = new AbortController();
      const reason = new Error('stopped on the way');
      const pending = model.ask({ ...request, signal: controller.signal });
      pending.catch(() => undefined);
      const tool = await pid('pid');
      controller.abort(reason);
      await expect(pending).rejects.toBe(reason);
      await untilGone(tool);
    });

    test.runIf(process.platform === 'linux')(
      'ends what the tool has started, also in a group of its own (Linux)',
      async () => {
        const { model, pid } = await open('outlived');
        const controller = new AbortController();
        const pending = model.ask({ ...request, signal: controller.signal });
        pending.catch(() => undefined);
        const [tool, child] = [await pid('pid'), await pid('child')];
        controller.abort(new Error('stopped'));
        await expect(pending).rejects.toThrow('stopped');
        await Promise.all([untilGone(tool), untilGone(child)]);
      },
    );

    test('starts nothing after an abort', async () => {
      const { model, dir } = await open('answers');
      const reason = new Error('stopped before');
      await expect(model.ask({ ...request, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(existsSync(join(dir, 'pid'))).toBe(false);
    });

    test('is available where its program is found, and says how to install it where not', async () => {
      expect(await (await open('answers')).model.available({})).toEqual({ ok: true });
      const { model } = await openCli(cliApi({ protocol, ...missing }));
      expect(await model.available({})).toEqual({ ok: false, why: expect.stringContaining('is not installed') });
      await expect(model.ask(request)).rejects.toMatchObject({
        code: 'MODEL_TOOL_MISSING',
        hint: expect.stringMatching(/./),
      });
    });
  });
}

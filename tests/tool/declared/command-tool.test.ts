import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRedactor } from '../../../engine/src/base/redact.ts';
import type { CommandTool } from '../../../engine/src/config/documents.gen.ts';
import { buildArgv } from '../../../engine/src/tool/declared/command-arguments.ts';
import type { DeclaredServices } from '../../../engine/src/tool/declared-tool.ts';
import { hasBubblewrap } from '../../available.ts';
import { declare, run, toolOf } from './declared-harness.ts';
import { PATIENCE_MS } from '../../next-try.ts';

/** Prints its arguments, folder and environment. */
const SHOW = 'console.log(JSON.stringify({ args: process.argv.slice(1), cwd: process.cwd(), env: process.env }))';
const NODE = { kind: 'command', effects: 'read', trust: 'trusted' };
const PARAMETERS = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'callsheet-command-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'work'));
});

const command = (keys: object, services: Partial<DeclaredServices> = {}) =>
  toolOf({ ...NODE, cwd: './work', parameters: PARAMETERS, ...keys }, { baseDir: base, ...services });
const node = (script: string, ...rest: string[]) => [process.execPath, '-e', script, ...rest];
const stdoutOf = (result: unknown) => (result as { stdout: string }).stdout;

describe('a command tool', () => {
  test('asks unless a rule names it, and says what it runs', async () => {
    const tool = command({ argv: ['du', '-sh', '--', '{{a}}'] });
    expect(tool).toMatchObject({
      name: 'x',
      family: 'x',
      asks: true,
      effects: 'read',
      repeat: 'free',
      reach: 'outward',
    });
    expect(await tool.warnings?.({ a: 'my folder' })).toEqual([expect.stringContaining('without a sandbox')]);
    expect(command({ argv: ['du'], effects: 'write' })).toMatchObject({ repeat: 'once' });
    expect(command({ argv: ['du'], sandbox: true })).toMatchObject({ asks: true, reach: 'private' });
  });

  test('hands each argument on as one, and no shell reads it', async () => {
    const a = '$(touch evil); `id` > out "x" \'y\' * | & \n ü';
    const result = await run(command({ argv: node(SHOW, '--', '{{a}}', 'x={{b}}') }), { a, b: 'a b' });
    expect(JSON.parse(stdoutOf(result))).toMatchObject({ args: [a, 'x=a b'], cwd: join(base, 'work') });
    expect(existsSync(join(base, 'work', 'evil'))).toBe(false);
  });

  test('passes on PATH, LANG, HOME and what the document names, and nothing else', async () => {
    const env = (name: string) =>
      ({ PATH: '/usr/bin', LANG: 'C', HOME: '/root', SECRET: 'hush', DATABASE_URL: 'x' })[name];
    const asked: unknown[] = [];
    const resolve = (reference: string, hosts: readonly string[]) => {
      asked.push([reference, hosts]);
      return 't0ken-value';
    };
    const tool = command({ argv: node(SHOW), env: { TOKEN: 'key ${env:TOKEN}', FIXED: '1' } }, { env, resolve });
    const seen = JSON.parse(stdoutOf(await run(tool))).env;
    expect(seen).toEqual({ PATH: '/usr/bin', LANG: 'C', HOME: '/root', TOKEN: 'key t0ken-value', FIXED: '1' });
    expect(asked).toEqual([['${env:TOKEN}', [expect.stringMatching(/^node-[0-9a-f]{8}\.command$/)]]]);
  });

  test('redacts keys in its output', async () => {
    const redactor = createRedactor();
    redactor.add('t0ken-value');
    expect(stdoutOf(await run(command({ argv: ['echo', 't0ken-value'] }, { redactor })))).toBe('[redacted]\n');
  });

  test('returns an exit code with both outputs, and marks them as data', async () => {
    const script = 'console.log("out"); console.error("err"); process.exitCode = 3';
    expect(await run(command({ argv: node(script), trust: 'untrusted' }))).toEqual({
      ...{ exitCode: 3, stdout: 'out\n', stderr: 'err\n', trust: 'untrusted', about: expect.any(String) },
    });
  });

  test('keeps the start of a long output', async () => {
    const script = 'process.stdout.write("x".repeat(3_000_000))';
    expect(await run(command({ argv: node(script), maxBytes: 1000 }))).toEqual({
      ...{ exitCode: 0, stdout: 'x'.repeat(1000), note: '[truncated: 2999000 more bytes of stdout]' },
    });
  });

  test.each([
    ['a program that is not there', { argv: ['no-such-program'] }, 'could not be started'],
    ['a folder that is not there', { argv: ['du'], cwd: './gone' }, 'there is no folder ./gone'],
    ['a key without a value', { argv: ['du'], env: { A: '${env:NONE}' } }, '${env:NONE} has no value'],
  ])('says what is wrong: %s', async (_name, keys, message) => {
    await expect(run(command(keys))).rejects.toMatchObject({
      code: 'TOOL_FAILED',
      message: expect.stringContaining(message),
    });
  });
});

describe('the end of a command', () => {
  /** Starts a child of its own, tells both ids, and never ends. */
  const FAMILY = ['sh', '-c', 'sleep 1000 & echo $$ $! > new; mv new pids; wait'];
  const pids = () =>
    readFileSync(join(base, 'work', 'pids'), 'utf8')
      .split(' ')
      .map(Number);
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      // A process that has ended, and whose parent has not asked, is still listed.
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  const started = () => vi.waitFor(() => expect(pids()).toHaveLength(2), { timeout: PATIENCE_MS });

  test('comes with an abort, for all that it started', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const running = run(command({ argv: FAMILY }), {}, { signal: controller.signal });
    await started();
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await vi.waitFor(() => expect(pids().filter(isAlive)).toEqual([]), { timeout: PATIENCE_MS });
  });

  test.each([
    ['read', 'TOOL_FAILED'],
    ['write', 'TOOL_OUTCOME_UNKNOWN'],
  ])('comes with its time limit; of a %s it is %s', async (effects, code) => {
    const tool = command({ argv: FAMILY, effects, timeoutSeconds: 1 });
    await expect(run(tool)).rejects.toMatchObject({ code, message: expect.stringContaining('1 seconds') });
    await vi.waitFor(() => expect(pids().filter(isAlive)).toEqual([]), { timeout: PATIENCE_MS });
  });

  test('leaves no process behind that it started', async () => {
    const script = `const c = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit' });
      require('node:fs').writeFileSync('pids', String(c.pid)); c.unref()`;
    expect(await run(command({ argv: node(script) }))).toMatchObject({ exitCode: 0 });
    await vi.waitFor(() => expect(pids().filter(isAlive)).toEqual([]), { timeout: PATIENCE_MS });
  });
});

describe('the arguments of a command', () => {
  const argv = (template: string[], args: Record<string, unknown>) =>
    buildArgv(declare({ kind: 'command', parameters: PARAMETERS, argv: template }) as CommandTool, args);

  test('are never an option of the program: 10,000 values', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ maxLength: 20 }).map((text) => `-${text}`),
      fc.string({ maxLength: 20 }).map((text) => `--${text}`),
    );
    fc.assert(
      fc.property(value, value, (a, b) => {
        let made: string[];
        try {
          made = argv(['tool', '{{a}}{{b}}', '--to={{a}}', '--', '{{b}}'], { a, b });
        } catch (error) {
          if (!a.startsWith('-') && !(a === '' && b.startsWith('-')) && !`${a}${b}`.includes('\0')) throw error;
          return;
        }
        const [x, y] = [a.toWellFormed(), b.toWellFormed()];
        if (made.length !== 5 || made[1] !== x + y || made[2] !== `--to=${x}` || made[4] !== y || x.startsWith('-'))
          throw new Error(JSON.stringify(made));
      }),
      { numRuns: 10_000, seed: 12 },
    );
  });

  test('leave out a placeholder without a value', () => {
    expect(argv(['tool', '{{a}}', 'b={{b}}'], {})).toEqual(['tool', 'b=']);
  });

  test('tell the model how to write a name that begins with a dash', () => {
    expect(() => argv(['cat', '{{a}}'], { a: '-n' })).toThrow(
      expect.objectContaining({ code: 'TOOL_ARGUMENTS', hint: expect.stringContaining('./-name') }),
    );
    expect(argv(['cat', '--', '{{a}}'], { a: '-n' })).toEqual(['cat', '--', '-n']);
  });
});

test('a command with a sandbox is refused where bubblewrap is missing, before a person is asked', async () => {
  const tool = command(
    { argv: ['touch', 'made'], sandbox: true },
    { env: (name) => (name === 'PATH' ? base : undefined) },
  );
  const refused = { code: 'TOOL_FAILED', hint: expect.stringContaining('install bubblewrap') };
  await expect(tool.check?.({}, {} as never)).rejects.toMatchObject(refused);
  await expect(run(tool)).rejects.toMatchObject(refused);
  expect(existsSync(join(base, 'work', 'made'))).toBe(false);
});

describe.skipIf(!hasBubblewrap)(`a command in a sandbox${hasBubblewrap ? '' : ' (needs bubblewrap)'}`, () => {
  const shell = (script: string, keys: object = {}) => command({ argv: ['sh', '-c', script], sandbox: true, ...keys });

  test('sees its folder and the named ones, and nothing else of the disk', async () => {
    for (const name of ['config', 'more']) mkdirSync(join(base, name));
    for (const name of ['.env', 'work/a', 'more/b', 'config/c']) writeFileSync(join(base, name), name);
    const script = `cat a ${base}/more/b; ls -a ${base} / /home /root /etc 2>&1 | sort`;
    const { stdout } = (await run(shell(script, { folders: [{ path: './more' }] }))) as { stdout: string };
    expect(stdout).toContain('work/amore/b');
    const seen = stdout.split('\n');
    expect(seen).toEqual(expect.arrayContaining(['work', 'more', 'usr']));
    for (const name of ['.env', 'config', 'passwd', 'shadow', '.ssh', 'var']) expect(seen).not.toContain(name);
  });

  test('writes only into folders that its document opens', async () => {
    mkdirSync(join(base, 'more'));
    const script = `touch made; touch ${base}/more/made; touch /usr/made; true`;
    await run(shell(script));
    expect([existsSync(join(base, 'work/made')), existsSync(join(base, 'more/made'))]).toEqual([false, false]);
    await run(shell(script, { effects: 'write', folders: [{ path: './more', write: true }] }));
    expect([existsSync(join(base, 'work/made')), existsSync(join(base, 'more/made'))]).toEqual([true, true]);
    expect(existsSync('/usr/made')).toBe(false);
  });

  test('has no network, also not to this machine, and sees no other process', async () => {
    const { stdout } = (await run(shell('cat /proc/net/dev | grep -c :; ls /proc | grep -c "^[0-9]*$"; hostname'))) as {
      stdout: string;
    };
    const [devices, processes] = stdout.split('\n').map(Number);
    // The loopback of the sandbox itself, and its own few processes.
    expect(devices).toBe(1);
    expect(processes).toBeLessThan(8);
  });

  test('ends at its time limit', async () => {
    const tool = shell('sleep 1000 & echo ready; sleep 1000', { timeoutSeconds: 0.3 });
    await expect(run(tool)).rejects.toMatchObject({ code: 'TOOL_FAILED' });
  });

  test('runs the example: how much space a folder takes', async () => {
    writeFileSync(join(base, 'work', 'file'), 'x'.repeat(50_000));
    const tool = command({ argv: ['du', '-sh', '--', '{{a}}'], sandbox: true });
    expect(stdoutOf(await run(tool, { a: '.' }))).toMatch(/^\d+K\t\.\n$/);
    expect(await run(tool, { a: '/root' })).toMatchObject({ exitCode: 1 });
  });
});

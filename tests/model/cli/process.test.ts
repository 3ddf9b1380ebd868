import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { SimulatedClock, systemClock } from '../../../engine/src/base/clock.ts';
import { cliEnvironment } from '../../../engine/src/model/cli/environment.ts';
import { type CliProcessOptions, startCli } from '../../../engine/src/model/cli/process.ts';
import { killOrphans } from '../../../engine/src/model/cli/process-tree.ts';
import { nextTry } from '../../next-try.ts';

const env = { PATH: process.env['PATH'] ?? '' };

/** Starts a Node program of one line. */
function start(script: string, more: Partial<CliProcessOptions> & { cwd?: string } = {}) {
  const { cwd, ...options } = more;
  const argv = [process.execPath, '-e', script];
  return startCli({ argv, cwd, env }, { clock: systemClock, timeoutMs: 60_000, ...options });
}

const pidIn = async (file: string) => {
  for (let tries = 0; ; tries++) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return Number(text);
    await nextTry(tries);
  }
};

/** Whether a process does any work: one that has ended but was not collected yet does not. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

async function untilGone(pid: number): Promise<void> {
  for (let tries = 0; await isAlive(pid); tries++) await nextTry(tries);
}

describe('the process of a tool', () => {
  test('works in a fresh empty folder that is gone after its end', async () => {
    const tool = await start('console.log(process.cwd(), require("fs").readdirSync(".").length)');
    const { stdout, why, exitCode } = await tool.ended;
    expect({ why, exitCode, text: stdout.text }).toEqual({ why: 'exit', exitCode: 0, text: `${tool.cwd} 0` });
    expect(existsSync(tool.cwd)).toBe(false);
  });

  test('works in a given folder, which stays', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'callsheet-process-'));
    const { ended } = await start('require("fs").writeFileSync("made", "")', { cwd });
    await ended;
    expect(readdirSync(cwd)).toEqual(['made']);
  });

  test('gets only the named variables of the environment', () => {
    const all = { PATH: '/bin', HOME: '/home/u', LC_ALL: 'C', OPENAI_API_KEY: 'k', AWS_SECRET: 's', TEMP: 't' };
    const read = (name: string) => (all as Record<string, string>)[name];
    expect(cliEnvironment(read, ['OPENAI_API_KEY', 'NOT_SET'], 'linux')).toEqual({
      ...{ PATH: '/bin', HOME: '/home/u', LC_ALL: 'C', OPENAI_API_KEY: 'k' },
    });
    expect(cliEnvironment(read, [], 'win32')).toEqual({ PATH: '/bin', HOME: '/home/u', LC_ALL: 'C', TEMP: 't' });
  });

  test('reads no shell in its arguments', async () => {
    const argv = [process.execPath, '-e', 'console.log(process.argv[1])', '$(id); `id` && id'];
    const { ended } = await startCli({ argv, env }, { clock: systemClock, timeoutMs: 60_000 });
    expect((await ended).stdout.text).toBe('$(id); `id` && id');
  });

  test('loses terminal colours and the white space at the end of its output', async () => {
    const { ended } = await start(String.raw`process.stdout.write("\u001b[31mred\u001b[0m text \n\n\n")`);
    expect((await ended).stdout.text).toBe('red text');
  });

  test('has its output cut with a mark, however much it writes', async () => {
    const mb = 'const b = Buffer.alloc(1 << 20, "x"); let n = 50; ';
    const pump = '(function go() { if (n-- > 0) process.stdout.write(b, go) })()';
    const { ended } = await start(mb + pump, { maxStdoutBytes: 1000 });
    const { stdout, exitCode } = await ended;
    expect(exitCode).toBe(0);
    expect(stdout.dropped).toBe(50 * 1024 * 1024 - 1000);
    expect(stdout.text).toBe(`${'x'.repeat(1000)}\n[truncated: ${stdout.dropped} more bytes]`);
  });

  test('has the end of its standard error kept', async () => {
    const script = 'for (let i = 0; i < 20000; i++) console.error("line", i)';
    const { ended } = await start(script, { maxStderrBytes: 30 });
    const { text } = (await ended).stderr;
    expect(text).toMatch(/^\[truncated: \d+ earlier bytes\]\n/);
    expect(text).toMatch(/line 19999$/);
  });

  test('is ended by its time limit, which does not run while it is paused', async () => {
    const clock = new SimulatedClock();
    const tool = await start('console.log("up"); setInterval(() => {}, 1000)', { clock, timeoutMs: 1000 });
    const resume = tool.pause();
    clock.advance(600_000);
    resume();
    clock.advance(999);
    const { promise: over, resolve } = Promise.withResolvers<string>();
    void tool.ended.then(({ why }) => resolve(why));
    expect(await Promise.race([over, nextTry(0).then(() => 'runs')])).toBe('runs');
    clock.advance(1);
    expect(await tool.ended).toMatchObject({ why: 'timeout', exitCode: null, signal: 'SIGTERM' });
  });

  test('is ended by SIGKILL where it ignores SIGTERM', async () => {
    const controller = new AbortController();
    const script = 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)';
    const tool = await start(script, { signal: controller.signal, graceMs: 50 });
    await new Promise((resolve) => tool.stdout.once('data', resolve));
    controller.abort(new Error('stopped'));
    expect(await tool.ended).toMatchObject({ why: 'abort', signal: 'SIGKILL' });
  });

  test.runIf(process.platform === 'linux')(
    'takes with it what it has started, also a process that left its group and its parent (Linux)',
    async () => {
      const cwd = await mkdtemp(join(tmpdir(), 'callsheet-process-'));
      const forever = 'require("fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)';
      const detach = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(forever)}], { detached: true, stdio: "inherit" }).unref()`;
      const wait = 'const wait = setInterval(() => require("fs").existsSync("pid") && clearInterval(wait), 10)';
      const tool = await start(`${detach}; ${wait}`, { cwd });
      const pid = await pidIn(join(cwd, 'pid'));
      expect(await tool.ended).toMatchObject({ why: 'exit', exitCode: 0 });
      await untilGone(pid);
    },
  );

  test('says that a program is missing', async () => {
    const missing = startCli({ argv: ['no-such-tool-here'], env }, { clock: systemClock, timeoutMs: 1000 });
    await expect(missing).rejects.toMatchObject({ code: 'MODEL_TOOL_MISSING' });
  });

  test('says that a prompt is too long for an argument', async () => {
    const argv = [process.execPath, '-e', '0', 'x'.repeat(3_000_000)];
    const tooLong = startCli({ argv, env }, { clock: systemClock, timeoutMs: 1000 });
    await expect(tooLong).rejects.toMatchObject({ code: 'MODEL_TOO_LONG' });
  });

  test('is not started after an abort', async () => {
    const reason = new Error('stopped before');
    await expect(start('0', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe.runIf(process.platform === 'linux')('the tools of a process that was killed (Linux)', () => {
  /** Starts a Callsheet of one turn, whose tool has a child outside of its group, and kills it. */
  async function killed(): Promise<{ readonly tool: number; readonly child: number }> {
    const dir = await mkdtemp(join(tmpdir(), 'callsheet-process-'));
    const noted = (name: string) =>
      `require('fs').writeFileSync(${JSON.stringify(join(dir, name))}, String(process.pid)); setInterval(() => {}, 1000);`;
    const tool = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(noted('child'))}], { detached: true }); ${noted('tool')}`;
    const room = new URL('../../../engine/src/', import.meta.url).href;
    const callsheet = `
      const { startCli } = await import('${room}model/cli/process.ts');
      const { systemClock: clock } = await import('${room}base/clock.ts');
      const argv = [process.execPath, '-e', ${JSON.stringify(tool)}];
      await startCli({ argv, cwd: ${JSON.stringify(dir)}, env: {} }, { clock, timeoutMs: 60_000 });`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', callsheet], { stdio: 'ignore' });
    const pids = { tool: await pidIn(join(dir, 'tool')), child: await pidIn(join(dir, 'child')) };
    await new Promise((resolve) => {
      server.once('exit', resolve);
      server.kill('SIGKILL');
    });
    return pids;
  }

  test('are ended at once with all that they started, and those of a process that runs are not', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'callsheet-process-')), 'own');
    const own = await start(
      `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`,
    );
    const ownPid = await pidIn(file);
    const { tool, child } = await killed();
    await untilGone(tool);
    await untilGone(child);
    expect(await isAlive(ownPid)).toBe(true);
    await own.stop();
  });

  test('are ended by the next start, where nothing ended them', async () => {
    const room = new URL('../../../engine/src/', import.meta.url).href;
    const script = `process.stdout.write(await (await import('${room}model/cli/process-tree.ts')).newMark())`;
    const { stdout: mark } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const orphan = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      ...{ stdio: 'ignore', detached: true, env: { CALLSHEET_TURN: mark } },
    });
    expect(await isAlive(orphan.pid ?? 0)).toBe(true);
    expect(await killOrphans()).toBeGreaterThanOrEqual(1);
    await untilGone(orphan.pid ?? 0);
  });
});

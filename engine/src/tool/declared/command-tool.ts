import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { EngineError } from '../../base/error.ts';
import { redactValue } from '../../base/redact.ts';
import type { CommandTool } from '../../config/documents.gen.ts';
import { toolHostOf } from '../../config/secret-uses.ts';
import { findBubblewrap } from '../../file/bubblewrap.ts';
import { startDeadline } from '../../model/http/deadline.ts';
import type { Arguments } from '../arguments.ts';
import type { DeclaredKind, DeclaredServices } from '../declared-tool.ts';
import { toolPreview } from '../preview.ts';
import type { WorldContext, WorldTool } from '../tool.ts';
import { buildArgv } from './command-arguments.ts';
import { programEnvironment } from './program-environment.ts';
import { type Program, type ProgramEnd, runProgram } from './run-program.ts';
import { inSandbox, noSandbox } from './sandbox.ts';
import { markTrust } from './trust.ts';

/** Tools that run a program, without a shell. */
export const commandKind: DeclaredKind<CommandTool> = {
  tools: (document, services) => [commandTool(document, services)],
};

function commandTool(document: CommandTool, services: DeclaredServices): WorldTool {
  const { id, description, parameters, effects, sandbox } = document;
  return {
    ...{ name: id, family: id, description, parameters, effects, asks: true, trust: document.trust },
    reach: sandbox ? 'private' : 'outward',
    repeat: effects === 'read' ? 'free' : 'once',
    async check(args) {
      buildArgv(document, args);
      if (sandbox) await bubblewrapOf(services);
    },
    warnings: async () =>
      sandbox ? [] : ['The program runs without a sandbox: it may do everything that the user of Callsheet may do.'],
    preview: async (args) =>
      toolPreview({ kind: 'command', argv: buildArgv(document, args), cwd: document.cwd, isSandboxed: sandbox }),
    run: (args, context) => call(document, services, args, context),
  };
}

/**
 * Runs the program. `TOOL_FAILED` if it cannot be started or does not end in time, `TOOL_OUTCOME_UNKNOWN` for a write that did not end. An
 * exit code other than 0 is a result. Rejects with the signal's reason on abort, after the program was killed.
 */
async function call(
  document: CommandTool,
  services: DeclaredServices,
  args: Arguments,
  { signal }: WorldContext,
): Promise<unknown> {
  const { clock, redactor } = services;
  const { timeoutSeconds, maxBytes, effects, sandbox } = document;
  signal?.throwIfAborted();
  const program = await prepare(document, services, args);
  const deadline = startDeadline({ signal, clock, timeoutMs: timeoutSeconds * 1000 });
  try {
    const end = await runProgram(program, { signal: deadline.signal, clock, maxBytes });
    if (sandbox && end.exitCode !== 0 && end.stderr.text.startsWith('bwrap: '))
      throw noSandbox(`bubblewrap failed: ${end.stderr.text.slice(7, 300).trim()}`);
    return redactValue(redactor, markTrust(document, resultOf(end)));
  } catch (error) {
    if (!deadline.isOver) throw error;
    const message = `the program did not end within ${timeoutSeconds} seconds and was killed`;
    throw new EngineError(effects === 'write' ? 'TOOL_OUTCOME_UNKNOWN' : 'TOOL_FAILED', message, { cause: error });
  } finally {
    deadline.end();
  }
}

async function prepare(document: CommandTool, services: DeclaredServices, args: Arguments): Promise<Program> {
  const { baseDir, ownPaths = [] } = services;
  const [file = '', ...rest] = buildArgv(document, args);
  // Without a slash, the PATH decides.
  const argv = [file.includes('/') && !isAbsolute(file) ? resolve(baseDir, file) : file, ...rest];
  const cwd = resolve(baseDir, document.cwd);
  if (!(await stat(cwd).catch(() => undefined))?.isDirectory())
    throw new EngineError('TOOL_FAILED', `the program was not started: there is no folder ${document.cwd}`, {
      hint: `a person must create ${cwd}, or correct cwd in the tool's file`,
    });
  const env = programEnvironment(document, services, [toolHostOf(document)]);
  if (!document.sandbox) return { argv, cwd, env };
  const sandboxed = await inSandbox(await bubblewrapOf(services), argv, { cwd, baseDir, document, ownPaths });
  // HOME does not exist in there.
  return { argv: sandboxed, cwd, env: { ...env, HOME: '/tmp' } };
}

async function bubblewrapOf({ env }: DeclaredServices): Promise<string> {
  const found = await findBubblewrap(env('PATH') ?? '');
  if (found === undefined) throw noSandbox('bubblewrap (bwrap) is not installed');
  return found;
}

function resultOf({ exitCode, signal, stdout, stderr }: ProgramEnd): object {
  const cut = Object.entries({ stdout, stderr }).flatMap(([name, { dropped }]) =>
    dropped > 0 ? [`[truncated: ${dropped} more bytes of ${name}]`] : [],
  );
  return {
    ...(signal === null ? { exitCode } : { exitCode: null, signal }),
    stdout: stdout.text,
    ...(stderr.text !== '' && { stderr: stderr.text }),
    ...(cut.length > 0 && { note: cut.join(' ') }),
  };
}

import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { EngineError } from '../../base/error.ts';
import type { CommandTool } from '../../config/documents.gen.ts';
import { underBubblewrap } from '../../file/bubblewrap.ts';

/** The error of a tool that needs a sandbox where there is none. */
export function noSandbox(why: string): EngineError {
  return new EngineError('TOOL_FAILED', `the program was not started: it runs only in a sandbox, and ${why}`, {
    hint: 'a person must install bubblewrap (Debian: apt-get install bubblewrap); go on without this tool',
  });
}

/** What a program in a sandbox sees of the disk. */
export interface SandboxOptions {
  readonly cwd: string;
  readonly baseDir: string;
  readonly document: CommandTool;
  /** Absolute paths that stay hidden. */
  readonly ownPaths: readonly string[];
}

/**
 * A program under bubblewrap: no network, no other process, and nothing of the disk but the system's programs and libraries, its
 * `cwd` and its `folders`, without `ownPaths` in them. `cwd` can be written only by a tool with `effects: write`. The sandbox ends with
 * this process. `TOOL_FAILED` for a folder that is not there, or lies in one of `ownPaths`.
 */
export async function inSandbox(
  bubblewrap: string,
  argv: readonly string[],
  { cwd, baseDir, document, ownPaths }: SandboxOptions,
): Promise<readonly string[]> {
  const { effects, folders } = document;
  const [program = ''] = argv;
  const named = [
    ...(isAbsolute(program) ? [{ path: program, write: false }] : []),
    ...folders.map(({ path, write }) => ({ path: resolve(baseDir, path), write })),
    { path: cwd, write: effects === 'write' },
  ];
  const binds = await Promise.all(named.map(async ({ path, write }) => ({ real: await existing(path), path, write })));
  return underBubblewrap(bubblewrap, argv, { binds, hidden: ownPaths, cwd });
}

async function existing(path: string): Promise<string> {
  return realpath(path).catch((cause: unknown) => {
    throw new EngineError('TOOL_FAILED', `there is no ${path}`, {
      hint: "a person must correct the tool's file",
      cause,
    });
  });
}

import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { EngineError } from '../../base/error.ts';
import type { CommandTool } from '../../config/documents.gen.ts';

/** Folders of the system that a program needs to start; those that a system lacks are left out. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'],
  ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime'],
];

/** Path of bubblewrap (`bwrap`), or undefined where the PATH has none. */
export async function findBubblewrap(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, 'bwrap');
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

/** The error of a tool that needs a sandbox where there is none. */
export function noSandbox(why: string): EngineError {
  return new EngineError('TOOL_FAILED', `the program was not started: it runs only in a sandbox, and ${why}`, {
    hint: 'a person must install bubblewrap (Debian: apt-get install bubblewrap); go on without this tool',
  });
}

/**
 * A program under bubblewrap: no network, no other process, and nothing of the disk but the system's programs and libraries, its
 * `cwd` and its `folders`. `cwd` can be written only by a tool with `effects: write`. The sandbox ends with this process. `TOOL_FAILED`
 * for a folder that is not there.
 */
export async function inSandbox(
  bubblewrap: string,
  argv: readonly string[],
  { cwd, baseDir, document }: { readonly cwd: string; readonly baseDir: string; readonly document: CommandTool },
): Promise<readonly string[]> {
  const { effects, folders } = document;
  const [program = ''] = argv;
  const named = [
    ...(isAbsolute(program) ? [{ path: program, write: false }] : []),
    ...folders.map(({ path, write }) => ({ path: resolve(baseDir, path), write })),
    { path: cwd, write: effects === 'write' },
  ];
  const binds = await Promise.all(
    named.map(async ({ path, write }) => [write ? '--bind' : '--ro-bind', await existing(path), path]),
  );
  return [
    ...[bubblewrap, '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...binds.flat(),
    ...['--chdir', cwd, '--', ...argv],
  ];
}

async function existing(path: string): Promise<string> {
  return realpath(path).catch((cause: unknown) => {
    throw new EngineError('TOOL_FAILED', `there is no ${path}`, {
      hint: "a person must correct the tool's file",
      cause,
    });
  });
}

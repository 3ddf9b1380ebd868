import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { EngineError } from '../base/error.ts';
import { isWithin } from '../base/no-follow.ts';

/** Folders of the system that a program needs to start; those that a system lacks are left out. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'],
  ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime'],
];

/** A file or folder that a program in a sandbox sees. */
export interface Bind {
  /** Where the program sees it. Absolute. */
  readonly path: string;
  /** Where it is, without symbolic links. */
  readonly real: string;
  readonly write: boolean;
}

/** What a program in a sandbox sees of the disk and the network. */
export interface BubblewrapView {
  /** In order: a later one covers an earlier one. */
  readonly binds: readonly Bind[];
  /** Absolute paths that stay hidden below `binds`. */
  readonly hidden: readonly string[];
  readonly cwd: string;
  /** Empty folders that last as long as the program, before `binds`. */
  readonly empty?: readonly string[];
  /** Further files and folders of the system, read only. */
  readonly system?: readonly string[];
  readonly hasNetwork?: boolean;
  /** The whole disk as this user has it, instead of the system's programs and an empty `/tmp`. */
  readonly hasDisk?: boolean;
}

/** Path of bubblewrap (`bwrap`), or undefined where the PATH has none. */
export async function findBubblewrap(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, 'bwrap');
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

/**
 * A program under bubblewrap: no other process, nothing of the disk but the system's programs and libraries and `binds`, and no
 * network unless `hasNetwork`. The sandbox ends with this process. `TOOL_FAILED` for a bind that lies in a hidden path.
 */
export async function underBubblewrap(
  bubblewrap: string,
  argv: readonly string[],
  { binds, hidden, cwd, empty = [], system = [], hasNetwork = false, hasDisk = false }: BubblewrapView,
): Promise<readonly string[]> {
  return [
    ...[bubblewrap, '--unshare-all', ...(hasNetwork ? ['--share-net'] : [])],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(hasDisk ? ['--bind', '/', '/'] : [...SYSTEM, ...system].flatMap((path) => ['--ro-bind-try', path, path])),
    ...['--proc', '/proc', '--dev', '/dev', ...(hasDisk ? [] : ['--tmpfs', '/tmp'])],
    ...empty.flatMap((path) => ['--tmpfs', path]),
    ...binds.flatMap(({ write, real, path }) => [write ? '--bind' : '--ro-bind', real, path]),
    ...(await hiding([...(hasDisk ? [whole] : system.map(readOnly)), ...binds], hidden)),
    ...['--chdir', cwd, '--', ...argv],
  ];
}

const whole: Bind = { path: '/', real: '/', write: true };

function readOnly(path: string): Bind {
  return { path, real: path, write: false };
}

/** Arguments that put empty folders and files in place of hidden ones below the folders that the program sees. */
async function hiding(binds: readonly Bind[], hidden: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const own of hidden) {
    const place = await realpath(own).catch(() => undefined);
    if (place === undefined) continue;
    const isFolder = (await stat(place)).isDirectory();
    for (const { real, path } of binds) {
      if (isWithin(real, place))
        throw new EngineError('TOOL_FAILED', `the program was not started: ${path} belongs to Callsheet`, {
          hint: 'a person must name another folder',
        });
      if (!isWithin(place, real)) continue;
      const at = join(path, relative(real, place));
      found.push(...(isFolder ? ['--tmpfs', at, '--remount-ro', at] : ['--ro-bind', '/dev/null', at]));
    }
  }
  return found;
}

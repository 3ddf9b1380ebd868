import { spawn } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { CliApi } from '../../config/documents.gen.ts';
import { type Bind, findBubblewrap, underBubblewrap } from '../../file/bubblewrap.ts';
import type { CliTurn } from '../model.ts';
import { findProgram } from './find-program.ts';
import type { CliProgram } from './process.ts';
import { knownTools, toolNameOf } from './tool.ts';

/** Puts tools under bubblewrap. */
export interface CliSandbox {
  /** Whether bubblewrap is installed and may run here. Tried once. */
  isUsable(): Promise<boolean>;
  /**
   * The `wrap` of a turn; undefined where bubblewrap cannot be used. A known tool sees the system, its own program and state, and
   * its working directory; with roaming also the repository of a git worktree, read only. A command of the user's own sees all
   * that the user sees. Neither sees what the turn hides.
   */
  wrapOf(api: CliApi, turn: CliTurn | undefined): Promise<CliProgram['wrap']>;
}

/** Where programs find the servers of names, certificates and users. */
const SYSTEM = ['/etc', '/opt', '/run/systemd/resolve'];

/** The sandbox of this machine. `env` reads Callsheet's environment. */
export function createCliSandbox(env: (name: string) => string | undefined): CliSandbox {
  let tried: Promise<string | undefined> | undefined;
  const usable = () => (tried ??= usableBubblewrap(env('PATH') ?? ''));
  return {
    isUsable: async () => (await usable()) !== undefined,
    async wrapOf(api, turn) {
      const bubblewrap = await usable();
      if (bubblewrap === undefined) return undefined;
      const hidden = [...(turn?.hidden ?? []), ...(turn?.roaming?.hidden ?? [])];
      return async (argv, cwd) => {
        const view = toolNameOf(api) === undefined ? ownView() : await knownView(api, argv, cwd, env);
        // Roaming is what writes into the folder; without it the folder is fresh and empty.
        const work: Bind = { path: cwd, real: await realpath(cwd), write: true };
        const binds = [...view.binds, work];
        return underBubblewrap(bubblewrap, view.argv ?? argv, { ...view, binds, hidden, cwd, hasNetwork: true });
      };
    },
  };
}

interface View {
  readonly binds: readonly Bind[];
  readonly empty?: readonly string[];
  readonly system?: readonly string[];
  readonly hasDisk?: boolean;
  /** The program by the path at which the sandbox has it. */
  readonly argv?: readonly string[];
}

function ownView(): View {
  return { binds: [], hasDisk: true };
}

async function knownView(
  api: CliApi,
  [program = '', ...args]: readonly string[],
  cwd: string,
  env: (name: string) => string | undefined,
): Promise<View> {
  const path = env('PATH') ?? '';
  const home = resolve(env('HOME') ?? '/');
  const file = (await findProgram(program, path)) ?? program;
  const real = await realpath(file);
  const scripts = args.filter(isAbsolute);
  const node = await findProgram('node', path);
  const name = toolNameOf(api);
  const state = name === undefined ? [] : knownTools[name].state.map((one) => join(home, one));
  const shown = await Promise.all([
    ...[real, ...scripts, ...(node === undefined ? [] : [node])].map((one) => bindOf(one, false, home)),
    ...state.map((one) => bindOf(one, true)),
    ...(await gitFolders(cwd)).map((one) => bindOf(one, false)),
  ]);
  return {
    binds: shown.filter((bind) => bind !== undefined),
    empty: home === '/' ? [] : [home],
    system: SYSTEM,
    argv: [real, ...args],
  };
}

/**
 * A file that a tool needs, as far as it exists. Of an installed program, the whole installation: the folder `node_modules`
 * around it, or the folder of the file.
 */
async function bindOf(path: string, write: boolean, home?: string): Promise<Bind | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const whole = home === undefined ? real : installation(real, home);
  return { path: whole === real ? path : whole, real: whole, write };
}

function installation(file: string, home: string): string {
  const at = file.indexOf(`${sep}node_modules${sep}`);
  if (at >= 0) return file.slice(0, at + `${sep}node_modules`.length);
  const folder = dirname(file);
  const isPrivate = folder !== '/' && folder !== home && !home.startsWith(folder + sep);
  return isPrivate && basename(folder) !== 'tmp' ? folder : file;
}

/**
 * The repository of a git worktree, which lies elsewhere: without it, git works in no worktree. None where it does not know the folder:
 * whoever writes into a folder, such as the tool itself in an earlier turn, could name any other one.
 */
async function gitFolders(cwd: string): Promise<string[]> {
  const place = join(await realpath(cwd), '.git');
  const text = await read(place);
  const gitDir = /^gitdir: (.+)$/m.exec(text)?.[1]?.trim();
  const own = gitDir && (await realpath(resolve(cwd, gitDir)).catch(() => undefined));
  if (!own) return [];
  const named = (await read(join(own, 'commondir'))).trim();
  const common = await realpath(resolve(own, named)).catch(() => undefined);
  const entry = (await read(join(own, 'gitdir'))).trimEnd();
  const isKnown = named !== '' && entry !== '' && resolve(own, entry) === place;
  return isKnown && common !== undefined && dirname(own) === join(common, 'worktrees') ? [common] : [];
}

/** The text of a file; empty where there is none. */
function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** Path of bubblewrap where it can start a program: some containers forbid it. */
async function usableBubblewrap(path: string): Promise<string | undefined> {
  const file = process.platform === 'linux' ? await findBubblewrap(path) : undefined;
  if (file === undefined) return undefined;
  const args = ['--unshare-all', '--share-net', '--ro-bind', '/', '/', '--proc', '/proc', '--', 'true'];
  const isFine = await new Promise<boolean>((done) => {
    const child = spawn(file, args, { stdio: 'ignore', timeout: 5000, env: { PATH: path } });
    child.once('error', () => done(false));
    child.once('exit', (code) => done(code === 0));
  });
  return isFine ? file : undefined;
}

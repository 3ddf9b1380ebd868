import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../../base/folder.ts';
import { EngineError, errorBody } from '../../base/error.ts';

const run = promisify(execFile);
/** Largest file of a config that is read from git. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A copy of a config folder in a temporary folder, in which relative paths of documents find what stands beside the real one. */
export interface ConfigCopy {
  readonly configDir: string;
  close(): Promise<void>;
}

/**
 * The config folder as it stands at a git ref: a branch, a tag or a commit. The checkout is not touched. `USAGE` where git does
 * not know the ref, or has no such folder there.
 */
export async function configAtRef(configDir: string, ref: string): Promise<ConfigCopy> {
  const dir = await realDir(configDir);
  const git = (...args: string[]) => gitBeside(dir, ref, args);
  const top = await realpath((await git('rev-parse', '--show-toplevel')).toString().trim());
  const commit = await commitOf(dir, ref);
  const folder = relative(top, dir).split(sep).join('/');
  const list = (await git('ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, '--', `${folder}/`)).toString();
  const files = list.split('\0').filter((name) => name !== '');
  if (files.length === 0) throw new EngineError('USAGE', `there is no folder ${folder} at "${ref}"`);
  return copyConfig(resolve(configDir), async (target) => {
    for (const file of files) {
      const path = join(target, ...file.slice(folder.length + 1).split('/'));
      await makeFolder(dirname(path));
      await writeFile(path, await git('cat-file', 'blob', `${commit}:${file}`));
    }
  });
}

/** The full id of the commit that a ref names in the repository of the config folder. `USAGE` where git does not know it. */
export async function commitOf(configDir: string, ref: string): Promise<string> {
  // `--end-of-options` keeps a ref that begins with a dash from being an option.
  const args = ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`];
  return (await gitBeside(await realDir(configDir), ref, args)).toString().trim();
}

/** Names of branches and tags of the repository of the config folder, the newest first; none where there is no repository. */
export async function listRefs(configDir: string): Promise<readonly string[]> {
  const args = ['for-each-ref', '--sort=-committerdate', '--count=100', '--format=%(refname:short)'];
  const listed = await gitBeside(await realDir(configDir), 'refs', [...args, 'refs/heads', 'refs/tags']).catch(
    () => undefined,
  );
  return listed === undefined ? [] : listed.toString().split('\n').filter(Boolean);
}

/**
 * Makes the files of the config folder those of a commit, staged and in the work tree; nothing outside the folder changes. `CONFLICT`
 * where the folder has changes that are not committed; `USAGE` where git cannot read the commit.
 */
export async function checkOutConfig(configDir: string, commit: string): Promise<void> {
  const dir = await realDir(configDir);
  const changed = (await gitBeside(dir, commit, ['status', '--porcelain', '--', dir])).toString().trim();
  if (changed !== '')
    throw new EngineError('CONFLICT', `${dir} has changes that are not committed:\n${changed}`, {
      hint: 'commit them or git stash them, then run this again',
    });
  await gitBeside(dir, commit, ['restore', `--source=${commit}`, '--staged', '--worktree', '--', dir]);
}

/** The folder as git names it, without symbolic links. It need not exist: a commit may have it. */
async function realDir(configDir: string): Promise<string> {
  const dir = resolve(configDir);
  const above = async () => join(await realpath(dirname(dir)), basename(dir));
  return realpath(dir)
    .catch(above)
    .catch(() => dir);
}

/** Output of git in the folder that has the config folder. `ref` is for the error, `USAGE`. */
async function gitBeside(dir: string, ref: string, args: readonly string[]): Promise<Buffer> {
  try {
    return (await run('git', ['-C', dirname(dir), ...args], { maxBuffer: MAX_BYTES, encoding: 'buffer' })).stdout;
  } catch (cause) {
    const lines = errorBody(cause).message.trim().split('\n');
    throw new EngineError('USAGE', `git cannot read "${ref}": ${lines.at(-1) ?? ''}`, {
      hint: 'name a branch, a tag or a commit of the repository that has the config folder',
      cause,
    });
  }
}

/** A copy of the config folder with these texts in place of its files, by path below the folder; an empty text deletes a file. */
export async function configWithEdits(configDir: string, texts: ReadonlyMap<string, string>): Promise<ConfigCopy> {
  const dir = resolve(configDir);
  return copyConfig(dir, async (target) => {
    await cp(dir, target, { recursive: true, dereference: true });
    for (const [file, text] of texts) {
      const path = join(target, file);
      if (relative(target, path).startsWith('..'))
        throw new EngineError('USAGE', `${file} is not in the config folder`);
      await makeFolder(dirname(path));
      await (text === '' ? rm(path, { force: true }) : writeFile(path, text));
    }
  });
}

async function copyConfig(dir: string, fill: (target: string) => Promise<void>): Promise<ConfigCopy> {
  const base = await mkdtemp(join(tmpdir(), 'callsheet-config-'));
  const close = () => rm(base, { recursive: true, force: true });
  try {
    for (const { name } of await readdir(dirname(dir), { withFileTypes: true }))
      if (name !== basename(dir)) await symlink(join(dirname(dir), name), join(base, name));
    const target = join(base, basename(dir));
    await mkdir(target);
    await fill(target);
    return { configDir: target, close };
  } catch (error) {
    await close();
    throw error;
  }
}

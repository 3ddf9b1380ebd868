import { chmod, lstat, mkdir, readdir, readFile, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import { EngineError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { type CopyLimits, copyFiles } from './copy-files.ts';
import { gitOutput, type GitOptions, lastLine, namesIn, runGit } from './git.ts';
import { openSnapshots, type Snapshots } from './snapshot.ts';

/** The repository that a folder is the top of. */
export interface FolderRepository {
  /** Absolute path of its `.git`, which all its worktrees share. */
  readonly commonDir: string;
  /** Id of the commit that is checked out. */
  readonly head: string;
}

/** A copy of a folder in which an agent works for one turn. */
export interface WorkingCopy {
  /** Absolute path of the copy. */
  readonly dir: string;
  /** Absent where the folder is not the top of a repository with a commit: then the copy has no history. */
  readonly repository?: FolderRepository;
  readonly snapshots: Snapshots;
  /** Id of the tree of the copied files. */
  readonly base: string;
}

/** Where and how a working copy is made. */
export interface WorkingCopyOptions extends Pick<GitOptions, 'path' | 'signal'> {
  /** Folder of the turn, which is made: it has the copy and what belongs to it. */
  readonly turnDir: string;
  readonly limits: CopyLimits;
}

/** Name of the file of a turn's folder that says which worktree belongs to it. */
const FACTS = 'turn.json';

/**
 * Makes a working copy of a folder (a real path): a git worktree at its commit where it is the top of a repository, else a folder.
 * Either gets the files as they lie on the disk: tracked ones with changes that are not committed, and untracked ones unless a
 * `.gitignore` leaves them out. Links are copied as links. Nothing in the repository runs: no hook, no filter. `TOO_LARGE`,
 * `FILE_UNREADABLE`. Rejects on abort; the caller then calls `removeTurn`.
 */
export async function makeWorkingCopy(folder: string, options: WorkingCopyOptions): Promise<WorkingCopy> {
  const { turnDir, limits, ...git } = options;
  const dir = join(turnDir, 'work');
  await makeFolder(turnDir, 0o700);
  const repository = await repositoryOf(folder, git);
  await writeFile(join(turnDir, FACTS), JSON.stringify({ commonDir: repository?.commonDir }));
  if (repository !== undefined) await addWorktree(folder, dir, repository, git);
  else await mkdir(dir);
  const names = await listFiles(folder, turnDir, repository, git);
  const copied = await copyFiles(names, { from: folder, to: dir, limits, signal: git.signal });
  const alternate = repository === undefined ? undefined : objectsOf(repository);
  const snapshots = await openSnapshots({
    ...{ ...git, gitDir: join(turnDir, 'snapshots'), workTree: dir, alternate },
    objectFormat: formatOf(repository?.head),
  });
  return { dir, ...(repository !== undefined && { repository }), snapshots, base: await snapshots.take(copied) };
}

/**
 * The repository that a folder is the top of; undefined where there is none, it has no commit, git refuses to read it, or the `.git` of
 * the folder leads to a repository that does not know the folder: anybody who writes into a folder could name another one.
 */
export async function repositoryOf(
  folder: string,
  git: Pick<GitOptions, 'path' | 'signal'>,
): Promise<FolderRepository | undefined> {
  const line = async (args: readonly string[]) => {
    const { exitCode, stdout } = await runGit(args, { ...git, cwd: folder });
    return exitCode === 0 ? stdout.toString('utf8').replace(/\n$/, '') : undefined;
  };
  const top = await line(['rev-parse', '--show-toplevel']);
  if (top === undefined || (await realpath(top).catch(() => undefined)) !== folder) return undefined;
  const head = await line(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const own = await line(['rev-parse', '--absolute-git-dir']);
  const common = await line(['rev-parse', '--git-common-dir']);
  if (head === undefined || own === undefined || common === undefined) return undefined;
  const commonDir = await realpath(resolve(folder, common));
  return (await isOwn(folder, await realpath(own), commonDir)) ? { head, commonDir } : undefined;
}

/** Whether a repository lies in the folder, or has the folder in its list of worktrees. */
async function isOwn(folder: string, gitDir: string, commonDir: string): Promise<boolean> {
  const place = join(folder, '.git');
  if (gitDir === commonDir) return gitDir === place;
  if (dirname(gitDir) !== join(commonDir, 'worktrees')) return false;
  const entry = (await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '')).trimEnd();
  return entry !== '' && resolve(gitDir, entry) === place;
}

/** The folder with the objects of a repository, for `GIT_ALTERNATE_OBJECT_DIRECTORIES`; undefined where its name cannot stand there. */
function objectsOf({ commonDir }: FolderRepository): string | undefined {
  return /[:;"\n]/.test(commonDir) ? undefined : join(commonDir, 'objects');
}

/** The hash of a repository, by the length of the id of a commit. */
export function formatOf(commit: string | undefined): 'sha1' | 'sha256' {
  return commit?.length === 64 ? 'sha256' : 'sha1';
}

async function addWorktree(
  folder: string,
  dir: string,
  { head }: FolderRepository,
  git: Pick<GitOptions, 'path' | 'signal'>,
): Promise<void> {
  // Without a checkout no filter of the repository runs: the files are copied from the disk.
  await gitOutput(['worktree', 'add', '--quiet', '--no-checkout', '--detach', dir, head], { ...git, cwd: folder });
  await gitOutput(['read-tree', head], { ...git, cwd: dir });
}

async function listFiles(
  folder: string,
  turnDir: string,
  repository: FolderRepository | undefined,
  git: Pick<GitOptions, 'path' | 'signal'>,
): Promise<string[]> {
  if (repository === undefined) {
    const listing = { ...git, gitDir: join(turnDir, 'listing'), workTree: folder };
    return (await openSnapshots(listing)).names('others');
  }
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { exitCode, stdout, stderr } = await runGit(args, { ...git, cwd: folder });
  if (exitCode === 0) return namesIn(stdout);
  throw new EngineError('FILE_UNREADABLE', `git could not list the files of ${folder}: ${lastLine(stderr)}`);
}

/**
 * Removes the folder of a turn, and the entry of its worktree in the repository. Runs no git: what the turn has left may be hostile.
 * Does nothing where it is gone.
 */
export async function removeTurn(turnDir: string): Promise<void> {
  const commonDir = await commonDirOf(turnDir);
  if (commonDir !== undefined) await removeEntry(commonDir, join(turnDir, 'work', '.git'));
  await rm(turnDir, { recursive: true, force: true }).catch(async () => {
    await openUp(turnDir);
    await rm(turnDir, { recursive: true, force: true });
  });
}

async function commonDirOf(turnDir: string): Promise<string | undefined> {
  try {
    const facts: unknown = JSON.parse(await readFile(join(turnDir, FACTS), 'utf8'));
    const commonDir = isRecord(facts) ? facts['commonDir'] : undefined;
    return typeof commonDir === 'string' ? commonDir : undefined;
  } catch {
    // It was killed before the file was there: then there is no worktree either.
    return undefined;
  }
}

/** Removes the entry that git has made for the worktree whose `.git` file this is. */
async function removeEntry(commonDir: string, gitFile: string): Promise<void> {
  const entries = join(commonDir, 'worktrees');
  for (const name of await readdir(entries).catch(() => [])) {
    const of = await readFile(join(entries, name, 'gitdir'), 'utf8').catch(() => '');
    if (of.trimEnd() !== gitFile) continue;
    await rm(join(entries, name), { recursive: true, force: true });
    // As git does it with the last one; fails where there are others.
    await rmdir(entries).catch(() => {});
  }
}

/** Makes folders removable whose rights an agent has taken away. */
async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if ((await lstat(path).catch(() => undefined))?.isDirectory() === true) await openUp(path);
  }
}

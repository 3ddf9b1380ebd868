import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../base/error.ts';
import type { ChangeRecord } from './change-rows.ts';
import { gitOutput, type GitOptions, lastLine, runGit } from './git.ts';
import { openSnapshots, type Snapshots } from './snapshot.ts';
import { leadsOut, unpacked } from './turn-changes.ts';
import { formatOf, repositoryOf } from './working-copy.ts';

/** Where changes are decided about. */
export interface DecideOptions extends Pick<GitOptions, 'path' | 'signal'> {
  /** Folder for temporary files, which exists. */
  readonly tempDir: string;
}

const APPLY = ['apply', '--whitespace=nowarn'];

/**
 * Writes the changes of a turn into the folder; all of them, or none. Files that have changed in other places keep that.
 * `FILE_CHANGED` where the folder has changed in those places since, `FILE_DENIED` for a link that leads out of the folder,
 * `TOO_LARGE` where the changes were not kept. Changes that are there already count as applied.
 */
export async function applyChanges(record: ChangeRecord, options: DecideOptions): Promise<void> {
  const patch = patchOf(record.patch);
  const out = record.files?.find(leadsOut);
  if (out !== undefined)
    throw new EngineError('FILE_DENIED', `the link "${out.path}" leads out of the folder, to ${out.link ?? ''}`, {
      hint: 'keep the changes as a branch, or drop them',
    });
  await withRepository(record, options, async (own) => {
    const check = await own.run([...APPLY, '--check', '-'], { input: patch });
    if (check.exitCode !== 0) {
      // A stop between the writes and the record of the decision.
      const undo = await own.run([...APPLY, '--check', '--reverse', '-'], { input: patch });
      if (undo.exitCode === 0) return;
      throw changedSince(`the folder has changed in these places since: ${places(check.stderr)}`);
    }
    const before = await filesThere(record);
    await own.take([...before]);
    const { exitCode, stderr } = await own.run([...APPLY, '-'], { input: patch });
    if (exitCode === 0) return;
    // Git deletes all files that it changes before it writes the first of them.
    const why = `the changes could not be written: ${lastLine(stderr)}`;
    await putBack(record, before, own).catch((cause: unknown) => {
      throw new EngineError('FILE_CHANGED', `${why}; and the folder could not be put back as it was`, {
        hint: 'look at the folder: files of these changes may be missing in it',
        cause,
      });
    });
    throw changedSince(why);
  });
}

/** The files of changes that are in the folder. */
async function filesThere({ folder, files = [] }: ChangeRecord): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (const { path } of files) if (await isThere(join(folder, path))) there.add(path);
  return there;
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Brings the files back of which `own` has a snapshot, and removes those that were written since. `FILE_UNREADABLE`. */
async function putBack(
  { folder, files = [] }: ChangeRecord,
  before: ReadonlySet<string>,
  own: Snapshots,
): Promise<void> {
  for (const { path } of files) {
    const file = join(folder, path);
    // Never through a link.
    if (!before.has(path) && (await isThere(file)) && (await realpath(dirname(file))) === dirname(file)) await rm(file);
  }
  const { exitCode, stderr } = await own.run(['checkout-index', '--force', '--all']);
  if (exitCode !== 0) throw new EngineError('FILE_UNREADABLE', lastLine(stderr));
}

/**
 * Keeps the changes of a turn as a branch of the repository, on the commit that the turn began with; nothing is checked out.
 * `CONFLICT` where the folder is no repository any more, or has another branch of this name; `FILE_CHANGED` where its commit is gone;
 * `TOO_LARGE` where the changes were not kept.
 */
export async function keepAsBranch(
  record: ChangeRecord,
  { branch, message }: { readonly branch: string; readonly message: string },
  options: DecideOptions,
): Promise<void> {
  const patch = patchOf(record.branchPatch ?? record.patch);
  const { head, folder } = record;
  const repository = await repositoryOf(folder, options);
  if (head === undefined || repository === undefined)
    throw new EngineError('CONFLICT', `${folder} is no git repository with a commit, so it can have no branch`, {
      hint: 'apply the changes, or drop them',
    });
  const { commonDir } = repository;
  await withRepository(record, options, async (own) => {
    const objects = { objectDirectory: join(commonDir, 'objects') };
    const line = async (args: readonly string[], input?: string | Buffer) => {
      const { exitCode, stdout, stderr } = await own.run(args, { ...objects, input });
      if (exitCode === 0) return stdout.toString('utf8').trim();
      throw changedSince(`the branch could not be made: ${lastLine(stderr)}`);
    };
    await line(['read-tree', head]);
    await line([...APPLY, '--cached', '-'], patch);
    const tree = await line(['write-tree']);
    const commit = await line(['commit-tree', tree, '-p', head, '-F', '-'], message);
    const ref = `refs/heads/${branch}`;
    const theirs = { path: options.path, signal: options.signal, cwd: folder, gitDir: commonDir };
    await gitOutput(['update-ref', ref, commit, '0'.repeat(commit.length)], theirs).catch(async (cause: unknown) => {
      // A stop between the branch and the record of the decision: but for its time it is the same commit.
      const made = await runGit(['show', '--no-patch', '--format=%T %P%n%B', ref, '--'], theirs);
      if (made.stdout.toString('utf8').trim() === `${tree} ${head}\n${message}`.trim()) return;
      throw new EngineError('CONFLICT', `the branch "${branch}" could not be made`, { cause });
    });
  });
}

/** Does `work` with a repository of our own, whose files are those of the folder. */
async function withRepository(
  { folder, head }: ChangeRecord,
  { tempDir, ...git }: DecideOptions,
  work: (own: Snapshots) => Promise<void>,
): Promise<void> {
  const gitDir = await mkdtemp(join(tempDir, 'decide-'));
  try {
    await work(await openSnapshots({ ...git, gitDir, workTree: folder, objectFormat: formatOf(head) }));
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

function patchOf(patch: string | undefined): Buffer {
  if (patch !== undefined) return unpacked(patch);
  throw new EngineError('TOO_LARGE', 'the changes of this turn were too large to be kept', {
    hint: 'drop them, and ask for smaller steps',
  });
}

function changedSince(why: string): EngineError {
  return new EngineError('FILE_CHANGED', why, {
    hint: 'nothing was written; keep the changes as a branch, or drop them',
  });
}

/** The places that git names, at most five. */
function places(stderr: string): string {
  const named = stderr.split('\n').flatMap((line) => /^error: (?:patch failed: )?(.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(named)].slice(0, 5).join('; ').slice(0, 500) || 'git does not say where';
}

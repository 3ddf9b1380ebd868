import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The checked-out commit of the git checkout that contains the folder; undefined if there is none. Reads git's own files
 * and starts no process.
 */
export function gitCommit(folder: string): string | undefined {
  const git = gitFolder(resolve(folder));
  if (git === undefined) return undefined;
  const head = read(join(git, 'HEAD'));
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1];
  if (ref === undefined) return commitIn(head);
  const common = join(git, read(join(git, 'commondir')) ?? '.');
  const packed = read(join(common, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  return commitIn(read(join(git, ref)) ?? read(join(common, ref)) ?? packed?.split(' ')[0]);
}

function commitIn(text: string | undefined): string | undefined {
  return /^[0-9a-f]{40,64}$/.exec(text ?? '')?.[0];
}

/** The `.git` folder at or above a folder; in a worktree `.git` is a file that names it. */
function gitFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git');
    const state = statSync(git, { throwIfNoEntry: false });
    if (state?.isDirectory() === true) return git;
    const named = state === undefined ? undefined : /^gitdir: (.+)$/.exec(read(git) ?? '')?.[1];
    if (named !== undefined) return resolve(at, named);
    if (dirname(at) === at) return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // Missing or not readable: then the commit is unknown, which does no harm.
    return undefined;
  }
}

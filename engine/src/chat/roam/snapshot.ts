import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import { gitOutput, type GitEnd, type GitOptions, namesIn, runGit } from './git.ts';

/**
 * A repository of our own beside a working copy. It has no settings and no attributes of the folder, so no filter can run, and files are
 * compared byte by byte.
 */
export interface Snapshots {
  /** Names of files in the folder that are in the index already (`cached`), or are not and no `.gitignore` leaves them out. */
  names(which: 'cached' | 'others'): Promise<string[]>;
  /** Takes the files of these names as they are now, or that they are gone; returns the id of the tree of all files. */
  take(names: readonly string[]): Promise<string>;
  /** Runs git in this repository. */
  run(args: readonly string[], more?: Partial<GitOptions>): Promise<GitEnd>;
}

/** Where a repository of our own lies, and of which folder it takes snapshots. */
export interface SnapshotOptions extends Pick<GitOptions, 'path' | 'signal' | 'alternate'> {
  /** Folder of the repository. It is made. */
  readonly gitDir: string;
  readonly workTree: string;
  /** Hash of the repository whose objects are read. Default: sha1. */
  readonly objectFormat?: 'sha1' | 'sha256';
}

/** No attribute of a folder holds: none converts, filters or hides anything. */
const ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding !diff !merge\n';

/** Makes a repository for snapshots of a folder. `FILE_UNREADABLE`. */
export async function openSnapshots({
  gitDir,
  workTree,
  objectFormat = 'sha1',
  ...options
}: SnapshotOptions): Promise<Snapshots> {
  await makeFolder(gitDir);
  await gitOutput(['init', '--quiet', '--bare', `--object-format=${objectFormat}`], {
    ...options,
    cwd: gitDir,
    gitDir,
  });
  await makeFolder(join(gitDir, 'info'));
  await writeFile(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
  const base = { ...options, cwd: workTree, gitDir, workTree };
  return {
    async names(which) {
      const filter = which === 'cached' ? [] : ['--exclude-standard'];
      return namesIn(await gitOutput(['ls-files', '-z', `--${which}`, ...filter], base));
    },
    async take(names) {
      const input = names.map((name) => `${name}\0`).join('');
      await gitOutput(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { ...base, input });
      return (await gitOutput(['write-tree'], base)).toString('utf8').trim();
    },
    run: (args, more) => runGit(args, { ...base, ...more }),
  };
}

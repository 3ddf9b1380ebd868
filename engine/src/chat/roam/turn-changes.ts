import { lstat, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { EngineError } from '../../base/error.ts';
import { namesIn } from './git.ts';
import type { Snapshots } from './snapshot.ts';
import type { WorkingCopy } from './working-copy.ts';

/** A file that a turn has changed. */
export interface ChangedFile {
  /** Path in the folder, with `/`. */
  readonly path: string;
  readonly status: 'added' | 'changed' | 'deleted';
  readonly isBinary: boolean;
  /** Lines that were added and removed; 0 for a binary file. */
  readonly added: number;
  readonly removed: number;
  /** Of a link that the turn has made or changed: where it leads. */
  readonly link?: string;
}

/** What a turn has changed in its working copy. */
export interface TurnChanges {
  readonly files: readonly ChangedFile[];
  /** Unified diff for people; binary files are named alone. At most `MAX_DIFF` characters. */
  readonly diff: string;
  readonly isCut: boolean;
  /** The whole difference with binary files, as git applies it: gzip in Base64. Absent where it is too large to be kept. */
  readonly patch?: string;
  /** As `patch`, but from the commit of the folder; absent where it is the same. */
  readonly branchPatch?: string;
  /** Names of what was left out: repositories inside the folder. */
  readonly leftOut: readonly string[];
}

/** Longest difference that people see, in characters. */
const MAX_DIFF = 400_000;
/** Largest difference that is kept, in bytes. */
const MAX_PATCH = 8 * 1024 * 1024;
/** Most names of files in one record. */
const MAX_FILES = 5000;
const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];
const PATCH = [...DIFF, '--binary', '--full-index'];

/** What has changed in a working copy since it was made; undefined for nothing. `FILE_UNREADABLE`, `TOO_LARGE` (too many files). */
export async function changesOf(copy: WorkingCopy): Promise<TurnChanges | undefined> {
  const { snapshots, base, dir } = copy;
  const known = await snapshots.names('cached');
  const others = await snapshots.names('others');
  const leftOut = others.filter((name) => name.endsWith('/'));
  const added = await filesAmong(dir, others);
  const after = await snapshots.take([...known, ...added]);
  if (after === base) return undefined;
  const files = await filesBetween(copy, after);
  const shown = await snapshots.run([...DIFF, base, after], { maxBytes: 4 * MAX_DIFF });
  const text = shown.stdout.toString('utf8');
  const patch = await patchOf(snapshots, base, after);
  const branchPatch = patch === undefined ? undefined : await branchPatchOf(copy, files);
  return {
    files,
    diff: text.slice(0, MAX_DIFF),
    isCut: shown.isCut || text.length > MAX_DIFF,
    ...(patch !== undefined && { patch: packed(patch) }),
    ...(branchPatch !== undefined &&
      patch !== undefined &&
      !branchPatch.equals(patch) && { branchPatch: packed(branchPatch) }),
    leftOut,
  };
}

/** A stored difference as git reads it. */
export function unpacked(patch: string): Buffer {
  return gunzipSync(Buffer.from(patch, 'base64'), { maxOutputLength: 2 * MAX_PATCH });
}

function packed(patch: Buffer): string {
  return gzipSync(patch).toString('base64');
}

/** The names that stand for files and links; pipes, devices and folders are none. */
async function filesAmong(dir: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const info = name.endsWith('/') ? undefined : await lstat(join(dir, name)).catch(() => undefined);
    if (info !== undefined && (info.isFile() || info.isSymbolicLink())) found.push(name);
  }
  return found;
}

async function patchOf(snapshots: Snapshots, from: string, to: string): Promise<Buffer | undefined> {
  const { exitCode, stdout, stderr, isCut } = await snapshots.run([...PATCH, from, to], { maxBytes: MAX_PATCH });
  if (isCut) return undefined;
  if (exitCode === 0) return stdout;
  throw new EngineError('FILE_UNREADABLE', `the changes could not be read: ${stderr.slice(0, 300)}`);
}

/** The difference of the changed files to the commit: with what the user had changed in them before, and had not committed. */
async function branchPatchOf(
  { snapshots, repository, dir }: WorkingCopy,
  files: readonly ChangedFile[],
): Promise<Buffer | undefined> {
  if (repository === undefined) return undefined;
  const indexFile = join(dirname(dir), 'branch-index');
  const cached = { indexFile };
  await snapshots.run(['read-tree', repository.head], cached);
  const list = await snapshots.run(['ls-files', '-z', '--stage'], {});
  const wanted = new Map(files.map((file) => [file.path, file]));
  const lines = namesIn(list.stdout).filter((line) => wanted.has(line.slice(line.indexOf('\t') + 1)));
  const gone = files
    .filter(({ status }) => status === 'deleted')
    .map((file) => `0 ${'0'.repeat(repository.head.length)}\t${file.path}`);
  const input = [...gone, ...lines].map((line) => `${line}\0`).join('');
  await snapshots.run(['update-index', '-z', '--replace', '--index-info'], { ...cached, input });
  const { stdout, exitCode } = await snapshots.run(['write-tree'], cached);
  // Without the objects of the repository there is no difference to its commit.
  if (exitCode !== 0) return undefined;
  return patchOf(snapshots, repository.head, stdout.toString('utf8').trim());
}

async function filesBetween({ snapshots, base, dir }: WorkingCopy, after: string): Promise<ChangedFile[]> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-renames', '-z'];
  const raw = namesIn((await snapshots.run(['diff', '--raw', ...plain, base, after])).stdout);
  const counts = namesIn((await snapshots.run(['diff', '--numstat', ...plain, base, after])).stdout);
  if (counts.length > MAX_FILES)
    throw new EngineError(
      'TOO_LARGE',
      `the turn has changed ${counts.length} files; at most ${MAX_FILES} can be kept`,
      {
        hint: 'name what programs generate in the .gitignore of the folder',
      },
    );
  const lines = new Map(
    counts.map((line) => {
      const [added = '', removed = '', ...path] = line.split('\t');
      return [path.join('\t'), { added, removed }] as const;
    }),
  );
  const files: ChangedFile[] = [];
  for (let n = 0; n + 1 < raw.length; n += 2) {
    const [, mode = '', , , letter = ''] = (raw[n] ?? '').split(' ');
    const path = raw[n + 1] ?? '';
    const { added = '0', removed = '0' } = lines.get(path) ?? {};
    const link = mode === '120000' ? await readlink(join(dir, path)).catch(() => '') : undefined;
    files.push({
      path,
      status: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'changed',
      isBinary: added === '-',
      added: Number(added) || 0,
      removed: Number(removed) || 0,
      ...(link !== undefined && { link }),
    });
  }
  return files;
}

/** Whether a link leads out of the folder in which it lies. */
export function leadsOut({ path, link }: Pick<ChangedFile, 'path' | 'link'>): boolean {
  if (link === undefined) return false;
  return isAbsolute(link) || normalize(join(dirname(path), link)).split(/[\\/]/)[0] === '..';
}

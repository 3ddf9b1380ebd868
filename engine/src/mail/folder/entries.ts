import { lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../base/error.ts';
import { maildirFlags } from './maildir-flags.ts';

/** A mail file with its state. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly labels: readonly string[];
  /** A draft, or marked as deleted: not to be ingested. */
  readonly isPassedOver: boolean;
}

/** A listed name that is no mail: an empty file, or a file that is gone from under this name. */
export interface OtherFile {
  readonly name: string;
  readonly isMoving: boolean;
}

/** Files whose state is read at the same time. */
const STAT_BATCH = 64;

/** True for a Maildir. `ACCOUNT_FAILED` where the folder does not exist or is a file. */
export async function detectMaildir({
  accountId,
  path,
  format,
}: {
  readonly accountId: string;
  readonly path: string;
  readonly format: 'auto' | 'eml' | 'maildir';
}): Promise<boolean> {
  const isFolder = async (at: string) => (await stat(at)).isDirectory();
  const isThere = await isFolder(path).catch((cause: unknown) => {
    const code = codeOf(cause);
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be opened (${code})`;
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: the folder ${path} ${what}`, {
      hint:
        code === 'ENOENT'
          ? 'Create it or correct `path`; it is fetched as soon as it exists.'
          : 'Check that this user may read it.',
      retryable: true,
      cause,
    });
  });
  if (!isThere)
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${path} is a file, not a folder`, {
      hint: 'Set `path` to a folder of .eml files or a Maildir.',
    });
  if (format !== 'auto') return format === 'maildir';
  const inside = ['cur', 'new'].map((name) =>
    isFolder(join(path, name)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false;
      throw unreadable(join(path, name), error);
    }),
  );
  return (await Promise.all(inside)).every(Boolean);
}

/** Streams the mail files of one folder with their state; other files need no memory. */
export async function* entriesOf(folder: string, isMaildir: boolean): AsyncIterable<FolderEntry | OtherFile> {
  let batch: Promise<FolderEntry | OtherFile>[] = [];
  const settled = async function* () {
    yield* await Promise.all(batch);
    batch = [];
  };
  for await (const file of filesOf(folder, isMaildir)) {
    batch.push(entryOf(folder, file, isMaildir));
    if (batch.length >= STAT_BATCH) yield* settled();
  }
  yield* settled();
}

async function* filesOf(folder: string, isMaildir: boolean): AsyncIterable<string> {
  const handle = await opendir(folder).catch((error: unknown) => {
    // A Maildir without one of its two folders counts as empty there. An unreadable folder does not: its mail is not
    // gone.
    if (isMaildir && codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(folder, error);
  });
  for await (const { name } of handle ?? []) if (isMailName(name, isMaildir)) yield name;
}

/** Whether the folders have mails beside these: a listing may miss a file that is renamed while it runs. */
export async function hasOthers(
  folders: readonly string[],
  isMaildir: boolean,
  names: ReadonlySet<string>,
): Promise<boolean> {
  for (const folder of folders)
    for await (const file of filesOf(folder, isMaildir)) if (!names.has(nameOf(file, isMaildir))) return true;
  return false;
}

/** Whether a file of this name in the folder of an account is a mail. */
export function isMailName(name: string, isMaildir: boolean): boolean {
  if (name.startsWith('.')) return false;
  if (isMaildir) return true;
  return /\.eml$/i.test(name) && !/^[~#$]/.test(name) && !/\.(?:tmp|part|partial|crdownload|swp)\.eml$/i.test(name);
}

/** The name of a file; of a Maildir file without its flags, which change. */
export function nameOf(file: string, isMaildir: boolean): string {
  return isMaildir ? file.replace(/[:;!]2,[A-Za-z]*$/, '') : file;
}

export async function entryOf(folder: string, file: string, isMaildir: boolean): Promise<FolderEntry | OtherFile> {
  const path = join(folder, file);
  const name = nameOf(file, isMaildir);
  // A link has its own state, so that it is reported as unreadable instead of being followed.
  const found = await lstat(path).catch(() => undefined);
  const state = found?.isSymbolicLink() === true && !(await leadsToFile(path)) ? undefined : found;
  // Gone, renamed for other flags, or a dangling link: the next listing finds its new state.
  if (state === undefined) return { name, isMoving: true };
  // An empty file is no mail yet: some program has just created it.
  if ((!state.isFile() && !state.isSymbolicLink()) || state.size === 0) return { name, isMoving: false };
  const labels = isMaildir ? maildirFlags(file) : [];
  return {
    ...{ name, path, size: state.size, mtimeMs: state.mtimeMs, labels },
    isPassedOver: labels.some((label) => label === '\\Draft' || label === '\\Deleted'),
  };
}

async function leadsToFile(link: string): Promise<boolean> {
  return (await stat(link).catch(() => undefined))?.isFile() ?? false;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function unreadable(folder: string, cause: unknown): EngineError {
  const message = `the folder ${folder} cannot be opened (${codeOf(cause)})`;
  return new EngineError('ACCOUNT_FAILED', message, {
    hint: 'Check that this user may read it.',
    retryable: true,
    cause,
  });
}

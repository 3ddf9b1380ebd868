import { lstat, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/folder.ts';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { READ_NO_FOLLOW } from '../../base/no-follow.ts';
import { maildirFlags } from './maildir-flags.ts';

/**
 * The directories of a folder account. `drafts`, `outbox`, `sent` and `archive` are beside the inbox; the source never reads
 * them. Callsheet writes nothing into `sent`: a mail program may keep there what it has sent.
 */
export type MailDirectory = 'inbox' | 'archive' | 'drafts' | 'outbox' | 'sent';

/** A younger file may be in use by the process that writes it, in milliseconds. */
const IN_PROGRESS_MS = 10 * 60_000;

export interface StoredFile {
  /** `<directory>/<name>`; the name of a Maildir file without its flags, which change. */
  readonly ref: string;
  readonly path: string;
  readonly mtimeMs: number;
  readonly size: number;
  /** Flags of a Maildir file, as labels. */
  readonly flags: readonly string[];
}

/** The directories of one account and their files. */
export class FolderDirectories {
  readonly #inbox: string;
  readonly #isMaildir: boolean;

  constructor(inbox: string, isMaildir: boolean) {
    this.#inbox = inbox;
    this.#isMaildir = isMaildir;
  }

  /** Lists the mail files of some directories, newest first. A missing directory counts as empty. */
  async files(directories: readonly MailDirectory[]): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    for (const directory of directories)
      for (const folder of this.#foldersOf(directory))
        for (const name of await readdir(folder).catch(() => [])) {
          if (!this.#isMail(directory, name)) continue;
          const path = join(folder, name);
          const state = await lstat(path).catch(() => undefined);
          if (state === undefined || !state.isFile() || state.size === 0) continue;
          const { mtimeMs, size } = state;
          found.push({ ref: `${directory}/${withoutFlags(name)}`, path, mtimeMs, size, flags: maildirFlags(name) });
        }
    return found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.ref < b.ref ? -1 : 1));
  }

  /** Finds the file of a `ref`. `NOT_FOUND`. */
  async file(ref: string): Promise<StoredFile> {
    const directory = (['inbox', 'archive', 'drafts', 'outbox', 'sent'] as const).find((one) =>
      ref.startsWith(`${one}/`),
    );
    // Only a listed name is accepted, so that no `ref` can escape the directory.
    const found =
      directory === undefined ? undefined : (await this.files([directory])).find((file) => file.ref === ref);
    if (found !== undefined) return found;
    throw new EngineError('NOT_FOUND', `there is no mail ${JSON.stringify(ref.slice(0, 200))} in this account`, {
      hint: 'Search for the mail again: it may have been moved.',
    });
  }

  /** Saves a mail under a name derived from its Message-ID, and returns its ref. An existing file stays unchanged. */
  async put(directory: 'drafts' | 'outbox', messageId: string, bytes: Uint8Array): Promise<string> {
    const folder = this.#beside(directory);
    const name = nameOf(messageId);
    const path = join(folder, name);
    if (!(await exists(path))) {
      await makeFolder(folder);
      const { part, marker } = sidecarsOf(folder, name);
      // The rename makes the file appear whole or not at all, even after a power loss.
      const temporary = directory === 'outbox' ? part : join(folder, `.${name}.${process.pid}.tmp`);
      await writeWhole(temporary, bytes);
      if (directory === 'outbox') await writeWhole(marker, new Uint8Array());
      await rename(temporary, path);
      await syncFolder(folder);
    }
    return `${directory}/${name}`;
  }

  /** Deletes the draft that `put` saved for a Message-ID. */
  async discardDraft(messageId: string): Promise<void> {
    await rm(join(this.#beside('drafts'), nameOf(messageId)), { force: true });
  }

  /** Finds the mail that `put` saved for a Message-ID. */
  async find(directory: 'drafts' | 'outbox', messageId: string): Promise<string | undefined> {
    const name = nameOf(messageId);
    return (await exists(join(this.#beside(directory), name))) ? `${directory}/${name}` : undefined;
  }

  /**
   * Whether `put` saved a mail to the outbox and another program has picked it up since; known until `forgetPickedUp`.
   * `put` writes the marker file before the mail appears, and its rename removes the part file.
   */
  async wasPickedUp(messageId: string): Promise<boolean> {
    const { part, marker } = sidecarsOf(this.#beside('outbox'), nameOf(messageId));
    return (await exists(marker)) && !(await exists(part));
  }

  /** Deletes the marker file that `wasPickedUp` checks. */
  async forgetPickedUp(messageId: string): Promise<void> {
    await rm(sidecarsOf(this.#beside('outbox'), nameOf(messageId)).marker, { force: true });
  }

  /** Deletes what an ended process left: see `Mailbox.cleanUp`. A file that a process may be writing stays. */
  async cleanUp(isOver: (id: string, ageMs: number) => Promise<boolean>, { signal }: Abortable): Promise<void> {
    const folders = [this.#beside('outbox'), this.#beside('drafts'), join(this.#inbox, '.labels')];
    for (const folder of folders)
      for (const name of await readdir(folder).catch(() => [])) {
        signal?.throwIfAborted();
        const [, id, end] = /^\.([0-9a-f]{40})\.eml\.(part|mark)$/.exec(name) ?? [];
        const isTemporary = /^\.[0-9a-f]{40,64}(?:\.eml)?\.\d+\.tmp$/.test(name);
        if (end === undefined && !isTemporary) continue;
        const path = join(folder, name);
        const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity);
        if (ageMs > IN_PROGRESS_MS && (id === undefined || (await isOver(id, ageMs)))) await rm(path, { force: true });
      }
  }

  /** Moves a mail from the inbox to the archive. */
  async archive(file: StoredFile): Promise<void> {
    if (!file.ref.startsWith('inbox/')) return;
    const folder = this.#beside('archive');
    await makeFolder(folder);
    const name = file.path.slice(dirname(file.path).length + 1);
    const isTaken = await exists(join(folder, archivedName(name)));
    // The archive has another mail of the same name: this one gets a name of its own.
    const own = isTaken
      ? `${sha256(await readFile(file.path, { flag: READ_NO_FOLLOW })).slice(0, 16)}-${archivedName(name)}`
      : archivedName(name);
    await rename(file.path, join(folder, own));
  }

  /**
   * Writes the flags of a Maildir file into its name. Keeps flags that are not in `known`, which belong to mail
   * programs.
   */
  async setFlags(file: StoredFile, letters: readonly string[], known: readonly string[]): Promise<void> {
    const folder = dirname(file.path);
    // A mail with flags was seen by a mail program, so it belongs into `cur`.
    const cur = folder.endsWith('new') ? join(dirname(folder), 'cur') : folder;
    const had = /[:;!]2,([A-Za-z]*)$/.exec(file.path)?.[1] ?? '';
    const all = new Set([...letters, ...[...had].filter((letter) => !known.includes(letter))]);
    const name = withoutFlags(file.path.slice(folder.length + 1));
    await rename(file.path, join(cur, `${name}:2,${[...all].sort().join('')}`));
  }

  get isMaildir(): boolean {
    return this.#isMaildir;
  }

  #foldersOf(directory: MailDirectory): string[] {
    if (directory !== 'inbox') return [this.#beside(directory)];
    return this.#isMaildir ? ['new', 'cur'].map((name) => join(this.#inbox, name)) : [this.#inbox];
  }

  #beside(directory: Exclude<MailDirectory, 'inbox'>): string {
    return join(dirname(this.#inbox), directory);
  }

  #isMail(directory: MailDirectory, name: string): boolean {
    if (name.startsWith('.')) return false;
    return (directory === 'inbox' && this.#isMaildir) || /\.eml$/i.test(name);
  }
}

function withoutFlags(name: string): string {
  return name.replace(/[:;!]2,[A-Za-z]*$/, '');
}

/** The name of a file in the archive, which contains .eml files only. */
function archivedName(name: string): string {
  return /\.eml$/i.test(name) ? name : `${withoutFlags(name)}.eml`;
}

function nameOf(messageId: string): string {
  return `${sha256(messageId).slice(0, 40)}.eml`;
}

/** Files beside a mail in the outbox: the part file before the rename, and the marker file. */
function sidecarsOf(folder: string, name: string): { readonly part: string; readonly marker: string } {
  return { part: join(folder, `.${name}.part`), marker: join(folder, `.${name}.mark`) };
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Fsyncs a directory, so that a rename in it survives a power loss. Windows does so by itself, and cannot open a
 * directory.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Throws where the state cannot be read, since the file may exist then. */
async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

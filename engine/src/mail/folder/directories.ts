import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { maildirFlags } from './maildir-flags.ts';

/** Where the mails of a folder account lie. `drafts`, `outbox` and `archive` are beside the inbox, and nothing fetches them. */
export type MailDirectory = 'inbox' | 'archive' | 'drafts' | 'outbox';

export interface StoredFile {
  /** `<shelf>/<name>`; the name of a Maildir file without its flags, which change. */
  readonly ref: string;
  readonly path: string;
  readonly mtimeMs: number;
  readonly size: number;
  /** Of a Maildir file. */
  readonly flags: readonly string[];
}

/** The folders of one account. */
export class FolderDirectories {
  readonly #inbox: string;
  readonly #isMaildir: boolean;

  constructor(inbox: string, isMaildir: boolean) {
    this.#inbox = inbox;
    this.#isMaildir = isMaildir;
  }

  /** Mail files of some shelves, newest first. A shelf that is not there is empty. */
  async files(shelves: readonly MailDirectory[]): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    for (const shelf of shelves)
      for (const folder of this.#foldersOf(shelf))
        for (const name of await readdir(folder).catch(() => [])) {
          if (!this.#isMail(shelf, name)) continue;
          const path = join(folder, name);
          const state = await stat(path).catch(() => undefined);
          if (state === undefined || !state.isFile() || state.size === 0) continue;
          const { mtimeMs, size } = state;
          found.push({ ref: `${shelf}/${bare(name)}`, path, mtimeMs, size, flags: maildirFlags(name) });
        }
    return found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.ref < b.ref ? -1 : 1));
  }

  /** The file that a `ref` names. `NOT_FOUND`. */
  async file(ref: string): Promise<StoredFile> {
    const shelf = (['inbox', 'archive', 'drafts', 'outbox'] as const).find((one) => ref.startsWith(`${one}/`));
    // Only what a folder really lists is a file of it: no path can be smuggled in.
    const found = shelf === undefined ? undefined : (await this.files([shelf])).find((file) => file.ref === ref);
    if (found !== undefined) return found;
    throw new EngineError('NOT_FOUND', `there is no mail ${JSON.stringify(ref.slice(0, 200))} in this account`, {
      hint: 'search for it again: it may have been moved',
    });
  }

  /** Puts a mail onto a shelf under a name that follows from its Message-ID; one that is there stays as it is. */
  async put(shelf: 'drafts' | 'outbox', messageId: string, bytes: Uint8Array): Promise<string> {
    const folder = this.#beside(shelf);
    const name = nameOf(messageId);
    const path = join(folder, name);
    if (!(await exists(path))) {
      await mkdir(folder, { recursive: true });
      const { part, mark } = tracesOf(folder, name);
      // It appears whole or not at all, also where the machine loses its power.
      const draft = shelf === 'outbox' ? part : join(folder, `.${name}.${process.pid}.tmp`);
      await writeWhole(draft, bytes);
      if (shelf === 'outbox') await writeWhole(mark, new Uint8Array());
      await rename(draft, path);
      await syncFolder(folder);
    }
    return `${shelf}/${name}`;
  }

  /** The mail that `put` has made of a Message-ID, if it is there. */
  async find(shelf: 'drafts' | 'outbox', messageId: string): Promise<string | undefined> {
    const name = nameOf(messageId);
    return (await exists(join(this.#beside(shelf), name))) ? `${shelf}/${name}` : undefined;
  }

  /**
   * Whether `put` has laid a mail into the outbox from where somebody has taken it since; known until `forgetCarried`. Its mark
   * is made before the mail appears, and what the mail is made of is gone once it has.
   */
  async wasPickedUp(messageId: string): Promise<boolean> {
    const { part, mark } = tracesOf(this.#beside('outbox'), nameOf(messageId));
    return (await exists(mark)) && !(await exists(part));
  }

  /** Takes away what `isCarried` looks at. */
  async forgetPickedUp(messageId: string): Promise<void> {
    await rm(tracesOf(this.#beside('outbox'), nameOf(messageId)).mark, { force: true });
  }

  /** Takes a mail out of the inbox. */
  async archive(file: StoredFile): Promise<void> {
    if (!file.ref.startsWith('inbox/')) return;
    const folder = this.#beside('archive');
    await mkdir(folder, { recursive: true });
    const name = file.path.slice(dirname(file.path).length + 1);
    const isTaken = await exists(join(folder, archived(name)));
    // Another mail of the same name was archived before: this one keeps its own.
    const own = isTaken ? `${sha256(await readFile(file.path)).slice(0, 16)}-${archived(name)}` : archived(name);
    await rename(file.path, join(folder, own));
  }

  /** Writes flags of a Maildir file into its name; those that are not among `known` stay, as mail programs have their own. */
  async setFlags(file: StoredFile, letters: readonly string[], known: readonly string[]): Promise<void> {
    const folder = dirname(file.path);
    // A mail with flags is one that somebody has seen: it lies in `cur`.
    const cur = folder.endsWith('new') ? join(dirname(folder), 'cur') : folder;
    const had = /[:;!]2,([A-Za-z]*)$/.exec(file.path)?.[1] ?? '';
    const all = new Set([...letters, ...[...had].filter((letter) => !known.includes(letter))]);
    const name = bare(file.path.slice(folder.length + 1));
    await rename(file.path, join(cur, `${name}:2,${[...all].sort().join('')}`));
  }

  get isMaildir(): boolean {
    return this.#isMaildir;
  }

  #foldersOf(shelf: MailDirectory): string[] {
    if (shelf !== 'inbox') return [this.#beside(shelf)];
    return this.#isMaildir ? ['new', 'cur'].map((name) => join(this.#inbox, name)) : [this.#inbox];
  }

  #beside(shelf: Exclude<MailDirectory, 'inbox'>): string {
    return join(dirname(this.#inbox), shelf);
  }

  #isMail(shelf: MailDirectory, name: string): boolean {
    if (name.startsWith('.')) return false;
    return (shelf === 'inbox' && this.#isMaildir) || /\.eml$/i.test(name);
  }
}

function bare(name: string): string {
  return name.replace(/[:;!]2,[A-Za-z]*$/, '');
}

/** A Maildir file on a shelf of .eml files. */
function archived(name: string): string {
  return /\.eml$/i.test(name) ? name : `${bare(name)}.eml`;
}

function nameOf(messageId: string): string {
  return `${sha256(messageId).slice(0, 40)}.eml`;
}

/** Files beside a mail in the outbox: what it is made of, and the mark that it was about to appear. */
function tracesOf(folder: string, name: string): { readonly part: string; readonly mark: string } {
  return { part: join(folder, `.${name}.part`), mark: join(folder, `.${name}.mark`) };
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

/** Has the names of a folder outlive a loss of power; Windows does so by itself, and opens no folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What cannot be looked at may be there: other errors than those of what is not there pass. */
async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
}

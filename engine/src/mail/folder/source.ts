import { opendir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sleep } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { LabelFileChanges } from './label-file.ts';
import { sameLabels } from '../labels.ts';
import { maildirFlags } from './maildir-flags.ts';
import type { FoundMail, SourceEvent, ListOptions, MailSource, IngestFacts } from '../source.ts';
import type { MailParser } from '../mail.ts';
import { watchFolder } from './watch.ts';

export interface FolderOptions {
  readonly accountId: string;
  /** The account's own address: mail from it is own. */
  readonly email: string;
  /** Absolute. */
  readonly path: string;
  /** `auto`: a Maildir where `cur` and `new` are there, else a folder of .eml files. */
  readonly format: 'auto' | 'eml' | 'maildir';
  readonly workers: MailParser;
  readonly clock: Clock;
}

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly labels: readonly string[];
  /** Not to be taken: a draft, or marked as deleted. */
  readonly isPassedOver: boolean;
}

/** A name that was listed, and is no mail: an empty file, or one that is not there any more under that name. */
interface Other {
  readonly name: string;
  readonly isMoving: boolean;
}

/** A file that changed this short a while ago may still be written to. */
const SETTLE_MS = 300;

/** How often a patient look waits for a file to stand still. */
const PATIENT_LOOKS = 5;

/** Files that are looked at at a time. */
const STAT_BATCH = 64;

/** More files than this are a backlog, and the newest come first. */
const BACKLOG = 50;

/**
 * The source of a `folder` account. A folder of .eml files is read flat, without dotfiles, `~` and other names of
 * temporary files; a Maildir in `new` and `cur`, never `tmp` and never its subfolders (Drafts and Sent are dot folders),
 * without drafts and mails marked as deleted. Files are taken by time of change, then name; a backlog newest first. A Maildir
 * mail keeps its name when it moves from `new` to `cur` or its flags change, which are its labels. Labels that
 * were put onto an .eml file here lie in `.labels`. Each look ends with all that lies there, unless files are being renamed.
 */
export function createFolderSource(options: FolderOptions): MailSource {
  const { path: root, clock } = options;
  const listeners = new Set<() => void>();
  const labelNews = new LabelFileChanges(root);
  let isPlanned = false;

  const announceLater = () => {
    if (isPlanned) return;
    isPlanned = true;
    clock.delay(() => {
      isPlanned = false;
      for (const listener of listeners) listener();
    }, SETTLE_MS);
  };

  async function* list({ signal, seen, onTotal, isPatient = false }: ListOptions): AsyncIterable<SourceEvent> {
    signal?.throwIfAborted();
    const isMaildir = await formatOf(options);
    const folders = isMaildir ? ['new', 'cur'].map((name) => join(root, name)) : [root];
    const listed = new Set<string>();
    const names = new Set<string>();
    const found: Entry[] = [];
    const fresh: Entry[] = [];
    for (const folder of folders) {
      for await (const entry of entriesOf(folder, isMaildir)) {
        signal?.throwIfAborted();
        listed.add(entry.name);
        if (!('isMoving' in entry) || entry.isMoving) names.add(entry.name);
        if ('isMoving' in entry) continue;
        const before = await seen(entry.name);
        const isSame = before?.size === entry.size && before.mtimeMs === entry.mtimeMs;
        if (isSame && (!isMaildir || before.labels !== undefined)) {
          if (before.labels !== undefined && !sameLabels(before.labels, entry.labels))
            yield { kind: 'labels', name: entry.name, labels: entry.labels };
        } else if (!entry.isPassedOver) {
          // A Maildir is filled by rename, so that what is in it is whole.
          if (!isMaildir && isFresh(entry, clock.now())) fresh.push(entry);
          else found.push(entry);
        }
      }
    }
    if (isPatient) found.push(...(await settled(fresh, signal)));
    else if (fresh.length > 0) announceLater();
    onTotal?.(found.length);
    found.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
    if (found.length > BACKLOG) found.reverse();
    for (const entry of found) {
      signal?.throwIfAborted();
      yield foundOf(entry, isMaildir);
    }
    if (!isMaildir) yield* labelNews.changed();
    if (await hasOthers(folders, isMaildir, listed)) announceLater();
    else yield { kind: 'present', names };
  }

  /** Those of `fresh` that stand still within a few looks; the others are announced later. */
  async function settled(fresh: readonly Entry[], signal: AbortSignal | undefined): Promise<Entry[]> {
    const done: Entry[] = [];
    let left = fresh;
    for (let look = 0; left.length > 0 && look < PATIENT_LOOKS; look++) {
      await sleep(SETTLE_MS, { signal, clock });
      const now = await Promise.all(left.map(({ path }) => entryOf(root, basename(path), false)));
      const there = now.flatMap((entry) => ('isMoving' in entry ? [] : [entry]));
      done.push(...there.filter((entry) => !isFresh(entry, clock.now())));
      left = there.filter((entry) => isFresh(entry, clock.now()));
    }
    if (left.length > 0) announceLater();
    return done;
  }

  function foundOf({ name, path, size, mtimeMs, labels }: Entry, isMaildir: boolean): FoundMail {
    return {
      kind: 'mail',
      name,
      seen: { size, mtimeMs, ...(isMaildir && { labels }) },
      ...(isMaildir && { labels }),
      async read(facts: IngestFacts, { signal } = {}) {
        const { accountId, email } = options;
        const source = { kind: 'file', path, size, mtimeMs } as const;
        try {
          return await options.workers.parse(
            source,
            { ...facts, accountId, ownAddresses: [email], labels, readsLabelHeaders: !isMaildir },
            { signal },
          );
        } catch (error) {
          if (error instanceof EngineError && error.retryable) announceLater();
          throw error;
        }
      },
    };
  }

  return {
    list,
    async watch(onChange) {
      listeners.add(onChange);
      const stop = await watchFolder(root, onChange);
      return async () => {
        listeners.delete(onChange);
        await stop();
      };
    },
  };
}

/** True for a Maildir. `ACCOUNT_FAILED` where the folder is not there or is none. */
async function formatOf({ accountId, path, format }: FolderOptions): Promise<boolean> {
  const isFolder = async (at: string) => (await stat(at)).isDirectory();
  const isThere = await isFolder(path).catch((cause: unknown) => {
    const code = codeOf(cause);
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be opened (${code})`;
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: the folder ${path} ${what}`, {
      hint:
        code === 'ENOENT'
          ? 'Create it or correct `path`; it is picked up as soon as it is there.'
          : 'Check who may read it.',
      retryable: true,
      cause,
    });
  });
  if (!isThere)
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: ${path} is a file, not a folder`, {
      hint: 'Let `path` name a folder of .eml files or a Maildir.',
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function unreadable(folder: string, cause: unknown): EngineError {
  const message = `the folder ${folder} cannot be opened (${codeOf(cause)})`;
  return new EngineError('ACCOUNT_FAILED', message, { hint: 'Check who may read it.', retryable: true, cause });
}

/** Mail files of one folder with their state, read in a stream: what is not mail costs no memory. */
async function* entriesOf(folder: string, isMaildir: boolean): AsyncIterable<Entry | Other> {
  let batch: Promise<Entry | Other>[] = [];
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
    // A Maildir without one of its two folders is just empty there. One that cannot be read is not: its mail is not gone.
    if (isMaildir && codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(folder, error);
  });
  for await (const { name } of handle ?? []) if (isMailName(name, isMaildir)) yield name;
}

/** Whether there are mails besides these: one that is renamed while its folder is read may not be listed at all. */
async function hasOthers(folders: readonly string[], isMaildir: boolean, names: ReadonlySet<string>): Promise<boolean> {
  for (const folder of folders)
    for await (const file of filesOf(folder, isMaildir)) if (!names.has(nameOf(file, isMaildir))) return true;
  return false;
}

function isMailName(name: string, isMaildir: boolean): boolean {
  if (name.startsWith('.')) return false;
  if (isMaildir) return true;
  return /\.eml$/i.test(name) && !/^[~#$]/.test(name) && !/\.(?:tmp|part|partial|crdownload|swp)\.eml$/i.test(name);
}

/** Of a Maildir file without its flags, which change. */
function nameOf(file: string, isMaildir: boolean): string {
  return isMaildir ? file.replace(/[:;!]2,[A-Za-z]*$/, '') : file;
}

async function entryOf(folder: string, file: string, isMaildir: boolean): Promise<Entry | Other> {
  const path = join(folder, file);
  const name = nameOf(file, isMaildir);
  const state = await stat(path).catch(() => undefined);
  // Gone again, under another name with other flags, or a dangling link: the next list sees what has become of it.
  if (state === undefined) return { name, isMoving: true };
  // An empty file is no mail: somebody has just created it.
  if (!state.isFile() || state.size === 0) return { name, isMoving: false };
  const labels = isMaildir ? maildirFlags(file) : [];
  return {
    ...{ name, path, size: state.size, mtimeMs: state.mtimeMs, labels },
    isPassedOver: labels.some((label) => label === '\\Draft' || label === '\\Deleted'),
  };
}

/** A time in the future is a clock that differs, not a change. */
function isFresh({ mtimeMs }: Entry, nowMs: number): boolean {
  const ageMs = nowMs - mtimeMs;
  return ageMs < SETTLE_MS && ageMs > -SETTLE_MS;
}

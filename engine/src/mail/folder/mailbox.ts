import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Abortable } from '../../base/abort.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { READ_NO_FOLLOW } from '../../base/no-follow.ts';
import { readLabels, writeLabels } from './label-file.ts';
import { FolderDirectories, type MailDirectory, type StoredFile } from './directories.ts';
import type { MailContent, MailParser, MailSummary } from '../mail.ts';
import type { MailEntry, Mailbox, MailQuery, Outgoing, SendOptions } from '../mailbox.ts';
import { isMatch, mailEntry } from '../mail-match.ts';

export interface FolderMailboxOptions {
  readonly accountId: string;
  readonly email: string;
  /** Absolute path of the inbox. */
  readonly path: string;
  readonly format: 'auto' | 'eml' | 'maildir';
  readonly workers: MailParser;
}

/** Most files that one search reads, newest first. */
const MAX_FILES = 5000;

/** Letters of Maildir flags by label. */
const LETTERS: Readonly<Record<string, string>> = {
  '\\flagged': 'F',
  '\\answered': 'R',
  '\\seen': 'S',
  '$forwarded': 'P',
};

/** A mail file and its parsed content. */
interface ReadFile {
  readonly file: StoredFile;
  readonly bytes: Uint8Array;
  readonly entry: MailEntry;
  readonly content: MailContent;
}

interface Context {
  readonly options: FolderMailboxOptions;
  readonly open: () => Promise<FolderDirectories>;
}

/**
 * The mailbox of a `folder` account. Drafts are files in `drafts`, sent mail goes to `outbox`, where another program
 * picks it up, and archived mail to `archive`, all beside the inbox. A mail is identified by its bytes, so labels are
 * never written into it: labels with a Maildir letter go into the file name, others into `.labels` in the inbox. The
 * source of a folder of .eml files emits those; the source of a Maildir emits the flags alone.
 */
export function createFolderMailbox(options: FolderMailboxOptions): Mailbox {
  let opened: Promise<FolderDirectories> | undefined;
  const open = () => (opened ??= openDirectories(options).finally(() => (opened = undefined)));
  const context: Context = { options, open };
  let last: Promise<unknown> = Promise.resolve();
  /** One change of files after the other: each renames a file that it has looked up. */
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const changed = last.then(change);
    last = changed.catch(() => {});
    return changed;
  };
  return {
    locate: ({ providerId }, { signal } = {}) => locate(context, providerId, { signal }),
    search: (query, searchOptions) => search(context, query, searchOptions),
    async read(ref, { signal } = {}) {
      signal?.throwIfAborted();
      const { bytes, entry } = await readStored(context, await (await open()).file(ref), { signal });
      return { mime: bytes, entry };
    },
    recent: (place, recentOptions) => recent(context, place, recentOptions),
    thread: (threadId, { signal } = {}) => readThread(context, threadId, { signal }),
    async draft(mail, { signal } = {}) {
      signal?.throwIfAborted();
      return { ref: await (await open()).put('drafts', mail.messageId, mail.mime).catch(cannotWrite(options)) };
    },
    async findDraft(messageId, { signal } = {}) {
      signal?.throwIfAborted();
      const ref = await (await open()).find('drafts', messageId).catch(cannotRead(options));
      return ref === undefined ? undefined : { ref };
    },
    async discardDraft(messageId, { signal } = {}) {
      signal?.throwIfAborted();
      await (await open()).discardDraft(messageId).catch(cannotWrite(options));
    },
    send: (mail, sendOptions = {}) => send(context, mail, sendOptions),
    cleanUp: async (isOver, { signal } = {}) => (await open()).cleanUp(isOver, { signal }),
    findSent: (messageId, { signal } = {}) => findSent(context, messageId, { signal }),
    label: (ref, change, { signal } = {}) => inTurn(() => label(context, ref, change, { signal })),
    archive: (ref, { signal } = {}) => inTurn(() => archive(context, ref, { signal })),
    async signature({ signal } = {}) {
      signal?.throwIfAborted();
      return undefined;
    },
  };
}

async function locate({ open }: Context, providerId: string, { signal }: Abortable): Promise<string | undefined> {
  for (const file of await (await open()).files(['inbox', 'archive'])) {
    signal?.throwIfAborted();
    const bytes = await readFile(file.path, { flag: READ_NO_FOLLOW }).catch(() => undefined);
    if (bytes !== undefined && sha256(bytes) === providerId) return file.ref;
  }
  return undefined;
}

async function search(
  context: Context,
  query: MailQuery,
  { limit, signal }: Abortable & { readonly limit: number },
): Promise<readonly MailEntry[]> {
  signal?.throwIfAborted();
  const found: MailEntry[] = [];
  for await (const { entry, content } of readAll(context, ['inbox', 'archive', 'outbox', 'sent'], { signal }))
    if (isMatch(entry, content, query)) found.push(entry);
  return found.sort((a, b) => (a.date < b.date ? 1 : -1)).slice(0, limit);
}

async function recent(
  context: Context,
  place: 'sent' | 'drafts',
  { since, limit, signal }: Abortable & { readonly since: string; readonly limit: number },
): Promise<readonly MailEntry[]> {
  signal?.throwIfAborted();
  const sinceMs = Date.parse(since);
  const found: MailEntry[] = [];
  for await (const { file, entry } of readAll(context, place === 'sent' ? ['outbox', 'sent'] : ['drafts'], { signal }))
    if (Math.max(file.mtimeMs, Date.parse(entry.date)) >= sinceMs) found.push(entry);
  return found.sort((a, b) => (a.date < b.date ? 1 : -1)).slice(0, limit);
}

async function readThread(context: Context, threadId: string, { signal }: Abortable): Promise<readonly MailEntry[]> {
  signal?.throwIfAborted();
  const found: MailEntry[] = [];
  for await (const { entry } of readAll(context, ['inbox', 'archive', 'outbox', 'sent'], { signal }))
    if (entry.threadId === threadId) found.push(entry);
  if (found.length === 0) throw new EngineError('NOT_FOUND', 'the account has no such thread');
  return found.sort((a, b) => (a.date < b.date ? -1 : 1));
}

async function send(
  { open, options }: Context,
  mail: Outgoing,
  { signal, onSent }: SendOptions,
): Promise<{ readonly ref: string }> {
  signal?.throwIfAborted();
  const directories = await open();
  const ref = await directories.put('outbox', mail.messageId, mail.mime).catch(cannotWrite(options));
  await onSent?.();
  // A marker that stays is harmless: the mail was sent.
  await directories.forgetPickedUp(mail.messageId).catch(() => {});
  return { ref };
}

async function findSent(
  { open, options }: Context,
  messageId: string,
  { signal }: Abortable,
): Promise<{ readonly ref?: string } | undefined> {
  signal?.throwIfAborted();
  const directories = await open();
  const ref = await directories.find('outbox', messageId).catch(cannotRead(options));
  if (ref !== undefined) return { ref };
  return (await directories.wasPickedUp(messageId).catch(cannotRead(options))) ? {} : undefined;
}

async function label(
  context: Context,
  ref: string,
  { add, remove }: Parameters<Mailbox['label']>[1],
  { signal }: Abortable,
): Promise<{ readonly labels: readonly string[] }> {
  signal?.throwIfAborted();
  const { options } = context;
  const directories = await context.open();
  const { entry, bytes, file } = await readStored(context, await directories.file(ref), { signal });
  const isSame = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase();
  const kept = entry.labels.filter((name) => !remove.some(isSame(name)));
  const labels = [...kept, ...add.filter((name) => !kept.some(isSame(name)))];
  const hasLetter = (name: string) => directories.isMaildir && LETTERS[name.toLowerCase()] !== undefined;
  const others = labels.filter((name) => !hasLetter(name) && !file.flags.includes(name));
  await writeLabels(options.path, sha256(bytes), others).catch(cannotWrite(options));
  if (directories.isMaildir && ref.startsWith('inbox/')) {
    const letters = labels.flatMap((name) => LETTERS[name.toLowerCase()] ?? []);
    await directories.setFlags(file, letters, Object.values(LETTERS)).catch(cannotWrite(options));
  }
  return { labels };
}

async function archive({ open, options }: Context, ref: string, { signal }: Abortable): Promise<void> {
  signal?.throwIfAborted();
  const directories = await open();
  await directories.archive(await directories.file(ref)).catch(cannotWrite(options));
}

async function* readAll(
  context: Context,
  directories: readonly MailDirectory[],
  { signal }: Abortable,
): AsyncIterable<ReadFile> {
  for (const file of (await (await context.open()).files(directories)).slice(0, MAX_FILES)) {
    // An unreadable file does not hide the others.
    const one = await readStored(context, file, { signal }).catch(() => undefined);
    signal?.throwIfAborted();
    if (one !== undefined) yield one;
  }
}

async function readStored({ options, open }: Context, file: StoredFile, { signal }: Abortable): Promise<ReadFile> {
  signal?.throwIfAborted();
  const bytes = new Uint8Array(await readFile(file.path, { flag: READ_NO_FOLLOW }).catch(unreadableFile));
  const { accountId, email, workers } = options;
  const { isMaildir } = await open();
  const parsed = await workers.parse(
    { kind: 'bytes', bytes: bytes.slice() },
    {
      ...{ id: file.ref, accountId, ownAddresses: [email], labels: file.flags },
      receivedAt: new Date(file.mtimeMs).toISOString(),
      readsLabelHeaders: !isMaildir,
    },
    { signal },
  );
  const summary = JSON.parse(parsed.summary) as MailSummary;
  const kept = await readLabels(options.path, parsed.sha256);
  const labels = kept === undefined ? summary.labels : [...new Set([...file.flags, ...kept])];
  const content = JSON.parse(parsed.content) as MailContent;
  const isSent = file.ref.startsWith('outbox/') || file.ref.startsWith('sent/');
  return { file, bytes, entry: mailEntry(file.ref, { ...summary, labels }, isSent), content };
}

async function openDirectories({ accountId, path, format }: FolderMailboxOptions): Promise<FolderDirectories> {
  const isFolder = async (at: string) => (await stat(at).catch(() => undefined))?.isDirectory() === true;
  if (!(await isFolder(path)))
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: the folder ${path} does not exist`, {
      hint: 'Create it or correct `path`.',
    });
  if (dirname(path) === path)
    throw new EngineError('ACCOUNT_FAILED', `account ${accountId}: the folder ${path} has no parent folder`, {
      hint: 'Set `path` to a folder inside another one: drafts are stored beside it.',
    });
  const isMaildir = (await isFolder(join(path, 'cur'))) && (await isFolder(join(path, 'new')));
  return new FolderDirectories(path, format === 'auto' ? isMaildir : format === 'maildir');
}

function unreadableFile(cause: unknown): never {
  throw new EngineError('NOT_FOUND', 'the mail is gone or cannot be read', { cause });
}

function cannotRead({ accountId, path }: FolderMailboxOptions): (cause: unknown) => never {
  return (cause) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new EngineError(
      'ACCOUNT_FAILED',
      `account ${accountId}: the folders beside ${path} cannot be read (${code})`,
      {
        hint: 'Check that this user may read them.',
        cause,
      },
    );
  };
}

function cannotWrite({ accountId, path }: FolderMailboxOptions): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof EngineError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new EngineError(
      'ACCOUNT_FAILED',
      `account ${accountId}: the folders beside ${path} cannot be written (${code})`,
      {
        hint: 'Check that this user may write there, and that the disk has free space.',
        cause,
      },
    );
  };
}

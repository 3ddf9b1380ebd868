import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import type { Change, Row, Store } from '../../store/store.ts';
import type { FileRoot } from '../file.ts';
import { checkPath, quoted } from '../path-text.ts';
import { readFileBelow } from '../read-file.ts';
import { resolvePath } from '../resolve-path.ts';
import { forgetTaintedFile, noteTaintedFile, taintedSince } from '../tainted-files.ts';
import { removeFileBelow, writeFileBelow } from '../write-file.ts';
import {
  changeOf,
  changeRow,
  type ContentMark,
  type FileAuthor,
  type FileChange,
  markUndone,
  readChangeRow,
  rowOfEffect,
} from './change-rows.ts';
import type { Notebooks } from './notebooks.ts';

/** Largest file that the notebook tools read, change or delete, since its previous version is kept. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** A file of a notebook as it is now. */
export interface CurrentFile {
  /** Real path below the root, without a leading `/`. */
  readonly path: string;
  /** Null where there is no file. */
  readonly bytes: Uint8Array | null;
  readonly mark: ContentMark | null;
}

/** A change to perform. */
export interface FileEdit {
  readonly notebook: string;
  readonly before: CurrentFile;
  /** The new content; null deletes the file. */
  readonly after: Uint8Array | null;
  readonly author: FileAuthor;
  readonly runId: string;
  /** The idempotency key of the tool call. */
  readonly key: string;
  readonly undoes?: string;
  /** The call comes from a thread that has read text of strangers. */
  readonly isTainted?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a file that may not exist. Errors as `readFileBelow`, without `NOT_FOUND`. */
export async function readCurrent(root: FileRoot, path: string, signal?: AbortSignal): Promise<CurrentFile> {
  try {
    const found = await readFileBelow(root, path, { absolute: 'root', maxBytes: MAX_FILE_BYTES, signal });
    return { path: found.path, bytes: found.bytes, mark: markOf(found.bytes) };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND') throw error;
    return { path: await pathOfNew(root, path), bytes: null, mark: null };
  }
}

/** The path of a file that does not exist yet, with the links of the folders on its way followed. */
async function pathOfNew(root: FileRoot, text: string): Promise<string> {
  const names = checkPath(text, root, { absolute: 'root' }).split('/');
  for (let depth = names.length - 1; depth > 0; depth--) {
    const folder = await resolvePath(root, names.slice(0, depth).join('/')).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    });
    if (folder !== undefined) return [folder.path, ...names.slice(depth)].filter((name) => name !== '').join('/');
  }
  return names.join('/');
}

/**
 * Changes a file, once for each key: stores the previous version, writes the file in one step, marks the change as written.
 * `FILE_CHANGED` or `CONFLICT` where the file is no longer `before`; then nothing is kept. An abort leaves the old file.
 */
export async function changeFile({ store, clock, ids, root }: Notebooks, edit: FileEdit): Promise<FileChange> {
  const { notebook, before, after, author, runId, undoes } = edit;
  const effect = effectOf(store, edit.key);
  const known = await rowOfEffect(store, effect);
  const tainted = after === null ? await taintedSince(store, root(notebook), before.path) : undefined;
  const change: FileChange = {
    ...{ id: known?.id ?? ids.next('fchg'), runId, notebook, path: `/${before.path}`, author },
    operation: after === null ? 'delete' : before.bytes === null ? 'create' : 'write',
    ...{ before: before.mark, after: after === null ? null : markOf(after) },
    ...(tainted !== undefined && { taintedSince: tainted }),
    ...(undoes !== undefined && { undoes }),
    ...{ state: 'intended', at: isoTime(clock.now()) },
  };
  const row = changeRow(change, effect);
  await store.apply([
    { op: known === undefined ? 'insert' : 'put', table: 'fileChange', row },
    { op: 'put', table: 'fileVersion', row: { change: row.id, run: runId, body: Buffer.from(before.bytes ?? []) } },
    ...(undoes === undefined ? [] : [markUndone(await readChangeRow(store, undoes), row.id)]),
    ...taintOf(store, root(notebook), edit, clock.now()),
  ]);
  try {
    await writeTo(root(notebook), edit);
  } catch (error) {
    // A disk may report an error although the file has its new content.
    if ((await stateOf(root(notebook), change).catch(() => 'unknown')) !== 'done') {
      await store.apply(await forgetting(store, row));
      throw error;
    }
  }
  return finish(store, root(notebook), row);
}

/**
 * The change that an earlier attempt of a tool call made: it is there if the file has the content of the call. Undefined where the
 * file is as before. `TOOL_OUTCOME_UNKNOWN` where somebody has changed it since.
 */
export async function findChange({ store, root }: Notebooks, key: string): Promise<FileChange | undefined> {
  const row = await rowOfEffect(store, effectOf(store, key));
  if (row === undefined) return undefined;
  const change = changeOf(row);
  if (change.state === 'written') return change;
  const state = await stateOf(root(change.notebook), change);
  if (state === 'done') return finish(store, root(change.notebook), row);
  if (state === 'open') return undefined;
  const message = `${quoted(change.path)} was changed by somebody else since: it is not known whether this call changed it before`;
  throw new EngineError('TOOL_OUTCOME_UNKNOWN', message, { hint: 'look at the file and decide what it should be' });
}

/**
 * Takes a change back: the file gets the content that it had before. The undo is a change itself, which can be undone.
 * `NOT_FOUND`; `FILE_CHANGED` where the file was changed since; `CONFLICT` where the change was never made.
 */
export async function undoChange(notebooks: Notebooks, id: string): Promise<FileChange> {
  const { store, root } = notebooks;
  const row = await readChangeRow(store, id);
  const change = changeOf(row);
  const state = change.state === 'written' ? 'done' : await stateOf(root(change.notebook), change);
  if (state === 'open') throw new EngineError('CONFLICT', `the change ${id} was never made: there is nothing to undo`);
  if (change.undoneBy !== undefined) {
    const earlier = await store.get('fileChange', { id: change.undoneBy });
    // A process ended between the note and the file.
    if (earlier?.state === 'intended') {
      if ((await stateOf(root(change.notebook), changeOf(earlier))) === 'done')
        return finish(store, root(change.notebook), earlier);
      await store.apply(await forgetting(store, earlier));
    }
  }
  const now = await readCurrent(root(change.notebook), change.path);
  if (now.mark?.sha256 !== change.after?.sha256)
    throw new EngineError(
      'FILE_CHANGED',
      `${change.path} of ${change.notebook} is no longer as the change ${id} left it`,
      { hint: change.undoneBy === undefined ? 'undo the later changes first' : `it was undone by ${change.undoneBy}` },
    );
  const version = change.before === null ? null : await versionOf(store, id);
  const edit = { notebook: change.notebook, before: now, after: version, runId: change.runId, undoes: id };
  const undo = await changeFile(notebooks, {
    ...edit,
    key: `undo ${notebooks.ids.next('undo')}`,
    author: { by: 'user' },
    isTainted: change.taintedSince !== undefined,
  });
  // The undo of an undo: the first change counts again.
  if (change.undoes !== undefined)
    await store.apply([markUndone(await readChangeRow(store, change.undoes), undefined)]);
  return undo;
}

/** The content of a file before a change. `NOT_FOUND`. */
export async function versionOf(store: Pick<Store, 'get'>, id: string): Promise<Uint8Array> {
  const version = await store.get('fileVersion', { change: id });
  if (version === undefined) throw new EngineError('NOT_FOUND', `the previous version of the change ${id} was deleted`);
  return version.body;
}

/** Hash and size of a content. */
export function markOf(bytes: Uint8Array): ContentMark {
  return { sha256: sha256(bytes), size: bytes.byteLength };
}

function taintOf(store: Store, root: FileRoot, { before, after, isTainted = false }: FileEdit, now: number): Change[] {
  if (after === null || !isTainted) return [];
  // A new file may make its folders, whose names are text of the run as well.
  const folders = before.mark === null ? foldersOf(before.path) : [];
  return [before.path, ...folders].map((path) => noteTaintedFile(store, { root, path, now }));
}

/** The folders above a path: `a/b` and `a` of `a/b/c.md`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, i) => parts.slice(0, parts.length - i).join('/'));
}

function effectOf(store: Store, key: string): string {
  return store.lookupKey(`file change\0${key}`);
}

async function writeTo(root: FileRoot, { before, after, signal }: FileEdit): Promise<void> {
  const options = { absolute: 'root', expected: before.mark?.sha256 ?? null, signal } as const;
  if (after === null) await removeFileBelow(root, before.path, options);
  else await writeFileBelow(root, before.path, after, options);
}

/** Whether the file has the content after a change (`done`), that before it (`open`), or another one. */
async function stateOf(root: FileRoot, { path, before, after }: FileChange): Promise<'done' | 'open' | 'other'> {
  const { mark } = await readCurrent(root, path);
  if (mark?.sha256 === after?.sha256) return 'done';
  return mark?.sha256 === before?.sha256 ? 'open' : 'other';
}

/** Notes that a change is made; only then is what was noted of a deleted file forgotten. */
async function finish(store: Store, root: FileRoot, row: Row<'fileChange'>): Promise<FileChange> {
  const change = changeOf(row);
  const { taintedSince: at, path } = change;
  await store.apply([
    { op: 'update', table: 'fileChange', key: { id: row.id }, set: { state: 'written' } },
    ...(at === undefined ? [] : [forgetTaintedFile(store, { root, path: path.slice(1), at })]),
  ]);
  return { ...change, state: 'written' };
}

/** The changes that remove a change that did not happen. */
async function forgetting(store: Store, row: Row<'fileChange'>): Promise<Change[]> {
  const { undoes } = changeOf(row);
  return [
    { op: 'delete', table: 'fileChange', where: { id: row.id } },
    { op: 'delete', table: 'fileVersion', where: { change: row.id } },
    ...(undoes === undefined ? [] : [markUndone(await readChangeRow(store, undoes), undefined)]),
  ];
}

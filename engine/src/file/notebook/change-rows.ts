import { isoTime } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import { listAfter, type RowsAfter } from '../../store/list-after.ts';
import type { Change, Reader, Row } from '../../store/store.ts';

/** A content of a file: SHA-256 in hex, and its size in bytes. */
export interface ContentMark {
  readonly sha256: string;
  readonly size: number;
}

/** Who changed a file. */
export type FileAuthor =
  | { readonly by: 'director' | 'agent'; readonly directorId: string; readonly agentId?: string; readonly tool: string }
  | { readonly by: 'user' };

/** A change of a file in a notebook, as the API returns it. */
export interface FileChange {
  readonly id: string;
  readonly runId: string;
  readonly notebook: string;
  /** Path from the root of the notebook: `/notes/a.md`. */
  readonly path: string;
  readonly operation: 'create' | 'write' | 'delete';
  readonly author: FileAuthor;
  /** The content before; null where there was no file. */
  readonly before: ContentMark | null;
  readonly after: ContentMark | null;
  /** Of a deletion of a file with text of strangers: when that was noted, in epoch milliseconds. An undo notes it again. */
  readonly taintedSince?: number;
  /** Of an undo: the change that it took back. */
  readonly undoes?: string;
  /** The change that took this one back. */
  readonly undoneBy?: string;
  /** `intended`: the process ended before it was known whether the file was written. */
  readonly state: 'intended' | 'written';
  /** ISO 8601. */
  readonly at: string;
}

type StoredBody = Omit<FileChange, 'id' | 'runId' | 'state' | 'at'>;

/** The row of a change. `effect` is a keyed hash; `at` are epoch milliseconds. */
export function changeRow(change: FileChange, effect: string): Row<'fileChange'> {
  const { id, runId, state, at, ...body } = change;
  return { id, effect, run: runId, state, at: Date.parse(at), body: JSON.stringify(body satisfies StoredBody) };
}

/** The change that notes by which other one a change was taken back; undefined: it counts again. */
export function markUndone(row: Row<'fileChange'>, undoneBy: string | undefined): Change {
  const { undoneBy: _before, ...body } = bodyOf<StoredBody>('fileChange', row);
  const set = { body: JSON.stringify({ ...body, ...(undoneBy !== undefined && { undoneBy }) }) };
  return { op: 'update', table: 'fileChange', key: { id: row.id }, set };
}

/** The row of a change. `NOT_FOUND`. */
export async function readChangeRow(reader: Reader, id: string): Promise<Row<'fileChange'>> {
  const row = await reader.get('fileChange', { id });
  if (row !== undefined) return row;
  throw new EngineError('NOT_FOUND', `there is no change of a file "${id}"`, {
    hint: 'callsheet files list shows them; a change is deleted with its run',
  });
}

/** The row of the change that a tool call made, or undefined. */
export async function rowOfEffect(reader: Reader, effect: string): Promise<Row<'fileChange'> | undefined> {
  return (await reader.list('fileChange', { where: [['effect', '=', effect]] }))[0];
}

/** A row as a change. */
export function changeOf(row: Row<'fileChange'>): FileChange {
  const state = row.state === 'written' ? 'written' : 'intended';
  const { id, run, at } = row;
  return { id, runId: run, ...bodyOf<StoredBody>('fileChange', row), state, at: isoTime(at) };
}

/** Lists changes, newest first, after a cursor; of one run where it is given. */
export async function listChanges(
  reader: Reader,
  { runId, where = [], ...page }: RowsAfter<'fileChange'> & { readonly runId?: string | undefined },
): Promise<FileChange[]> {
  const wanted = runId === undefined ? where : [...where, ['run', '=', runId] as const];
  const rows = await listAfter(reader, 'fileChange', { ...page, where: wanted, by: ['at', 'desc'], ids: 'desc' });
  return rows.map(changeOf);
}

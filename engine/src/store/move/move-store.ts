import { EngineError } from '../../base/error.ts';
import {
  beginCopy,
  closeOld,
  type CopyFacts,
  finishCopy,
  keyOf,
  readCurrent,
  readFacts,
  readRows,
  Summer,
  type TableSum,
  writeRows,
} from '../maintenance/copy-script.ts';
import type { MoveEndpoint } from './move-endpoint.ts';
import { dropMark, type UnfinishedMove } from '../maintenance/move-marks.ts';
import { TABLE_NAMES, type TableName } from '../tables.ts';

export interface MoveOptions {
  /** Unlike that of any other move. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Called after each batch. */
  readonly onProgress: (progress: MoveProgress) => void;
}

export interface MoveProgress {
  readonly phase: 'copy' | 'compare';
  readonly table: TableName;
  /** Done of this table, by this call. */
  readonly rows: number;
}

/** What a move has done. */
export interface Moved {
  /** True where an earlier call had done it all. */
  readonly isDone: boolean;
  /** True where an earlier call had begun. */
  readonly isResumed: boolean;
  /** Of both places; empty where there was nothing to do. */
  readonly sums: readonly TableSum[];
}

/** Bytes that a batch is to have, and rows at least and at most: raw mail lies in pieces of 256 KB. */
const BATCH = { bytes: 4 * 1024 * 1024, min: 16, max: 2000, first: 64 } as const;

/**
 * Moves a store from one place to another, row by row as they lie: what is sealed stays sealed. From its first step on the
 * old place cannot be opened any more, and the new one not before its last, so that killed at any moment there is never more
 * than one, and the same call goes on. In the end all rows of both are read again and compared. `STORE_FAILED` where they
 * differ; `CONFLICT` where the old place is no whole store, or the new one holds something else; `STORE_MOVED` where it moves
 * or has moved elsewhere; `DATA_LOCKED` where a process works on either.
 */
export async function moveStore(from: MoveEndpoint, to: MoveEndpoint, options: MoveOptions): Promise<Moved> {
  const old = await from.play(readFacts(from.form));
  const fresh = await to.play(readFacts(to.form));
  const standing = judge(from, to, old, fresh);
  if (standing === 'done') return { isDone: true, isResumed: true, sums: [] };
  const begun = standing === 'begun' ? fresh.copy : undefined;
  const copy = begun ?? (await begin(from, to, old.id, options));
  await copyRows(from, to, copy, { isEncrypted: old.isEncrypted, onProgress: options.onProgress });
  const sums = await compare(from, to, options);
  await to.settle();
  const current = await from.play(readCurrent());
  await to.play(finishCopy(to.form, current, { id: copy.id, from: from.address, at: options.at }));
  return { isDone: false, isResumed: begun !== undefined, sums };
}

/** What a move would find, and whether it may be; nothing is written. Errors as `moveStore`. */
export async function tryMove(
  from: MoveEndpoint,
  to: MoveEndpoint | undefined,
): Promise<ReadonlyMap<TableName, number>> {
  const old = await from.play(readFacts(from.form));
  if (to !== undefined) judge(from, to, old, await to.play(readFacts(to.form)));
  return old.counts;
}

/** Opens a place again that a store has left, or began to leave: nobody may work in the other any more. False where it is open. */
export async function reopenStore(side: MoveEndpoint): Promise<boolean> {
  const { moving, copy } = await side.play(readFacts(side.form));
  if (copy !== undefined) throw halfCopied(side);
  if (moving === undefined) return false;
  await side.play(dropMark('moving'));
  return true;
}

/** How the two places stand to each other: a move may be new, or half done, or done. */
function judge(from: MoveEndpoint, to: MoveEndpoint, old: CopyFacts, fresh: CopyFacts): 'new' | 'begun' | 'done' {
  if (old.copy !== undefined) throw halfCopied(from);
  if (!old.isStore || old.id === '')
    throw new EngineError('USAGE', `there is no store in ${from.address}`, {
      hint: 'name the one to move with --from',
    });
  if (old.isChangingKeys)
    throw new EngineError('CONFLICT', `a change of keys of ${from.address} is not finished`, {
      hint: 'finish it first: start Callsheet there once, or callsheet key rotate',
    });
  const { moving } = old;
  if (moving !== undefined && fresh.copied?.id === moving.id) return 'done';
  if (moving !== undefined && fresh.copy?.id === moving.id) return 'begun';
  if (moving !== undefined)
    throw new EngineError(
      'STORE_MOVED',
      `${from.address} is being moved to ${moving.to}, or was, and not to ${to.address}`,
      {
        hint: 'name that one with --to; callsheet migrate --reopen gives the move up, if nobody works there',
      },
    );
  if (fresh.copy === undefined ? !isEmpty(fresh) : fresh.copy.of !== old.id)
    throw new EngineError('CONFLICT', `${to.address} holds something else already`, {
      hint: 'name an empty database or a new folder with --to, or remove what is there',
    });
  return 'new';
}

/** What an engine leaves that was only started: its secret, its config, and that it was there. */
const IDLE: readonly TableName[] = ['meta', 'good', 'document', 'revision', 'claim', 'counter'];

function isEmpty({ counts, moving, copied }: CopyFacts): boolean {
  const hasRows = [...counts].some(([table, rows]) => rows > 0 && !IDLE.includes(table));
  return !hasRows && moving === undefined && copied === undefined;
}

async function begin(
  from: MoveEndpoint,
  to: MoveEndpoint,
  of: string,
  { id, at }: MoveOptions,
): Promise<UnfinishedMove> {
  const copy: UnfinishedMove = { id, of, from: from.address, at, table: TABLE_NAMES[0]!, after: [] };
  await to.play(beginCopy(to.form, copy));
  await from.play(closeOld(from.form, { id, to: to.address, at }));
  return copy;
}

/** Copies all that is not there yet. */
async function copyRows(
  from: MoveEndpoint,
  to: MoveEndpoint,
  begun: UnfinishedMove,
  { isEncrypted, onProgress }: Pick<CopyFacts, 'isEncrypted'> & Pick<MoveOptions, 'onProgress'>,
): Promise<void> {
  let copy = begun;
  const first = copy.table === null ? TABLE_NAMES.length : TABLE_NAMES.findIndex((name) => name === copy.table);
  if (first < 0) throw newer(to);
  for (const [at, table] of TABLE_NAMES.entries()) {
    if (at < first) continue;
    let count = 0;
    for await (const { rows, isLast } of batches(from, table, at === first ? begun.after : [])) {
      const place = isLast
        ? { table: TABLE_NAMES[at + 1] ?? null, after: [] }
        : { table, after: keyOf(table, rows.at(-1)!) };
      const after = { ...copy, ...place };
      if (!(await to.play(writeRows(to.form, { table, rows, isEncrypted }, copy, after)))) throw elsewhere(to);
      copy = after;
      onProgress({ phase: 'copy', table, rows: (count += rows.length) });
    }
  }
}

/** All rows of a table after a key, in batches of a size that fits their rows. */
async function* batches({ play, form }: MoveEndpoint, table: TableName, begin: readonly (string | number)[] = []) {
  let after = begin;
  for (let limit: number = BATCH.first; ;) {
    const rows = await play(readRows(form, table, after, limit));
    const isLast = rows.length < limit;
    if (rows.length > 0) yield { rows, isLast };
    if (isLast) return;
    after = keyOf(table, rows.at(-1)!);
    const bytes = rows.flat().reduce<number>((sum, value) => sum + (typeof value === 'number' ? 8 : value.length), 0);
    limit = Math.min(BATCH.max, Math.max(BATCH.min, Math.floor((limit * BATCH.bytes) / Math.max(bytes, 1))));
  }
}

async function compare(from: MoveEndpoint, to: MoveEndpoint, { onProgress }: MoveOptions): Promise<TableSum[]> {
  const sums: TableSum[] = [];
  const wrong: string[] = [];
  for (const table of TABLE_NAMES) {
    const old = await sumOf(from, table, () => {});
    const fresh = await sumOf(to, table, (rows) => onProgress({ phase: 'compare', table, rows }));
    if (old.hash !== fresh.hash || old.rows !== fresh.rows)
      wrong.push(`${table} (${old.rows} rows ${old.hash.slice(0, 12)}, ${fresh.rows} rows ${fresh.hash.slice(0, 12)})`);
    sums.push(old);
  }
  if (wrong.length === 0) return sums;
  throw new EngineError('STORE_FAILED', `${from.address} and its copy differ in ${wrong.join(', ')}`, {
    hint: 'somebody changed one of them meanwhile; callsheet migrate --reopen gives the move up, then begin anew',
  });
}

async function sumOf(side: MoveEndpoint, table: TableName, onRows: (rows: number) => void): Promise<TableSum> {
  const summer = new Summer(table);
  for await (const { rows } of batches(side, table)) {
    for (const row of rows) summer.add(row);
    onRows(summer.sum.rows);
  }
  return summer.sum;
}

function halfCopied({ address }: MoveEndpoint): EngineError {
  return new EngineError('STORE_HALF_COPIED', `${address} is itself a copy that is not complete`, {
    hint: 'complete it first: callsheet migrate, as before',
  });
}

function newer({ address }: MoveEndpoint): EngineError {
  return new EngineError('STORE_TOO_NEW', `the copy in ${address} was begun by a newer version`, {
    hint: 'complete it with that version',
  });
}

function elsewhere({ address }: MoveEndpoint): EngineError {
  return new EngineError('DATA_LOCKED', `another process is moving a store to ${address}`, {
    hint: 'let one of the two finish',
  });
}

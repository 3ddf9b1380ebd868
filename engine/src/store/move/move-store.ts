import { EngineError } from '../../base/error.ts';
import {
  beginCopy,
  closeSource,
  type CopyFacts,
  finishCopy,
  keyOf,
  readCurrentKeyringRow,
  readCopyFacts,
  readRows,
  ChecksumBuilder,
  type TableChecksum,
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
export interface MoveResult {
  /** True where an earlier call had done it all. */
  readonly isDone: boolean;
  /** True where an earlier call had begun. */
  readonly isResumed: boolean;
  /** Of both places; empty where there was nothing to do. */
  readonly sums: readonly TableChecksum[];
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
export async function moveStore(source: MoveEndpoint, target: MoveEndpoint, options: MoveOptions): Promise<MoveResult> {
  const sourceFacts = await source.run(readCopyFacts(source.form));
  const targetFacts = await target.run(readCopyFacts(target.form));
  const state = moveState(source, target, sourceFacts, targetFacts);
  if (state === 'done') return { isDone: true, isResumed: true, sums: [] };
  const begun = state === 'begun' ? targetFacts.copy : undefined;
  const copy = begun ?? (await beginMove(source, target, sourceFacts.id, options));
  await copyRows(source, target, copy, { isEncrypted: sourceFacts.isEncrypted, onProgress: options.onProgress });
  const sums = await compareRows(source, target, options);
  await target.flush();
  const current = await source.run(readCurrentKeyringRow());
  await target.run(finishCopy(target.form, current, { id: copy.id, from: source.address, at: options.at }));
  return { isDone: false, isResumed: begun !== undefined, sums };
}

/** What a move would find, and whether it may be; nothing is written. Errors as `moveStore`. */
export async function tryMove(
  source: MoveEndpoint,
  target: MoveEndpoint | undefined,
): Promise<ReadonlyMap<TableName, number>> {
  const sourceFacts = await source.run(readCopyFacts(source.form));
  if (target !== undefined) moveState(source, target, sourceFacts, await target.run(readCopyFacts(target.form)));
  return sourceFacts.counts;
}

/** Opens a place again that a store has left, or began to leave: nobody may work in the other any more. False where it is open. */
export async function reopenStore(endpoint: MoveEndpoint): Promise<boolean> {
  const { moving, copy } = await endpoint.run(readCopyFacts(endpoint.form));
  if (copy !== undefined) throw halfCopied(endpoint);
  if (moving === undefined) return false;
  await endpoint.run(dropMark('moving'));
  return true;
}

/** How the two places stand to each other: a move may be new, or half done, or done. */
function moveState(
  source: MoveEndpoint,
  target: MoveEndpoint,
  sourceFacts: CopyFacts,
  targetFacts: CopyFacts,
): 'new' | 'begun' | 'done' {
  if (sourceFacts.copy !== undefined) throw halfCopied(source);
  if (!sourceFacts.isStore || sourceFacts.id === '')
    throw new EngineError('USAGE', `there is no store in ${source.address}`, {
      hint: 'name the one to move with --from',
    });
  if (sourceFacts.isChangingKeys)
    throw new EngineError('CONFLICT', `a change of keys of ${source.address} is not finished`, {
      hint: 'finish it first: start Callsheet there once, or callsheet key rotate',
    });
  const { moving } = sourceFacts;
  if (moving !== undefined && targetFacts.copied?.id === moving.id) return 'done';
  if (moving !== undefined && targetFacts.copy?.id === moving.id) return 'begun';
  if (moving !== undefined)
    throw new EngineError(
      'STORE_MOVED',
      `${source.address} is being moved to ${moving.to}, or was, and not to ${target.address}`,
      {
        hint: 'name that one with --to; callsheet migrate --reopen gives the move up, if nobody works there',
      },
    );
  if (targetFacts.copy === undefined ? !isEmpty(targetFacts) : targetFacts.copy.of !== sourceFacts.id)
    throw new EngineError('CONFLICT', `${target.address} holds something else already`, {
      hint: 'name an empty database or a new folder with --to, or remove what is there',
    });
  return 'new';
}

/** What an engine leaves that was only started: its secret, its config, and that it was there. */
const IDLE_TABLES: readonly TableName[] = ['meta', 'good', 'document', 'revision', 'claim', 'counter'];

function isEmpty({ counts, moving, copied }: CopyFacts): boolean {
  const hasRows = [...counts].some(([table, rows]) => rows > 0 && !IDLE_TABLES.includes(table));
  return !hasRows && moving === undefined && copied === undefined;
}

async function beginMove(
  source: MoveEndpoint,
  target: MoveEndpoint,
  of: string,
  { id, at }: MoveOptions,
): Promise<UnfinishedMove> {
  const copy: UnfinishedMove = { id, of, from: source.address, at, table: TABLE_NAMES[0]!, after: [] };
  await target.run(beginCopy(target.form, copy));
  await source.run(closeSource(source.form, { id, to: target.address, at }));
  return copy;
}

/** Copies all that is not there yet. */
async function copyRows(
  source: MoveEndpoint,
  target: MoveEndpoint,
  begun: UnfinishedMove,
  { isEncrypted, onProgress }: Pick<CopyFacts, 'isEncrypted'> & Pick<MoveOptions, 'onProgress'>,
): Promise<void> {
  let copy = begun;
  const first = copy.table === null ? TABLE_NAMES.length : TABLE_NAMES.findIndex((name) => name === copy.table);
  if (first < 0) throw copyOfNewerVersion(target);
  for (const [at, table] of TABLE_NAMES.entries()) {
    if (at < first) continue;
    let count = 0;
    for await (const { rows, isLast } of batches(source, table, at === first ? begun.after : [])) {
      const cursor = isLast
        ? { table: TABLE_NAMES[at + 1] ?? null, after: [] }
        : { table, after: keyOf(table, rows.at(-1)!) };
      const after = { ...copy, ...cursor };
      if (!(await target.run(writeRows(target.form, { table, rows, isEncrypted }, copy, after))))
        throw movedByAnotherProcess(target);
      copy = after;
      onProgress({ phase: 'copy', table, rows: (count += rows.length) });
    }
  }
}

/** All rows of a table after a key, in batches of a size that fits their rows. */
async function* batches({ run, form }: MoveEndpoint, table: TableName, begin: readonly (string | number)[] = []) {
  let after = begin;
  for (let limit: number = BATCH.first; ;) {
    const rows = await run(readRows(form, table, after, limit));
    const isLast = rows.length < limit;
    if (rows.length > 0) yield { rows, isLast };
    if (isLast) return;
    after = keyOf(table, rows.at(-1)!);
    const bytes = rows.flat().reduce<number>((sum, value) => sum + (typeof value === 'number' ? 8 : value.length), 0);
    limit = Math.min(BATCH.max, Math.max(BATCH.min, Math.floor((limit * BATCH.bytes) / Math.max(bytes, 1))));
  }
}

async function compareRows(
  source: MoveEndpoint,
  target: MoveEndpoint,
  { onProgress }: MoveOptions,
): Promise<TableChecksum[]> {
  const sums: TableChecksum[] = [];
  const wrong: string[] = [];
  for (const table of TABLE_NAMES) {
    const sourceSum = await checksumOf(source, table, () => {});
    const targetSum = await checksumOf(target, table, (rows) => onProgress({ phase: 'compare', table, rows }));
    if (sourceSum.hash !== targetSum.hash || sourceSum.rows !== targetSum.rows)
      wrong.push(
        `${table} (${sourceSum.rows} rows ${sourceSum.hash.slice(0, 12)}, ${targetSum.rows} rows ${targetSum.hash.slice(0, 12)})`,
      );
    sums.push(sourceSum);
  }
  if (wrong.length === 0) return sums;
  throw new EngineError('STORE_FAILED', `${source.address} and its copy differ in ${wrong.join(', ')}`, {
    hint: 'somebody changed one of them meanwhile; callsheet migrate --reopen gives the move up, then begin anew',
  });
}

async function checksumOf(
  endpoint: MoveEndpoint,
  table: TableName,
  onRows: (rows: number) => void,
): Promise<TableChecksum> {
  const builder = new ChecksumBuilder(table);
  for await (const { rows } of batches(endpoint, table)) {
    for (const row of rows) builder.add(row);
    onRows(builder.sum.rows);
  }
  return builder.sum;
}

function halfCopied({ address }: MoveEndpoint): EngineError {
  return new EngineError('STORE_HALF_COPIED', `${address} is itself a copy that is not complete`, {
    hint: 'complete it first: callsheet migrate, as before',
  });
}

function copyOfNewerVersion({ address }: MoveEndpoint): EngineError {
  return new EngineError('STORE_TOO_NEW', `the copy in ${address} was begun by a newer version`, {
    hint: 'complete it with that version',
  });
}

function movedByAnotherProcess({ address }: MoveEndpoint): EngineError {
  return new EngineError('DATA_LOCKED', `another process is moving a store to ${address}`, {
    hint: 'let one of the two finish',
  });
}

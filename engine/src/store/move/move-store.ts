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

/** Options of `moveStore`. */
export interface MoveOptions {
  /** Unique id of the move. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Called after each batch. */
  readonly onProgress: (progress: MoveProgress) => void;
}

/** Progress of a move, after a batch of rows. */
export interface MoveProgress {
  readonly phase: 'copy' | 'compare';
  readonly table: TableName;
  /** Rows of this table that this call has copied or compared so far. */
  readonly rows: number;
}

/** Result of a move. */
export interface MoveResult {
  /** True if an earlier call had completed the move; this call did nothing. */
  readonly isDone: boolean;
  /** True if an earlier call had begun the move. */
  readonly isResumed: boolean;
  /** Checksums of all tables, equal in source and target; empty if `isDone`. */
  readonly sums: readonly TableChecksum[];
}

/** Aimed size of a batch in bytes, and its limits in rows. Raw mail is stored in pieces of 256 KB. */
const BATCH = { bytes: 4 * 1024 * 1024, min: 16, max: 2000, first: 64 } as const;

/**
 * Moves a store from a source to a target. Copies the rows as they are stored: sealed values stay sealed. The source
 * cannot be opened after the first step of the move, and the target not before the last. So there is never more than
 * one usable store, at whatever moment the process is killed, and the same call continues the move. At the end, all
 * rows of both are read again and compared. `STORE_FAILED` if they differ; `USAGE` if the source contains no store;
 * `STORE_HALF_COPIED` if it is an incomplete copy; `CONFLICT` if a change of its keys is not finished, or if the target
 * contains other data; `STORE_MOVED` if the source was moved to a different target, or is being moved there;
 * `DATA_LOCKED` if a process uses the source or the target.
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

/**
 * Checks whether a move is possible and returns the rows per table of the source. Writes nothing. Errors as
 * `moveStore`.
 */
export async function tryMove(
  source: MoveEndpoint,
  target: MoveEndpoint | undefined,
): Promise<ReadonlyMap<TableName, number>> {
  const sourceFacts = await source.run(readCopyFacts(source.form));
  if (target !== undefined) moveState(source, target, sourceFacts, await target.run(readCopyFacts(target.form)));
  return sourceFacts.counts;
}

/**
 * Reopens the source of a move, finished or not. The caller makes sure that no process uses the target any more. False
 * if the store is not closed. `STORE_HALF_COPIED` for an incomplete copy.
 */
export async function reopenStore(endpoint: MoveEndpoint): Promise<boolean> {
  const { moving, copy } = await endpoint.run(readCopyFacts(endpoint.form));
  if (copy !== undefined) throw halfCopied(endpoint);
  if (moving === undefined) return false;
  await endpoint.run(dropMark('moving'));
  return true;
}

/** Finds out from the marks of source and target whether the move is new, begun or done. Errors as `moveStore`. */
function moveState(
  source: MoveEndpoint,
  target: MoveEndpoint,
  sourceFacts: CopyFacts,
  targetFacts: CopyFacts,
): 'new' | 'begun' | 'done' {
  if (sourceFacts.copy !== undefined) throw halfCopied(source);
  if (!sourceFacts.isStore || sourceFacts.id === '')
    throw new EngineError('USAGE', `there is no store in ${source.address}`, {
      hint: 'name the store to move with --from',
    });
  if (sourceFacts.isChangingKeys)
    throw new EngineError('CONFLICT', `a change of keys of ${source.address} is not finished`, {
      hint: 'finish it first: start Callsheet there once, or run callsheet key rotate',
    });
  const { moving } = sourceFacts;
  if (moving !== undefined && targetFacts.copied?.id === moving.id) return 'done';
  if (moving !== undefined && targetFacts.copy?.id === moving.id) return 'begun';
  if (moving !== undefined)
    throw new EngineError(
      'STORE_MOVED',
      `${source.address} was moved to ${moving.to}, or is being moved there, not to ${target.address}`,
      {
        hint: 'name that place with --to; callsheet migrate --reopen cancels the move, if no process uses that place',
      },
    );
  if (targetFacts.copy === undefined ? !isEmpty(targetFacts) : targetFacts.copy.of !== sourceFacts.id)
    throw new EngineError('CONFLICT', `${target.address} already contains other data`, {
      hint: 'name an empty database or a new folder with --to, or delete the data there',
    });
  return 'new';
}

/**
 * Tables with rows after a mere start of the engine: its secret, config, claims and counters. A target may contain
 * these.
 */
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

/** Copies all rows that are not copied yet. */
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

/** Reads all rows of a table after a key, in batches whose row count adapts to the size of the rows. */
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
    hint: 'somebody changed one of them meanwhile; callsheet migrate --reopen cancels the move, then start it again',
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
  return new EngineError('STORE_HALF_COPIED', `${address} is itself an incomplete copy`, {
    hint: 'complete it first: run the same callsheet migrate command again',
  });
}

function copyOfNewerVersion({ address }: MoveEndpoint): EngineError {
  return new EngineError('STORE_TOO_NEW', `a newer version began the copy in ${address}`, {
    hint: 'complete the copy with that version',
  });
}

function movedByAnotherProcess({ address }: MoveEndpoint): EngineError {
  return new EngineError('DATA_LOCKED', `another process is moving a store to ${address}`, {
    hint: 'wait until one of the two has finished',
  });
}

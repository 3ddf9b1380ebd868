import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../../base/error.ts';
import { createYielder } from '../../base/yielding.ts';
import { type BoundedRows, FIRST_ROWS, listBounded, MAX_PAGE_CHARACTERS, rowsWith } from '../../store/bounded-list.ts';
import type { TimeCursor } from '../../store/list-after.ts';
import { queryCount, queryText, type WithQuery } from './query.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Rows read for one page at most, while looking for matches; and how many, at least, before it ends by `maxMs`. */
const MAX_LOOKED_AT = 20_000;
const MIN_LOOKED_AT = 1000;
/** Rows read per batch: by the second one, at least, at most. A batch aims at `BATCH_MS` milliseconds, since rows differ in size. */
const BATCH = { second: 50, min: 5, max: 500 } as const;
const BATCH_MS = 10;

/** One page of a list; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** A position in a list: key values of the last row seen. */
export type PageCursor = readonly (string | number)[];

export interface PageRequest {
  readonly limit: number;
  /** Undefined for the first page. */
  readonly after: PageCursor | undefined;
}

/** A page of a list that is ordered by a time and an id. */
interface TimePage {
  readonly limit: number;
  readonly after: TimeCursor | undefined;
}

/**
 * Reads `?limit=` (1 to 200, default 50) and `?cursor=`. A cursor is valid only for the list that issued it, `list`. `shape`: the
 * types of its values. `BAD_REQUEST`.
 */
export function readPage(
  ctx: WithQuery,
  list: string,
  shape: readonly ('string' | 'number')[] = ['string'],
): PageRequest {
  const limit = queryCount(ctx, 'limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT)
    throw new EngineError('BAD_REQUEST', `"limit" must be 1 to ${MAX_LIMIT}, not ${limit}`);
  const cursor = queryText(ctx, 'cursor');
  return { limit, after: cursor === undefined ? undefined : readCursor(cursor, list, shape) };
}

/** `readPage` of a list that is ordered by a time and an id. */
export function readTimePage(ctx: WithQuery, list: string): TimePage {
  const { limit, after } = readPage(ctx, list, ['number', 'string']);
  return { limit, after: after && { at: Number(after[0]), id: String(after[1]) } };
}

/** Reads a page of a list that is ordered by a time and an id: `load` reads the rows after a cursor, and `cursor` gives that of a row. */
export async function pageByTime<R>(
  list: string,
  ctx: WithQuery,
  load: (rows: TimePage) => Promise<readonly R[]>,
  cursor: (row: R) => readonly [at: number, id: string],
): Promise<Page<R>> {
  const { limit, after } = readTimePage(ctx, list);
  const rows = await load({ limit: limit + 1, after });
  return pageOf(list, { limit }, rows, cursor, (shown) => shown);
}

/** Reads a `nextCursor` of a list. `BAD_REQUEST` for that of another list, and for anything else. */
export function readCursor(
  cursor: string,
  list: string,
  shape: readonly ('string' | 'number')[] = ['string'],
): PageCursor {
  const [of, ...place] = decode(cursor);
  if (of === list && place.length === shape.length && place.every((value, i) => typeof value === shape[i]))
    return place as PageCursor;
  throw new EngineError('BAD_REQUEST', '"cursor" does not belong to this list', {
    hint: 'send a nextCursor unchanged',
  });
}

function decode(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Builds a page from rows of which one more than `limit` was read, to know whether there is another page. */
export function pageOf<R, T>(
  list: string,
  { limit }: Pick<PageRequest, 'limit'>,
  rows: readonly R[],
  cursor: (row: R) => PageCursor,
  items: (rows: readonly R[]) => readonly T[],
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { items: items(shown), nextCursor: isMore ? cursorOf(list, cursor(last)) : null };
}

/** Builds a page from the rows of `listBounded`. */
export function boundedPage<R>(
  list: string,
  { rows, isMore }: BoundedRows<R>,
  cursor: (row: R) => PageCursor,
): Page<R> {
  const last = rows.at(-1);
  return { items: rows, nextCursor: isMore && last !== undefined ? cursorOf(list, cursor(last)) : null };
}

function bodySize(row: object): number {
  const body: unknown = Reflect.get(row, 'body');
  return typeof body === 'string' ? body.length : 0;
}

/** Encodes a cursor for `nextCursor`. */
export function cursorOf(list: string, cursor: PageCursor): string {
  return Buffer.from(JSON.stringify([list, ...cursor])).toString('base64url');
}

interface RowSource<R> extends PageRequest {
  /** Rows after an id (undefined: from the beginning), in the order of the list. */
  readonly load: (after: string | undefined, limit: number) => Promise<readonly R[]>;
  /** A condition without an index, checked row by row. */
  readonly accept?: (row: R) => boolean;
  /** Characters of a row. Default: those of its `body`. */
  readonly sizeOf?: (row: R) => number;
  /** Time of looking for rows that `accept` wants after which the page is returned short. Default: no limit. */
  readonly maxMs?: number;
}

/** `maxMs` of a search that somebody waits for while they type. */
export const SEARCH_MS = 150;

/**
 * Reads a page of rows by id. A page of large rows has fewer of them (`MAX_PAGE_CHARACTERS`). With `accept`, rows are read
 * in batches until the page is full, with other work in between. After 20,000 rows, or after `maxMs` and 1,000 rows, the page is
 * returned short, and its cursor continues from there.
 */
export async function pageOfRows<R extends { readonly id: string }>(
  list: string,
  source: RowSource<R>,
): Promise<Page<R>> {
  const { limit, load } = source;
  const after = source.after === undefined ? undefined : String(source.after[0]);
  const { sizeOf = bodySize } = source;
  if (source.accept === undefined) {
    const bounded = await listBounded<R>((row, count) => load(row?.id ?? after, count), { limit, sizeOf });
    return boundedPage(list, bounded, ({ id }) => [id]);
  }
  const { rows, next } = await findRows({ ...source, after, accept: source.accept, sizeOf });
  return { items: rows, nextCursor: next === undefined ? null : cursorOf(list, [next]) };
}

async function findRows<R extends { readonly id: string }>(options: {
  readonly limit: number;
  readonly after: string | undefined;
  readonly load: (after: string | undefined, limit: number) => Promise<readonly R[]>;
  readonly accept: (row: R) => boolean;
  readonly sizeOf: (row: R) => number;
  readonly maxMs?: number;
}): Promise<{ rows: R[]; next: string | undefined }> {
  const { maxMs = Infinity } = options;
  const rows: R[] = [];
  let characters = 0;
  let after = options.after;
  let size: number = FIRST_ROWS;
  const breathe = createYielder();
  const start = performance.now();
  for (let looked = 0; looked < MAX_LOOKED_AT;) {
    const began = performance.now();
    if (looked >= MIN_LOOKED_AT && began - start > maxMs) break;
    const batch = await options.load(after, size);
    looked += size;
    for (const row of batch) {
      await breathe();
      if (rows.length === options.limit || characters >= MAX_PAGE_CHARACTERS) return { rows, next: after };
      if (options.accept(row)) {
        rows.push(row);
        characters += options.sizeOf(row);
      }
      after = row.id;
    }
    if (batch.length < size) return { rows, next: undefined };
    const factor = performance.now() - began > BATCH_MS ? 0.5 : 2;
    const wanted = looked === FIRST_ROWS ? BATCH.second : Math.max(BATCH.min, Math.round(size * factor));
    const inBatch = batch.reduce((sum, row) => sum + options.sizeOf(row), 0);
    size = Math.min(BATCH.max, wanted, rowsWith(inBatch, batch.length));
    await setImmediate();
  }
  return { rows, next: after };
}

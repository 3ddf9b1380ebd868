import { setImmediate } from 'node:timers/promises';
import type { Reader, Row } from '../store/store.ts';
import { type BlockLayout, type BlockShape, idChunkOf, layoutOf, pieces, readIds, readChunks, SHAPE } from './block.ts';
import { slicesOfWords } from './grams.ts';
import type { Searched } from './search.ts';

/** Records without a block that are read at a time. More than there are once all full blocks are built. */
const WINDOW = 1024;
/** Blocks whose bits are read at a time: first, at most. */
const BLOCKS = { first: 1, max: 16 } as const;
/** Slices that are read of every block; and how many records a block has for each position that is worth no further slices, since reading that record costs as much. */
const FIRST_SLICES = 4;
const RECORDS_PER_POSITION = 2048;
/** Chunks with ids that are read at a time. */
const ID_BATCH = 16;

/** Options of `searchCandidates`. */
export interface CandidateOptions {
  /** Only ids before this one; undefined for all. */
  readonly before: string | undefined;
  readonly shape?: BlockShape;
}

/**
 * Ids of records that may contain all of these words (in small letters), the newest first, each once; a record that contains them is
 * always among them. Undefined if the words are too short for the index.
 *
 * A record moves from `searchAdded` to a block in one commit, and back before its block is dropped, so its id is in one of both at any
 * time: the list of blocks is read before and after what has no block, for the same range of ids.
 */
export function searchCandidates(
  reader: Reader,
  searched: Searched,
  words: readonly string[],
  { before, shape = SHAPE }: CandidateOptions,
): AsyncGenerator<string, void> | undefined {
  const slices = slicesOfWords(words);
  return slices.length === 0 ? undefined : windows({ reader, searched, shape }, slices, before);
}

interface Search {
  readonly reader: Reader;
  readonly searched: Searched;
  readonly shape: BlockShape;
}

async function* windows(
  search: Search,
  slices: readonly number[],
  before: string | undefined,
): AsyncGenerator<string, void> {
  const { kind } = search.searched;
  for (let end = before; ;) {
    // Records also leave a block that is dropped: then they are in one of the blocks before, which fall back on the records themselves.
    const old = await blocksBefore(search, end);
    const added = await search.reader.list('searchAdded', {
      where: [['kind', '=', kind], ...(end === undefined ? [] : [['id', '<', end] as const])],
      order: [['id', 'desc']],
      limit: WINDOW,
    });
    const begin = added.length < WINDOW ? '' : (added.at(-1)?.id ?? '');
    const all = new Map([...old, ...(await blocksBefore(search, end))].map((block) => [block.id, block]));
    const blocks = [...all.values()]
      .filter(({ lastId }) => lastId >= begin)
      .sort((a, b) => (a.lastId < b.lastId ? 1 : a.lastId > b.lastId ? -1 : 0));
    const isInside = (id: string) => id >= begin && (end === undefined || id < end);
    const found = matches(search, slices, blocks);
    yield* merged(
      added.map(({ id }) => id),
      blocks,
      found,
      isInside,
    );
    if (begin === '') return;
    end = begin;
  }
}

/** The blocks with ids before this one. */
function blocksBefore({ reader, searched }: Search, end: string | undefined): Promise<Row<'searchBlock'>[]> {
  return reader.list('searchBlock', {
    where: [
      ['kind', '=', searched.kind],
      ['state', '=', 'ready'],
      ...(end === undefined ? [] : [['firstId', '<', end] as const]),
    ],
  });
}

/**
 * Merges ids without a block and those of the blocks, which are ordered by their largest id. An id is passed on once no block that was
 * not read yet can have a larger one.
 */
async function* merged(
  added: readonly string[],
  blocks: readonly Row<'searchBlock'>[],
  found: AsyncGenerator<string[], void>,
  isInside: (id: string) => boolean,
): AsyncGenerator<string, void> {
  let waiting = [...added];
  let last = '';
  for (let at = 0; at <= blocks.length; at++) {
    const next = blocks[at]?.lastId ?? '';
    const isKept = waiting.findIndex((id) => id <= next);
    const end = isKept < 0 ? waiting.length : isKept;
    for (const id of waiting.slice(0, end)) {
      if (id !== last) yield id;
      last = id;
    }
    waiting = waiting.slice(end);
    const { value } = await found.next();
    if (value === undefined) continue;
    const more = value.filter((id) => id !== '' && isInside(id));
    if (more.length > 0) waiting = [...waiting, ...more].sort().reverse();
  }
}

/** The ids of the records of each block, block by block, that have a bit in all slices. */
async function* matches(
  search: Search,
  slices: readonly number[],
  blocks: readonly Row<'searchBlock'>[],
): AsyncGenerator<string[], void> {
  let count: number = BLOCKS.first;
  for (let at = 0; at < blocks.length;) {
    const size = blocks[at]?.size ?? 0;
    const isOther = blocks.findIndex((block, n) => n > at && block.size !== size);
    const batch = blocks.slice(at, Math.min(at + count, isOther < 0 ? blocks.length : isOther));
    at += batch.length;
    count = Math.min(BLOCKS.max, 2 * count);
    const columns = await readColumns(search, slices, batch);
    for (const [nth, block] of batch.entries()) yield await idsAt(search, block, columns[nth] ?? []);
    await setImmediate();
  }
}

/**
 * For each block the positions that have a bit in all slices, and some more where only a few are left after the first slices. What of a
 * block cannot be read leaves no record out.
 */
async function readColumns(
  { reader, shape }: Search,
  slices: readonly number[],
  blocks: readonly Row<'searchBlock'>[],
): Promise<number[][]> {
  const layout = layoutOf(blocks[0]?.size ?? 0, shape);
  const columns = blocks.map(({ id }) => ({ id, bits: new Uint8Array(layout.sliceBytes).fill(0xff) }));
  await keepMatches(reader, slices.slice(0, FIRST_SLICES), columns, layout);
  const many = columns.filter(({ bits }) => positionsIn(bits).length > layout.size / RECORDS_PER_POSITION);
  if (many.length > 0) await keepMatches(reader, slices.slice(FIRST_SLICES), many, layout);
  return columns.map(({ bits }) => positionsIn(bits));
}

/** Clears the bits of positions that lack a bit in one of the slices. */
async function keepMatches(
  reader: Reader,
  slices: readonly number[],
  columns: readonly { readonly id: number; readonly bits: Uint8Array }[],
  { sliceBytes, slicesPerChunk }: BlockLayout,
): Promise<void> {
  const chunkOf = (slice: number) => Math.floor(slice / slicesPerChunk);
  const ids = columns.map(({ id }) => id);
  const chunks = await readChunks(reader, ids, [...new Set(slices.map(chunkOf))]);
  for (const { id, bits } of columns)
    for (const slice of slices) {
      const body = chunks.get(id)?.get(chunkOf(slice));
      if (body?.length !== sliceBytes * slicesPerChunk) continue;
      const from = (slice % slicesPerChunk) * sliceBytes;
      for (let n = 0; n < sliceBytes; n++) bits[n]! &= body[from + n]!;
    }
}

/** Positions of the bits that are set. */
function positionsIn(bits: Uint8Array): number[] {
  const found: number[] = [];
  for (let n = 0; n < bits.length; n++)
    for (let rest = bits[n] ?? 0, bit = 0; rest > 0; rest >>= 1, bit++) if ((rest & 1) === 1) found.push(8 * n + bit);
  return found;
}

/** The ids at these positions of a block; those of all records between its first and its last one if its own cannot be read. */
async function idsAt(
  { reader, searched, shape }: Search,
  { id, size, firstId, lastId }: Row<'searchBlock'>,
  positions: readonly number[],
): Promise<string[]> {
  const layout = layoutOf(size, shape);
  const needed = [...new Set(positions.map((position) => idChunkOf(position, layout)))];
  const ids = new Map<number, string[]>();
  for (const some of pieces(needed, ID_BATCH))
    for (const [chunk, body] of (await readChunks(reader, [id], some)).get(id) ?? []) ids.set(chunk, readIds(body));
  if (ids.size < needed.length) return idsBetween(reader, searched, firstId, lastId);
  return positions.map((position) => ids.get(idChunkOf(position, layout))?.[position % layout.idsPerChunk] ?? '');
}

async function idsBetween(reader: Reader, { list }: Searched, first: string, last: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const rows = await list(reader, {
      where: [
        ['id', '>=', first],
        ['id', '>', after],
        ['id', '<=', last],
      ],
      order: [['id', 'asc']],
      limit: WINDOW,
      bodies: false,
    });
    ids.push(...rows.map(({ id }) => id));
    after = rows.at(-1)?.id ?? after;
    if (rows.length < WINDOW) return ids;
    await setImmediate();
  }
}

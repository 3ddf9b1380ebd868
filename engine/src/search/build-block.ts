import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../base/error.ts';
import { createYielder } from '../base/yielding.ts';
import { FIRST_ROWS, rowsOfStep } from '../store/bounded-list.ts';
import type { DamagedRow } from '../store/damaged-row.ts';
import type { Change, Reader, Row, Store } from '../store/store.ts';
import {
  type BlockLayout,
  type BlockShape,
  idChunks,
  layoutOf,
  pieces,
  putChunk,
  readChunks,
  sliceChunks,
  writeIds,
} from './block.ts';
import { markTexts, SLICES } from './grams.ts';
import type { IndexCommits } from './index-commits.ts';
import type { Searched, SearchedRow } from './search.ts';

/** Records that are read at a time, at most, and chunks that are written in one commit: a few milliseconds each. */
const RECORDS = 16;
const CHUNKS = 32;

/** `STORE_DAMAGED`: a chunk of a block cannot be read, so that the index has to be made anew. */
export function damagedBlock(block: number): EngineError {
  return new EngineError('STORE_DAMAGED', `block ${block} of the search index cannot be read`, {
    hint: 'the engine makes the index anew',
  });
}

/** What building needs. Rejects with the reason of `signal` between two commits. */
export interface Building {
  readonly store: Store;
  readonly searched: Searched;
  readonly commits: IndexCommits;
  readonly shape: BlockShape;
  readonly signal: AbortSignal;
}

/** Makes a small block of settled records in `searchAdded`; `ids` are as many as it has, in their order. */
export async function buildSmallBlock(building: Building, ids: readonly string[]): Promise<void> {
  const layout = layoutOf(ids.length, building.shape);
  const block = await beginBlock(building, ids.length, { firstId: ids[0] ?? '', lastId: ids.at(-1) ?? '' });
  const bits = await bitsOf(building, ids, layout);
  const chunkBytes = layout.sliceBytes * layout.slicesPerChunk;
  const changes = [
    ...sliceChunks(layout).map((chunk) =>
      putChunk(block, chunk, bits.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes)),
    ),
    ...idChunks(layout).map((chunk, n) =>
      putChunk(block, chunk, writeIds(ids.slice(n * layout.idsPerChunk, (n + 1) * layout.idsPerChunk))),
    ),
  ];
  for (const some of pieces(changes, CHUNKS)) await commit(building, some);
  await commit(building, [
    setState(block, 'ready'),
    ...ids.map((id): Change => ({ op: 'delete', table: 'searchAdded', where: { kind: building.searched.kind, id } })),
  ]);
}

/** Merges small blocks, as many as a large one has, and drops them. `STORE_DAMAGED`. */
export async function mergeBlocks(building: Building, blocks: readonly Row<'searchBlock'>[]): Promise<void> {
  const { store, shape } = building;
  const [small, large] = [layoutOf(shape.small, shape), layoutOf(shape.small * shape.factor, shape)];
  const block = await beginBlock(building, large.size, {
    firstId: blocks.map(({ firstId }) => firstId).toSorted()[0] ?? '',
    lastId:
      blocks
        .map(({ lastId }) => lastId)
        .toSorted()
        .at(-1) ?? '',
  });
  for (const chunk of sliceChunks(small)) {
    const bodies = await bodiesOf(store, blocks, chunk, small.sliceBytes * small.slicesPerChunk);
    const slices = Array.from({ length: small.slicesPerChunk }, (_, n) =>
      Buffer.concat(bodies.map((body) => body.subarray(n * small.sliceBytes, (n + 1) * small.sliceBytes))),
    );
    await commit(
      building,
      slices.map((slice, n) => putChunk(block, chunk * small.slicesPerChunk + n, slice)),
    );
  }
  const of = idChunks(small);
  for (const [nth, chunk] of of.entries()) {
    const bodies = await bodiesOf(store, blocks, chunk);
    await commit(
      building,
      bodies.map((body, n) => putChunk(block, (of[0] ?? 0) + n * of.length + nth, body)),
    );
  }
  await commit(building, [setState(block, 'ready'), ...blocks.map(({ id }) => setState(id, 'dropped'))]);
}

/** Deletes the chunks of a block, then the block. */
export async function deleteBlock(building: Building, block: number): Promise<void> {
  for (;;) {
    const rows = await building.store.list('searchChunk', {
      where: [['block', '=', block]],
      limit: 4 * CHUNKS,
      bodies: false,
    });
    if (rows.length === 0) break;
    await commit(
      building,
      rows.map(({ chunk }): Change => ({ op: 'delete', table: 'searchChunk', where: { block, chunk } })),
    );
  }
  await commit(building, [{ op: 'delete', table: 'searchBlock', where: { id: block } }]);
}

/** Commits, and leaves the event loop to others before the next one. */
export async function commit({ commits, signal }: Building, changes: readonly Change[]): Promise<void> {
  signal.throwIfAborted();
  await commits.apply(changes);
  await setImmediate();
}

/** The change that sets the state of a block. */
export function setState(id: number, state: 'ready' | 'dropped'): Change {
  return { op: 'update', table: 'searchBlock', key: { id }, set: { state } };
}

async function beginBlock(
  building: Building,
  size: number,
  range: Pick<Row<'searchBlock'>, 'firstId' | 'lastId'>,
): Promise<number> {
  const id = building.commits.nextBlock;
  const { kind } = building.searched;
  await commit(building, [
    { op: 'insert', table: 'searchBlock', row: { id, kind, state: 'building', size, ...range } },
  ]);
  return id;
}

/**
 * All slices of these records. One that cannot be read has all bits, so that a search reads it and names the damage; one that was deleted
 * meanwhile has none.
 */
async function bitsOf(
  { store, searched, signal }: Building,
  ids: readonly string[],
  { sliceBytes }: BlockLayout,
): Promise<Uint8Array> {
  const bits = new Uint8Array(SLICES * sliceBytes);
  const breathe = createYielder();
  let count = FIRST_ROWS;
  for (let at = 0; at < ids.length;) {
    signal.throwIfAborted();
    const some = ids.slice(at, at + count);
    const damaged = new Set<string>();
    const onDamaged = ({ key }: DamagedRow) => void damaged.add(key);
    const rows = await searched.list(store, { where: [['id', 'in', some]], onDamaged });
    const byId = new Map(rows.map((row) => [row.id, row]));
    count = rowsOfStep(rows, RECORDS);
    for (const [n, id] of some.entries()) {
      const position = at + n;
      const mark = (slice: number) => void (bits[slice * sliceBytes + (position >> 3)]! |= 1 << (position & 7));
      await breathe();
      const row = byId.get(id);
      if (row !== undefined) await markRow(searched, row, mark, breathe);
      else if (damaged.has(id)) markAll(mark);
    }
    at += some.length;
    await setImmediate();
  }
  return bits;
}

async function markRow(
  { textsOf }: Searched,
  row: SearchedRow,
  mark: (slice: number) => void,
  breathe: () => Promise<void> | undefined,
): Promise<void> {
  let texts: readonly string[];
  try {
    texts = textsOf(row);
  } catch {
    return markAll(mark);
  }
  // The body may be that of another program: valid JSON without the fields of a record.
  if (texts.some((text: unknown) => typeof text !== 'string')) return markAll(mark);
  await markTexts(texts, mark, breathe);
}

function markAll(mark: (slice: number) => void): void {
  for (let slice = 0; slice < SLICES; slice++) mark(slice);
}

async function bodiesOf(
  reader: Reader,
  blocks: readonly Row<'searchBlock'>[],
  chunk: number,
  bytes?: number,
): Promise<Uint8Array[]> {
  const found = await readChunks(
    reader,
    blocks.map(({ id }) => id),
    [chunk],
  );
  return blocks.map(({ id }) => {
    const body = found.get(id)?.get(chunk);
    if (body === undefined || (bytes !== undefined && body.length !== bytes)) throw damagedBlock(id);
    return body;
  });
}

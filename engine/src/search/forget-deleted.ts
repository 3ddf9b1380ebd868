import { setImmediate } from 'node:timers/promises';
import type { Row } from '../store/store.ts';
import {
  type BlockLayout,
  idChunks,
  layoutOf,
  pieces,
  putChunk,
  readIds,
  readChunks,
  sliceChunks,
  writeIds,
} from './block.ts';
import { type Building, commit, damagedBlock, setState } from './build-block.ts';
import { addToIndex } from './search.ts';

/** Deleted records that are handled together, as many as a large block has, so that it is written once for all of them. */
const DELETED = 16_384;
/** Rows that are read, and changes that are committed, at a time. */
const ROWS = 512;
const CHUNKS = 16;
/** A block of which only this share is left is dropped, and what is left waits for another block. */
const LEFT = 1 / 8;

/** Removes the bits of deleted records from their blocks, since they tell which words such a record had. `STORE_DAMAGED`. */
export async function forgetDeleted(building: Building): Promise<void> {
  const { store, searched, shape } = building;
  const { kind } = searched;
  for (;;) {
    const ids = await deletedIds(building);
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined) return;
    const blocks = await store.list('searchBlock', {
      where: [
        ['kind', '=', kind],
        ['state', '=', 'ready'],
        ['firstId', '<=', last],
        ['lastId', '>=', first],
      ],
    });
    const deleted = new Set(ids);
    for (const block of blocks) await forgetIn(building, block, deleted, layoutOf(block.size, shape));
    for (const some of pieces(ids, ROWS))
      await commit(
        building,
        some.map((id) => ({ op: 'delete', table: 'searchDeleted', where: { kind, id } })),
      );
  }
}

async function deletedIds({ store, searched, signal }: Building): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < DELETED) {
    signal.throwIfAborted();
    const rows = await store.list('searchDeleted', {
      where: [
        ['kind', '=', searched.kind],
        ['id', '>', ids.at(-1) ?? ''],
      ],
      order: [['id', 'asc']],
      limit: ROWS,
    });
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < ROWS) break;
    await setImmediate();
  }
  return ids;
}

async function forgetIn(
  building: Building,
  { id: block }: Row<'searchBlock'>,
  deleted: ReadonlySet<string>,
  layout: BlockLayout,
): Promise<void> {
  const idsOf = new Map<number, string[]>();
  for (const [chunk, body] of await readAll(building, block, idChunks(layout))) idsOf.set(chunk, readIds(body));
  const left = [...idsOf.values()].flat().filter((id) => id !== '' && !deleted.has(id));
  const hasDeleted = [...idsOf.values()].some((ids) => ids.some((id) => deleted.has(id)));
  if (!hasDeleted) return;
  if (left.length <= layout.size * LEFT) return dropBlock(building, block, left);
  const kept = new Uint8Array(layout.sliceBytes).fill(0xff);
  for (const [chunk, ids] of idsOf)
    for (const [n, id] of ids.entries()) {
      if (!deleted.has(id)) continue;
      const position = (chunk - (idChunks(layout)[0] ?? 0)) * layout.idsPerChunk + n;
      kept[position >> 3]! &= ~(1 << (position & 7));
    }
  for (const some of pieces(sliceChunks(layout), CHUNKS)) {
    const found = await readAll(building, block, some);
    const changes = [...found].map(([chunk, body]) =>
      putChunk(
        block,
        chunk,
        body.map((byte, n) => byte & (kept[n % kept.length] ?? 0)),
      ),
    );
    await commit(building, changes);
  }
  // Last, so that an update that dies before it does all this again.
  const changed = [...idsOf].filter(([, ids]) => ids.some((id) => deleted.has(id)));
  for (const some of pieces(changed, CHUNKS))
    await commit(
      building,
      some.map(([chunk, ids]) => putChunk(block, chunk, writeIds(ids.map((id) => (deleted.has(id) ? '' : id))))),
    );
}

async function dropBlock(building: Building, block: number, left: readonly string[]): Promise<void> {
  const { kind } = building.searched;
  for (const some of pieces(left, ROWS))
    await commit(
      building,
      some.map((id) => addToIndex(kind, id, true)),
    );
  await commit(building, [setState(block, 'dropped')]);
}

async function readAll(
  { store, signal }: Building,
  block: number,
  chunks: readonly number[],
): Promise<Map<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>();
  for (const some of pieces(chunks, CHUNKS)) {
    signal.throwIfAborted();
    for (const [chunk, body] of (await readChunks(store, [block], some)).get(block) ?? []) found.set(chunk, body);
    await setImmediate();
  }
  if (found.size < chunks.length) throw damagedBlock(block);
  return found;
}

import { setImmediate } from 'node:timers/promises';
import { isDamage } from '../../store/damaged-row.ts';
import type { Row, Store } from '../../store/store.ts';
import {
  type BlockLayout,
  type BlockShape,
  idChunks,
  layoutOf,
  pieces,
  putChunk,
  readIds,
  readChunks,
  SHAPE,
  sliceChunks,
} from './block.ts';
import {
  type Building,
  buildSmallBlock,
  commit,
  damagedBlock,
  deleteBlock,
  mergeBlocks,
  setState,
} from './build-block.ts';
import { IndexCommits } from './index-commits.ts';

/** Deleted mails and chunks that are handled at a time. */
const DELETED = 256;
const CHUNKS = 16;

/** Options of `updateIndex`. */
export interface UpdateOptions {
  readonly signal: AbortSignal;
  readonly shape?: BlockShape;
}

/**
 * Brings the search index up to date: makes blocks of mails that have none, merges small blocks, and removes the bits of deleted mails.
 * Each step is a commit of its own, after which the process may die, and each leaves the event loop to others. `STORE_CONFLICT` if another
 * process does the same. An index that is damaged is made anew.
 */
export async function updateIndex(store: Store, { signal, shape = SHAPE }: UpdateOptions): Promise<void> {
  if (!(await hasWork(store, shape))) return;
  const building = { store, signal, shape, commits: await IndexCommits.open(store) };
  try {
    await finishOthers(building);
    await forgetDeleted(building);
    await buildBlocks(building);
  } catch (error) {
    if (!isDamage(error)) throw error;
    await startAnew(building);
    await finishOthers(building);
    await buildBlocks(building);
  }
}

async function hasWork(store: Store, { small, factor }: BlockShape): Promise<boolean> {
  const added = await store.list('searchAdded', { limit: small });
  if (added.length === small || (await store.list('searchDeleted', { limit: 1 })).length > 0) return true;
  const blocks = await store.list('searchBlock');
  return blocks.some(({ state }) => state !== 'ready') || blocks.filter(({ size }) => size === small).length >= factor;
}

/** Deletes the blocks that were merged, and those that a process began before it died. */
async function finishOthers(building: Building): Promise<void> {
  for (const { id } of await building.store.list('searchBlock', { where: [['state', '!=', 'ready']] }))
    await deleteBlock(building, id);
}

async function buildBlocks(building: Building): Promise<void> {
  const { store, shape } = building;
  for (;;) {
    const blocks = await store.list('searchBlock', {
      where: [
        ['state', '=', 'ready'],
        ['size', '=', shape.small],
      ],
      order: [['lastMail', 'asc']],
    });
    if (blocks.length >= shape.factor) {
      await mergeBlocks(building, blocks.slice(0, shape.factor));
      continue;
    }
    const added = await store.list('searchAdded', { order: [['mail', 'asc']], limit: shape.small });
    if (added.length < shape.small) return;
    await buildSmallBlock(
      building,
      added.map(({ mail }) => mail),
    );
  }
}

/** Removes the bits of deleted mails from their blocks, since they tell which words such a mail had. */
async function forgetDeleted(building: Building): Promise<void> {
  const { store, shape } = building;
  for (;;) {
    const rows = await store.list('searchDeleted', { order: [['mail', 'asc']], limit: DELETED });
    const [first, last] = [rows[0]?.mail, rows.at(-1)?.mail];
    if (first === undefined || last === undefined) return;
    const blocks = await store.list('searchBlock', {
      where: [
        ['state', '=', 'ready'],
        ['firstMail', '<=', last],
        ['lastMail', '>=', first],
      ],
    });
    const mails = new Set(rows.map(({ mail }) => mail));
    for (const block of blocks) await clearMails(building, block, mails, layoutOf(block.size, shape));
    await commit(
      building,
      rows.map(({ mail }) => ({ op: 'delete', table: 'searchDeleted', where: { mail } })),
    );
  }
}

async function clearMails(
  building: Building,
  { id }: Row<'searchBlock'>,
  mails: ReadonlySet<string>,
  layout: BlockLayout,
): Promise<void> {
  const kept = new Uint8Array(layout.sliceBytes).fill(0xff);
  let isFound = false;
  for (const [chunk, body] of await readAll(building, id, idChunks(layout)))
    for (const [n, mail] of readIds(body).entries()) {
      if (!mails.has(mail)) continue;
      const position = (chunk - (idChunks(layout)[0] ?? 0)) * layout.idsPerChunk + n;
      kept[position >> 3]! &= ~(1 << (position & 7));
      isFound = true;
    }
  if (!isFound) return;
  for (const some of pieces(sliceChunks(layout), CHUNKS)) {
    const found = await readAll(building, id, some);
    const changes = [...found].map(([chunk, body]) =>
      putChunk(
        id,
        chunk,
        body.map((byte, n) => byte & (kept[n % kept.length] ?? 0)),
      ),
    );
    await commit(building, changes);
  }
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

/** Puts all mails back to those without a block, then drops all blocks. */
async function startAnew(building: Building): Promise<void> {
  const { store, shape } = building;
  for (let after = ''; ;) {
    const rows = await store.list('mail', {
      where: [['id', '>', after]],
      order: [['id', 'asc']],
      limit: shape.small,
      bodies: false,
    });
    await commit(
      building,
      rows.flatMap(({ id, state }) =>
        state === 'kept' ? [{ op: 'put', table: 'searchAdded', row: { mail: id } } as const] : [],
      ),
    );
    after = rows.at(-1)?.id ?? after;
    if (rows.length < shape.small) break;
  }
  const blocks = await store.list('searchBlock');
  await commit(
    building,
    blocks.map(({ id }) => setState(id, 'dropped')),
  );
}

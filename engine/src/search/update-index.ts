import { isDamage } from '../store/damaged-row.ts';
import type { Store } from '../store/store.ts';
import { type BlockShape, SHAPE } from './block.ts';
import { type Building, buildSmallBlock, commit, deleteBlock, mergeBlocks, setState } from './build-block.ts';
import { forgetDeleted } from './forget-deleted.ts';
import { IndexCommits } from './index-commits.ts';
import { addToIndex, type Searched, type SearchKind } from './search.ts';

/** Options of `updateIndex`. */
export interface UpdateOptions {
  readonly signal: AbortSignal;
  readonly shape?: BlockShape;
}

/**
 * Brings the search index over the records of one kind up to date: makes blocks of settled records that have none, merges small blocks, and removes the bits of deleted records.
 * Each step is a commit of its own, after which the process may die, and each leaves the event loop to others. `STORE_CONFLICT` if another
 * process does the same. An index that is damaged is made anew.
 */
export async function updateIndex(
  store: Store,
  searched: Searched,
  { signal, shape = SHAPE }: UpdateOptions,
): Promise<void> {
  if (!(await hasWork(store, searched, shape))) return;
  const building = { store, searched, signal, shape, commits: await IndexCommits.open(store) };
  try {
    await forgetDeleted(building);
    await finishOthers(building);
    await buildBlocks(building);
  } catch (error) {
    if (!isDamage(error)) throw error;
    await startAnew(building);
    await finishOthers(building);
    await buildBlocks(building);
  }
}

async function hasWork(store: Store, { kind }: Searched, { small, factor }: BlockShape): Promise<boolean> {
  const deleted = await store.list('searchDeleted', { where: [['kind', '=', kind]], limit: 1 });
  if (deleted.length > 0 || (await settledIds(store, kind, small)).length === small) return true;
  const blocks = await store.list('searchBlock', { where: [['kind', '=', kind]] });
  return blocks.some(({ state }) => state !== 'ready') || blocks.filter(({ size }) => size === small).length >= factor;
}

/** Ids of settled records without a block, the oldest first. */
async function settledIds(store: Store, kind: SearchKind, limit: number): Promise<string[]> {
  const rows = await store.list('searchAdded', {
    where: [
      ['kind', '=', kind],
      ['settled', '=', 1],
    ],
    order: [['id', 'asc']],
    limit,
  });
  return rows.map(({ id }) => id);
}

/** Deletes the blocks that were merged or emptied, and those that a process began before it died. */
async function finishOthers(building: Building): Promise<void> {
  const { store, searched } = building;
  const blocks = await store.list('searchBlock', {
    where: [
      ['kind', '=', searched.kind],
      ['state', '!=', 'ready'],
    ],
  });
  for (const { id } of blocks) await deleteBlock(building, id);
}

async function buildBlocks(building: Building): Promise<void> {
  const { store, searched, shape } = building;
  for (;;) {
    const blocks = await store.list('searchBlock', {
      where: [
        ['kind', '=', searched.kind],
        ['state', '=', 'ready'],
        ['size', '=', shape.small],
      ],
      order: [['lastId', 'asc']],
    });
    if (blocks.length >= shape.factor) {
      await mergeBlocks(building, blocks.slice(0, shape.factor));
      continue;
    }
    const ids = await settledIds(store, searched.kind, shape.small);
    if (ids.length < shape.small) return;
    await buildSmallBlock(building, ids);
  }
}

/** Puts all records back to those without a block, then drops all blocks. */
async function startAnew(building: Building): Promise<void> {
  const { store, searched, shape } = building;
  for (let after = ''; ;) {
    const rows = await searched.list(store, {
      where: [['id', '>', after]],
      order: [['id', 'asc']],
      limit: shape.small,
      bodies: false,
    });
    await commit(
      building,
      rows.map(({ id }) => addToIndex(searched.kind, id, true)),
    );
    after = rows.at(-1)?.id ?? after;
    if (rows.length < shape.small) break;
  }
  const blocks = await store.list('searchBlock', { where: [['kind', '=', searched.kind]] });
  await commit(
    building,
    blocks.map(({ id }) => setState(id, 'dropped')),
  );
}

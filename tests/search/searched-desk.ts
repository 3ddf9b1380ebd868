import { expect } from 'vitest';
import { SHAPE } from '../../engine/src/search/block.ts';
import { updateIndex } from '../../engine/src/search/update-index.ts';
import { type Desk, openDesk } from '../api/harness.ts';
import type { Records } from './records.ts';

/** Records of an indexed desk: a block, and some that have none yet. */
export const COUNT = SHAPE.small + 90;

/** A desk with `COUNT` records and their index. */
export async function openIndexedDesk({ searched, add, letters }: Records): Promise<Desk> {
  const desk = await openDesk();
  const { store } = desk.stage.app.deps;
  await add(store, ...letters(0, COUNT));
  await updateIndex(store, searched, { signal: new AbortController().signal });
  expect(await store.count('searchBlock', [['state', '=', 'ready']])).toBe(1);
  return desk;
}

/** What a list answers to a query. */
export async function foundBy(desk: Desk, path: string) {
  const { json } = await desk.get(path);
  return { ids: json.items.map(({ id }) => id), cursor: json.nextCursor, damaged: Reflect.get(json, 'damaged') };
}

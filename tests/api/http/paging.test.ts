import { expect, test } from 'vitest';
import { pageOfRows } from '../../../engine/src/api/http/paging.ts';

const ROWS = Array.from({ length: 3000 }, (_, n) => ({ id: String(n).padStart(4, '0') }));
const RARE = ROWS.filter(({ id }) => id.endsWith('999'));

/** Searches for rare rows that each take so long to read; returns them and the sizes of the batches. */
async function search(msPerRow: number) {
  const sizes: number[] = [];
  const load = (after: string | undefined, limit: number) => {
    const from = after === undefined ? 0 : Number(after) + 1;
    const rows = ROWS.slice(from, from + limit);
    sizes.push(limit);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, rows.length * msPerRow);
    return Promise.resolve(rows);
  };
  const accept = ({ id }: { readonly id: string }) => id.endsWith('999');
  const { items, nextCursor } = await pageOfRows('rows', { limit: 10, after: undefined, load, accept });
  expect(nextCursor).toBeNull();
  return { items, sizes };
}

test('a search for a rare word reads rows that are slow to read in batches of a few milliseconds', async () => {
  const { items, sizes } = await search(0.4);
  expect(items).toEqual(RARE);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
});

test('a search reads rows that are fast to read in batches that grow', async () => {
  const { items, sizes } = await search(0);
  expect(items).toEqual(RARE);
  expect(Math.max(...sizes)).toBeGreaterThan(100);
});

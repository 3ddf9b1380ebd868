import { expect, test, vi } from 'vitest';
import { pageOfRows, readCursor } from '../../../engine/src/api/http/paging.ts';

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

test('large rows are read one by one, from the second read on', async () => {
  const read: number[] = [];
  const load = (after: string | undefined, limit: number) => {
    const from = after === undefined ? 0 : Number(after) + 1;
    const rows = ROWS.slice(from, Math.min(from + limit, 30));
    read.push(rows.length);
    return Promise.resolve(rows);
  };
  const accept = ({ id }: { readonly id: string }) => id === '0029';
  const page = await pageOfRows('rows', { limit: 10, after: undefined, load, accept, sizeOf: () => 2_000_000 });
  expect(page.items.map(({ id }) => id)).toEqual(['0029']);
  expect(read.slice(0, 3)).toEqual([2, 1, 1]);
  expect(Math.max(...read)).toBe(2);
});

test('a search that takes long returns a short page with a cursor, and the pages together have all rows', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  let looked = 0;
  const load = (after: string | undefined, limit: number) => {
    const from = after === undefined ? 0 : Number(after) + 1;
    const rows = ROWS.slice(from, from + limit);
    looked += rows.length;
    now += rows.length;
    return Promise.resolve(rows);
  };
  const accept = ({ id }: { readonly id: string }) => id.endsWith('999');
  const pages: string[][] = [];
  for (let after: readonly string[] | undefined; ;) {
    looked = 0;
    const page = await pageOfRows('rows', { limit: 10, after, load, accept, maxMs: 150 });
    pages.push(page.items.map(({ id }) => id));
    if (page.nextCursor === null) break;
    expect(looked).toBeGreaterThanOrEqual(1000);
    expect(looked).toBeLessThan(1100);
    after = readCursor(page.nextCursor, 'rows').map(String);
  }
  clock.mockRestore();
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toEqual(RARE.map(({ id }) => id));
});

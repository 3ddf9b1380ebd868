import { expect, test } from 'vitest';
import { CommitQueue } from '../../engine/src/store/commit-queue.ts';
import type { Change } from '../../engine/src/store/store.ts';

const list = (name: string): Change[] => [{ op: 'delete', table: 'meta', where: { name } }];

/** A queue of 64 lists whose commits fail while they contain the list 'bad'. */
async function commitWithOneBad(isListAtFault?: (error: unknown) => boolean) {
  const sizes: number[] = [];
  const queue = new CommitQueue(async (lists) => {
    sizes.push(lists.length);
    await Promise.resolve();
    if (JSON.stringify(lists).includes('bad')) throw new Error('a bad list');
  }, isListAtFault);
  const names = Array.from({ length: 64 }, (_, n) => (n === 20 ? 'bad' : `list ${n}`));
  const results = await Promise.allSettled(names.map((name) => queue.add(list(name))));
  return { sizes, failed: names.filter((_, n) => results[n]?.status === 'rejected') };
}

test('a bad list fails alone, after two commits for each time that its batch is halved', async () => {
  const { sizes, failed } = await commitWithOneBad();
  expect(failed).toEqual(['bad']);
  expect(sizes).toHaveLength(1 + 2 * Math.log2(64));
});

test('an error that no list caused fails the batch without another attempt', async () => {
  const { sizes, failed } = await commitWithOneBad(() => false);
  expect(failed).toHaveLength(64);
  expect(sizes).toEqual([64]);
});

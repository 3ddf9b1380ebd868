import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { insertRun } from '../../../../engine/src/run/run.ts';
import { SHAPE } from '../../../../engine/src/search/block.ts';
import type { Store } from '../../../../engine/src/store/store.ts';
import { endRun, openRun, RUNS } from '../../../search/records.ts';
import { COUNT, foundBy, openIndexedDesk } from '../../../search/searched-desk.ts';
import type { Desk } from '../../harness.ts';

const { damage, idOf, letters } = RUNS;
let desk: Desk;
let store: Store;
beforeAll(async () => {
  desk = await openIndexedDesk(RUNS);
  ({ store } = desk.stage.app.deps);
});
afterAll(() => desk.close());

const found = (query: string) => foundBy(desk, `/api/runs?${query}`);

test('a search for a rare word reads few runs, whether they have a block or wait for one', async () => {
  const list = vi.spyOn(store, 'list');
  for (const n of [0, 300, SHAPE.small - 1])
    expect(await found(`q=ORDER+number${n}x`)).toMatchObject({ ids: [idOf(n)], cursor: null });
  const read = list.mock.results.filter((_result, n) => list.mock.calls[n]?.[0] === 'run');
  const rows = await Promise.all(read.map(({ value }) => value));
  list.mockRestore();
  const sum = rows.reduce((total, { length }) => total + length, 0);
  expect(sum).toBeLessThan(3 * (COUNT - SHAPE.small + 10));
});

test('the pages of a search have all runs, each once, the newest first', async () => {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await found(`q=boss&limit=130${cursor === '' ? '' : `&cursor=${cursor}`}`);
    ids.push(...page.ids);
    ({ cursor } = page);
  }
  expect(ids).toEqual(
    letters(0, COUNT)
      .map(({ id }) => id)
      .toReversed(),
  );
});

test('a search among the runs of a status, a director or an id finds those only', async () => {
  expect((await found('q=number7x&status=failed')).ids).toEqual([]);
  expect((await found('q=number7x&status=completed')).ids).toEqual([idOf(7)]);
  expect((await found('q=number7x&directorId=nobody')).ids).toEqual([]);
  expect((await found('q=number7x&directorId=boss')).ids).toEqual([idOf(7)]);
  expect((await found(`q=order&idPrefix=${idOf(3)}`)).ids).toEqual([idOf(3)]);
});

test('an open run is found while it works and once it is over, by the text that it has then', async () => {
  await store.apply(insertRun(openRun(idOf(9000), 'a long journey')));
  expect((await found('q=journey')).ids).toEqual([idOf(9000)]);
  expect((await found('q=journey&status=queued')).ids).toEqual([idOf(9000)]);
  await endRun(store, idOf(9000), 'arrived at noon');
  expect((await found('q=noon+journey')).ids).toEqual([idOf(9000)]);
});

test('a run that was deleted is not found any more, and a damaged one hides no other', async () => {
  expect((await desk.ask('DELETE', `/api/runs/${idOf(20)}`)).status).toBe(204);
  expect((await found('q=number20x')).ids).toEqual([]);
  await damage(store, idOf(22));
  expect((await found('q=number21x')).ids).toEqual([idOf(21)]);
});

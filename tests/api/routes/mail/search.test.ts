import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHAPE } from '../../../../engine/src/search/block.ts';
import type { Store } from '../../../../engine/src/store/store.ts';
import { MAILS, people } from '../../../search/records.ts';
import { longestTurn, type Turns } from '../../../longest-turn.ts';
import { COUNT, foundBy, openIndexedDesk } from '../../../search/searched-desk.ts';
import type { Desk } from '../../harness.ts';

const { add, remove, idOf, letters } = MAILS;

let desk: Desk;
let store: Store;
beforeAll(async () => {
  desk = await openIndexedDesk(MAILS);
  ({ store } = desk.stage.app.deps);
});
afterAll(() => desk.close());

const found = (query: string) => foundBy(desk, `/api/emails?${query}`);

test('a word of one mail is found in a block and outside of it', async () => {
  for (const n of [0, 300, SHAPE.small - 1, SHAPE.small, COUNT - 1])
    expect(await found(`q=ORDER+number${n}x`)).toMatchObject({ ids: [idOf(n)], cursor: null });
  expect(await found('q=order+zebra')).toMatchObject({ ids: [], cursor: null });
});

test('the pages of a search have all mails, each once, the newest first', async () => {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await found(`q=order&limit=130${cursor === '' ? '' : `&cursor=${cursor}`}`);
    ids.push(...page.ids);
    ({ cursor } = page);
  }
  expect(ids).toEqual(
    letters(0, COUNT)
      .map(({ id }) => id)
      .toReversed(),
  );
});

test('a search in a view or among some mails finds those only', async () => {
  expect((await found('q=number7x&view=archived')).ids).toEqual([]);
  expect((await found('q=number7x&view=inbox')).ids).toEqual([idOf(7)]);
  expect((await found(`q=order&ids=${idOf(3)},${idOf(570)}`)).ids).toEqual([idOf(570), idOf(3)]);
});

test('a search in mails with thousands of recipients leaves the event loop to others between them', async () => {
  const ids = Array.from({ length: 50 }, (_, n) => `mail_1${idOf(n).slice(6)}`);
  await add(store, ...ids.map((id) => ({ id, subject: 'crowd', to: people(3000) })));
  const isGood = ({ longestMs, totalMs }: Turns) => longestMs < totalMs / 3;
  // Words that are somewhere in the rows, so that each mail is looked at.
  const search = async () => expect((await found('q=person+autosubmitted')).ids).toEqual([]);
  const turns = await longestTurn(search, 3, isGood);
  expect(turns).toSatisfy(isGood);
  for (const id of ids) await remove(store, id);
});

test('a mail that was deleted is not found any more, and a damaged one is named', async () => {
  expect((await desk.ask('DELETE', `/api/emails/${idOf(20)}`)).status).toBe(204);
  expect((await found('q=number20x')).ids).toEqual([]);
  await store.apply([{ op: 'update', table: 'mail', key: { id: idOf(21) }, set: { body: '{"summary":' } }]);
  const { ids, damaged } = await found('q=number21x');
  expect([ids, damaged]).toMatchObject([[], [{ table: 'mail', key: idOf(21) }]]);
});

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updateIndex } from '../../../engine/src/mail/search/update-index.ts';
import { openMemorySqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import { isFull } from '../../available.ts';
import { longestTurn, type Turns } from '../../longest-turn.ts';
import { addMail, deleteMail, find, idOf, letters, people, scan, TINY } from './mails.ts';

const { signal } = new AbortController();
const update = (store: Store) => updateIndex(store, { signal, shape: TINY });

let store: Store;
beforeEach(() => void (store = openMemorySqlite()));
afterEach(() => store.close());

const blocks = async () => (await store.list('searchBlock')).map(({ state, size }) => `${state} ${size}`).toSorted();

test('full blocks are built and merged, and the mails that are left wait', async () => {
  await addMail(store, ...letters(0, 61));
  await update(store);
  expect(await blocks()).toEqual(
    ['ready 32', 'ready 8', 'ready 8', 'ready 8', ...Array.from({ length: 4 }, () => 'dropped 8')].toSorted(),
  );
  expect(await store.count('searchAdded')).toBe(5);
  await update(store);
  expect(await blocks()).toEqual(['ready 32', 'ready 8', 'ready 8', 'ready 8']);
  const kept = new Set((await store.list('searchBlock')).map(({ id }) => id));
  expect((await store.list('searchChunk', { bodies: false })).every(({ block }) => kept.has(block))).toBe(true);
});

test('a search for a rare word looks at few mails, and finds those in blocks and those that wait', async () => {
  await addMail(store, ...letters(0, 61));
  await update(store);
  for (const n of [0, 7, 31, 32, 40, 55, 56, 60]) {
    const found = await find(store, [`number${n}x`]);
    expect(found?.ids).toEqual([idOf(n)]);
    expect(found?.looked.length).toBeLessThan(10);
  }
  expect((await find(store, ['order']))?.ids).toEqual(
    letters(0, 61)
      .map(({ id }) => id)
      .toReversed(),
  );
});

test('a search goes on before an id', async () => {
  await addMail(store, ...letters(0, 61));
  await update(store);
  for (const n of [0, 1, 8, 9, 33, 58]) {
    const { ids } = (await find(store, ['order'], { before: idOf(n) })) ?? {};
    expect(ids).toEqual(
      letters(0, n)
        .map(({ id }) => id)
        .toReversed(),
    );
  }
});

test('words that are too short for the index are left to a look at every mail', async () => {
  expect(await find(store, ['ab', 'x'])).toBeUndefined();
  expect(await find(store, ['ab', 'xyz'])).toBeDefined();
  expect(await find(store, ['会'])).toBeDefined();
});

test('a mail with an id older than all blocks is found', async () => {
  await addMail(store, ...letters(10, 40));
  await update(store);
  await addMail(store, { id: idOf(3), subject: 'late order' }, { id: idOf(20) + 'a', subject: 'late order' });
  expect((await find(store, ['late']))?.ids).toEqual([`${idOf(20)}a`, idOf(3)]);
  await addMail(store, ...letters(60, 6));
  await update(store);
  expect(await store.count('searchAdded')).toBe(0);
  expect((await find(store, ['late']))?.ids).toEqual([`${idOf(20)}a`, idOf(3)]);
  expect((await find(store, ['order']))?.ids).toEqual(await scan(store, ['order']));
});

/** A store that fails at the given commit, as if the process died there. */
const dyingAt = (commit: number): Store => {
  let count = 0;
  return withApply(store, async (changes) => {
    if (++count >= commit) throw new Error('died');
    await store.apply(changes);
  });
};

test('an update that dies at any commit loses no mail, and the next one completes it', async () => {
  await addMail(store, ...letters(0, 40));
  await update(store);
  await deleteMail(store, idOf(2));
  await addMail(store, ...letters(40, 24));
  let commit = 1;
  for (; ; commit += isFull ? 19 : 61) {
    const isDone = await update(dyingAt(commit)).then(
      () => true,
      () => false,
    );
    expect((await find(store, ['order']))?.ids).toEqual(await scan(store, ['order']));
    if (isDone) break;
  }
  expect(commit).toBeGreaterThan(100);
  await update(store);
  expect(await store.count('searchDeleted')).toBe(0);
  expect(await blocks()).toEqual(['ready 32', 'ready 32']);
});

test('two processes that update at the same time lose no mail', async () => {
  await addMail(store, ...letters(0, 61));
  const results = await Promise.allSettled([update(store), update(store)]);
  expect(results.filter(({ status }) => status === 'rejected').length).toBeLessThan(2);
  await update(store);
  expect((await find(store, ['order']))?.ids).toEqual(await scan(store, ['order']));
  expect(await store.count('searchAdded')).toBe(5);
});

test('mails that move into blocks during a search are found', async () => {
  await addMail(store, ...letters(0, 61));
  let reads = 0;
  const moving = {
    ...withApply(store, (changes) => store.apply(changes)),
    list: async (...args: Parameters<Store['list']>) => {
      if (++reads === 2) await update(store);
      return store.list(...args);
    },
  } as Store;
  expect((await find(moving, ['order']))?.ids).toEqual(await scan(store, ['order']));
  expect(reads).toBeGreaterThan(2);
});

test.each([
  ['of 8 mails with 4,000 recipients each', { to: people(4000) }],
  ['of 8 mails with a word of 200,000 characters', { subject: `needle${'xyz0'.repeat(50_000)}end` }],
])('a block %s is built in many turns of the event loop', async (_what, more) => {
  await addMail(store, ...letters(0, 8).map((letter) => ({ ...letter, ...more })));
  const isGood = ({ longestMs, totalMs }: Turns) => longestMs < totalMs / 3;
  const again = async () => {
    for (const { id } of await store.list('mail'))
      await store.apply([{ op: 'put', table: 'searchAdded', row: { mail: id } }]);
    await update(store);
  };
  const turns = await longestTurn(again, 3, isGood);
  expect(turns).toSatisfy(isGood);
  for (const word of ['subject' in more ? 'z0xend' : 'person3999.name@example22.com', 'number7x'])
    expect((await find(store, [word]))?.ids).toEqual(await scan(store, [word]));
});

test('the bits of a deleted mail are removed from its block', async () => {
  await addMail(store, ...letters(0, 39), { id: idOf(39), subject: 'quokka' }, ...letters(40, 8));
  await addMail(store, { id: idOf(48), subject: 'quokka' });
  await update(store);
  await deleteMail(store, idOf(39));
  await deleteMail(store, idOf(48));
  expect(await find(store, ['quokka'])).toEqual({ ids: [], looked: [idOf(39)] });
  await update(store);
  expect(await find(store, ['quokka'])).toEqual({ ids: [], looked: [] });
  expect(await store.count('searchDeleted')).toBe(0);
  expect((await find(store, ['order']))?.ids).toEqual(await scan(store, ['order']));
});

test.each([
  ['slices', 0],
  ['ids', 4096],
])('a block whose %s are damaged leaves no mail out', async (_what, first) => {
  await addMail(store, ...letters(0, 50));
  await update(store);
  for (const { block, chunk } of await store.list('searchChunk', { where: [['chunk', '>=', first]], bodies: false }))
    if (first > 0 || chunk < 4096) await store.apply([{ op: 'delete', table: 'searchChunk', where: { block, chunk } }]);
  for (const word of ['order', 'number7x', 'number45x'])
    expect((await find(store, [word]))?.ids).toEqual(await scan(store, [word]));
  await addMail(store, ...letters(50, 20));
  await deleteMail(store, idOf(5));
  await update(store);
  for (const word of ['order', 'number7x', 'number45x'])
    expect((await find(store, [word]))?.ids).toEqual(await scan(store, [word]));
  expect((await find(store, ['number7x']))?.looked.length).toBeLessThan(10);
});

test('a damaged mail in a block is looked at for every word', async () => {
  await addMail(store, ...letters(0, 40));
  await store.apply([{ op: 'update', table: 'mail', key: { id: idOf(4) }, set: { body: '{"summary":' } }]);
  await update(store);
  const found = find(store, ['number9x']);
  await expect(found).rejects.toMatchObject({ code: 'STORE_DAMAGED', message: expect.stringContaining(idOf(4)) });
});

const piece = fc.oneof(
  fc.constantFrom(
    'Σ',
    'ΟΔΟΣ',
    'ς',
    'İ',
    'I',
    'ẞ',
    'ß',
    '😀',
    'é',
    'É',
    '会议',
    '会',
    ' ',
    '\n',
    '\u2028',
    '"',
    '\\',
    '\ud83d',
    'Order',
    'ann@',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.string({ maxLength: 3 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((texts) => texts.join(''));
const action = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ op: fc.constant('add' as const), n: fc.nat(200), subject: text, snippet: text }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), n: fc.nat(200) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('update' as const), diesAt: fc.nat(400) }) },
);

test('the index finds what a look at every mail finds', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 20, maxLength: 80 }),
      fc.array(fc.record({ mail: fc.nat(), from: fc.nat(), length: fc.integer({ min: 1, max: 8 }) }), {
        minLength: 3,
        maxLength: 6,
      }),
      async (actions, queries) => {
        store = openMemorySqlite();
        const texts: string[] = ['order'];
        for (const one of actions) {
          if (one.op === 'update') await update(dyingAt(one.diesAt)).catch(() => {});
          else if (one.op === 'delete') await deleteMail(store, idOf(one.n));
          else if ((await store.get('mail', { id: idOf(one.n) })) === undefined) {
            await addMail(store, { id: idOf(one.n), subject: one.subject, snippet: one.snippet });
            texts.push(`${one.subject}\n${one.snippet}`.toLowerCase());
          }
        }
        for (const { mail, from, length } of queries) {
          const whole = texts[mail % texts.length] ?? '';
          const begin = from % (whole.length + 1);
          const words = whole
            .slice(begin, begin + length)
            .split(/\s+/)
            .filter((word) => word !== '');
          const found = words.length === 0 ? undefined : await find(store, words);
          if (found === undefined) continue;
          expect(found.ids).toEqual(await scan(store, words));
          expect(found.looked).toEqual([...new Set(found.looked)].toSorted().toReversed());
        }
        await store.close();
      },
    ),
    { numRuns: isFull ? 400 : 40 },
  );
  store = openMemorySqlite();
});

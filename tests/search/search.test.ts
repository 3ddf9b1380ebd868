import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { updateIndex } from '../../engine/src/search/update-index.ts';
import { insertRun } from '../../engine/src/run/run.ts';
import { searchCandidates } from '../../engine/src/search/candidates.ts';
import { addToIndex } from '../../engine/src/search/search.ts';
import { openMemorySqlite } from '../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../engine/src/store/store.ts';
import { withApply } from '../../engine/src/store/with-apply.ts';
import { isFull } from '../available.ts';
import { longestTurn, type Turns } from '../longest-turn.ts';
import { endRun, MAILS, openRun, people, type Records, RUNS, TINY } from './records.ts';

const { signal } = new AbortController();

let store: Store;
beforeEach(() => void (store = openMemorySqlite()));
afterEach(() => store.close());

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
    arbitrary: fc.record({
      ...{ op: fc.constant('add' as const), n: fc.nat(200), subject: text, snippet: text },
      isOpen: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), n: fc.nat(200) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('end' as const), n: fc.nat(200), snippet: text }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('update' as const), diesAt: fc.nat(400) }) },
);

const update = (of: Store, { searched }: Records) => updateIndex(of, searched, { signal, shape: TINY });

describe.each([
  ['mails', MAILS],
  ['runs', RUNS],
])('the index over %s', (_name, { searched, add, remove, damage, find, scan, idOf, letters }) => {
  const { kind } = searched;
  const update = (of: Store) => updateIndex(of, searched, { signal, shape: TINY });

  const blocks = async () => (await store.list('searchBlock')).map(({ state, size }) => `${state} ${size}`).toSorted();

  test('full blocks are built and merged, and the mails that are left wait', async () => {
    await add(store, ...letters(0, 61));
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
    await add(store, ...letters(0, 61));
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
    await add(store, ...letters(0, 61));
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
    await add(store, ...letters(10, 40));
    await update(store);
    await add(store, { id: idOf(3), subject: 'late order' }, { id: idOf(20) + 'a', subject: 'late order' });
    expect((await find(store, ['late']))?.ids).toEqual([`${idOf(20)}a`, idOf(3)]);
    await add(store, ...letters(60, 6));
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
    await add(store, ...letters(0, 40));
    await update(store);
    await remove(store, idOf(2));
    await add(store, ...letters(40, 24));
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
    await add(store, ...letters(0, 61));
    const results = await Promise.allSettled([update(store), update(store)]);
    expect(results.filter(({ status }) => status === 'rejected').length).toBeLessThan(2);
    await update(store);
    expect((await find(store, ['order']))?.ids).toEqual(await scan(store, ['order']));
    expect(await store.count('searchAdded')).toBe(5);
  });

  test('mails that move into blocks during a search are found', async () => {
    await add(store, ...letters(0, 61));
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
    await add(store, ...letters(0, 8).map((letter) => ({ ...letter, ...more })));
    const isGood = ({ longestMs, totalMs }: Turns) => longestMs < totalMs / 3;
    const again = async () => {
      for (const { id } of await store.list(kind)) await store.apply([addToIndex(kind, id, true)]);
      await update(store);
    };
    const turns = await longestTurn(again, 3, isGood);
    expect(turns).toSatisfy(isGood);
    for (const word of ['subject' in more ? 'z0xend' : 'person3999.name@example22.com', 'number7x'])
      expect((await find(store, [word]))?.ids).toEqual(await scan(store, [word]));
  });

  test('the bits of a deleted mail are removed from its block', async () => {
    await add(store, ...letters(0, 39), { id: idOf(39), subject: 'quokka' }, ...letters(40, 8));
    await add(store, { id: idOf(48), subject: 'quokka' });
    await update(store);
    await remove(store, idOf(39));
    await remove(store, idOf(48));
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
    await add(store, ...letters(0, 50));
    await update(store);
    for (const { block, chunk } of await store.list('searchChunk', { where: [['chunk', '>=', first]], bodies: false }))
      if (first > 0 || chunk < 4096)
        await store.apply([{ op: 'delete', table: 'searchChunk', where: { block, chunk } }]);
    for (const word of ['order', 'number7x', 'number45x'])
      expect((await find(store, [word]))?.ids).toEqual(await scan(store, [word]));
    await add(store, ...letters(50, 20));
    await remove(store, idOf(5));
    await update(store);
    for (const word of ['order', 'number7x', 'number45x'])
      expect((await find(store, [word]))?.ids).toEqual(await scan(store, [word]));
    expect((await find(store, ['number7x']))?.looked.length).toBeLessThan(10);
  });

  test('a damaged mail in a block is looked at for every word', async () => {
    await add(store, ...letters(0, 40));
    await damage(store, idOf(4));
    await update(store);
    const found = find(store, ['number9x']);
    await expect(found).rejects.toMatchObject({ code: 'STORE_DAMAGED', message: expect.stringContaining(idOf(4)) });
  });

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
            else if (one.op === 'delete') await remove(store, idOf(one.n));
            else {
              const isThere = (await store.get(kind, { id: idOf(one.n) })) !== undefined;
              const isRun = kind === 'run';
              if (one.op === 'end') {
                if (!isThere || !isRun) continue;
                await endRun(store, idOf(one.n), one.snippet);
                texts.push(one.snippet.toLowerCase());
                continue;
              }
              if (isThere) continue;
              const { subject, snippet } = one;
              if (isRun && one.isOpen) await store.apply(insertRun(openRun(idOf(one.n), subject)));
              else await add(store, { id: idOf(one.n), subject, snippet });
              texts.push(`${subject}\n${snippet}`.toLowerCase());
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
      { numRuns: isFull ? 400 : 15 },
    );
    store = openMemorySqlite();
  });
});

test('an open run is found by the text that it has, and has its place in a block only once it is over', async () => {
  const { idOf, find, add, letters } = RUNS;
  await store.apply([openRun(idOf(3), 'slow order'), openRun(idOf(20), 'slow order')].flatMap(insertRun));
  await add(store, ...letters(4, 15));
  await update(store, RUNS);
  expect(await store.list('searchAdded')).toHaveLength(2 + 15 - 8);
  expect((await find(store, ['slow']))?.ids).toEqual([idOf(20), idOf(3)]);
  expect((await find(store, ['quokka']))?.ids).toEqual([]);
  await endRun(store, idOf(3), 'a quokka was seen');
  expect((await find(store, ['quokka']))?.ids).toEqual([idOf(3)]);
  await update(store, RUNS);
  expect(await store.list('searchAdded')).toEqual([{ kind: 'run', id: idOf(20), settled: 0 }]);
  expect(await find(store, ['quokka'])).toMatchObject({ ids: [idOf(3)] });
  expect((await find(store, ['slow']))?.ids).toEqual([idOf(20), idOf(3)]);
});

test('a run whose record lacks fields is looked at for every word, and those beside it get their block', async () => {
  const { idOf, add, letters } = RUNS;
  await add(store, ...letters(0, 8));
  const body = '{"apis":[]}';
  await store.apply([{ op: 'update', table: 'run', key: { id: idOf(0) }, set: { body } }]);
  await update(store, RUNS);
  const candidates = searchCandidates(store, RUNS.searched, ['number5x'], { before: undefined, shape: TINY });
  expect(await Array.fromAsync(candidates ?? [])).toEqual([idOf(5), idOf(0)]);
});

test('a run that was closed without its record is looked at for every word', async () => {
  const { idOf, add, letters, damage } = RUNS;
  await store.apply(insertRun(openRun(idOf(0))));
  await damage(store, idOf(0));
  await store.apply([addToIndex('run', idOf(0), true)]);
  await store.apply([{ op: 'update', table: 'run', key: { id: idOf(0) }, set: { status: 'failed' } }]);
  await add(store, ...letters(1, 7));
  await update(store, RUNS);
  const candidates = searchCandidates(store, RUNS.searched, ['number5x'], { before: undefined, shape: TINY });
  expect(await Array.fromAsync(candidates ?? [])).toEqual([idOf(5), idOf(0)]);
});

test('a block of which little is left is dropped, and what is left is found and waits for another block', async () => {
  const { idOf, add, letters, remove, find, scan } = RUNS;
  await add(store, ...letters(0, 64));
  await update(store, RUNS);
  expect(await store.list('searchBlock', { where: [['state', '=', 'ready']] })).toHaveLength(2);
  for (let n = 0; n < 29; n++) await remove(store, idOf(n));
  for (let n = 40; n < 64; n++) await remove(store, idOf(n));
  await update(store, RUNS);
  expect(await store.list('searchBlock')).toMatchObject([{ state: 'ready', firstId: idOf(32) }]);
  expect((await store.list('searchAdded')).map(({ id }) => id)).toEqual([29, 30, 31].map(idOf));
  expect((await find(store, ['order']))?.looked).toEqual(await scan(store, ['order']));
  for (let n = 32; n < 38; n++) await remove(store, idOf(n));
  await update(store, RUNS);
  expect(await store.list('searchBlock')).toEqual([]);
  expect(await store.list('searchChunk', { bodies: false })).toEqual([]);
  expect((await find(store, ['order']))?.looked).toEqual([39, 38, 31, 30, 29].map(idOf));
  expect(await store.count('searchDeleted')).toBe(0);
});

test.each([1, 2, 3, 4, 5, 6])('records that leave their block at read %i of a search are found', async (at) => {
  const { idOf, add, letters, remove, find, scan } = RUNS;
  await add(store, ...letters(0, 64));
  await update(store, RUNS);
  for (let n = 0; n < 29; n++) await remove(store, idOf(n));
  let reads = 0;
  const moving = {
    ...withApply(store, (changes) => store.apply(changes)),
    list: async (...args: Parameters<Store['list']>) => {
      if (++reads === at) await update(store, RUNS);
      return store.list(...args);
    },
  } as Store;
  expect((await find(moving, ['order']))?.ids).toEqual(await scan(store, ['order']));
  expect(await store.count('searchAdded')).toBe(3);
});

test('blocks of mails and of runs do not mix', async () => {
  for (const records of [MAILS, RUNS]) await records.add(store, ...records.letters(0, 20));
  for (const records of [MAILS, RUNS]) await update(store, records);
  await RUNS.remove(store, RUNS.idOf(2));
  for (const { block, chunk } of await store.list('searchChunk', {
    where: [['block', '>', 0]],
    bodies: false,
    limit: 1,
  }))
    await store.apply([{ op: 'delete', table: 'searchChunk', where: { block, chunk } }]);
  for (const records of [MAILS, RUNS]) {
    await update(store, records);
    expect((await records.find(store, ['order']))?.ids).toEqual(await records.scan(store, ['order']));
    expect((await records.find(store, ['number7x']))?.ids).toEqual([records.idOf(7)]);
  }
});

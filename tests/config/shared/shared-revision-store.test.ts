import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { sha256 } from '../../../engine/src/base/json.ts';
import type { StoredDocument } from '../../../engine/src/config/config.ts';
import { createRevisionStore } from '../../../engine/src/config/revision/revision-store.ts';
import { createSharedRevisionStore } from '../../../engine/src/config/shared/shared-revision-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';
import { withApply } from '../../../engine/src/store/with-apply.ts';
import { openStore } from './processes.ts';
import { joinedSignals } from '../../cluster/memory-signals.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Documents by name, their texts made of words. */
function documents(words: Readonly<Record<string, string>>): Map<string, StoredDocument> {
  return new Map(
    Object.entries(words).map(([name, text]) => [name, { file: `config/${name}.yaml`, hash: sha256(text), text }]),
  );
}

const facts = { at: 0, by: 'me', version: '1.0.0', states: [], problems: [] };

/** Two processes on one store; `a` has the turn to decide. */
async function setUp(wrap: (store: Store) => Store = (store) => store) {
  const clock = new SimulatedClock();
  const store = await openStore();
  const claim = { name: 'config', worker: 'a', rev: 1, body: '{}' };
  await store.apply([{ op: 'insert', table: 'claim', row: claim }]);
  const [one, two] = joinedSignals(2);
  const a = createSharedRevisionStore({ store: wrap(store), clock, signals: one!, worker: 'a' });
  const b = createSharedRevisionStore({ store, clock, signals: two!, worker: 'b' });
  let number = 0;
  /** Decides a revision that is named like this, of these documents. */
  const decide = async (revision: string, words: Readonly<Record<string, string>>, by = a) => {
    await by.publish({ ...facts, number: number + 1, at: clock.now(), revision }, documents(words));
    number++;
  };
  /** What the commit of a run that is started with a revision holds beside the run. */
  const keep = (revision: string, by = b) => by.keep(revision, new Map(), clock.now());
  const texts = async () =>
    (await store.list('document')).map(({ body }) => (JSON.parse(body) as { text: string }).text);
  return { clock, store, a, b, decide, keep, texts };
}

describe('a decision', () => {
  test('is seen by all, with its documents and as the last good set', async () => {
    const { a, b, decide, store } = await setUp();
    expect([await b.number(), await b.newest()]).toEqual([0, undefined]);
    await decide('r1', { 'agents/x': 'one', 'agents/y': 'two' });
    expect(await b.newest()).toMatchObject({ number: 1, revision: 'r1', by: 'me', version: '1.0.0' });
    const { version, documents: found } = (await b.loadRevision('r1', (name) => name === 'agents/y'))!;
    expect([version, [...found]]).toEqual(['1.0.0', [...documents({ 'agents/x': 'one' })]]);
    await decide('r2', { 'agents/x': 'other' });
    expect(await a.number()).toBe(2);
    expect([...(await b.loadGood())]).toEqual([...documents({ 'agents/x': 'other' })]);
    expect([...(await createRevisionStore(store).loadGood())]).toEqual([...documents({ 'agents/x': 'other' })]);
  });

  test('on top of one that is not the newest is refused whole', async () => {
    const { a, store, decide } = await setUp();
    await decide('r1', { 'agents/x': 'one' });
    await decide('r2', { 'agents/x': 'two' });
    for (const number of [1, 2]) {
      const late = a.publish({ ...facts, number, revision: 'late' }, documents({ 'agents/x': 'late' }));
      await expect(late).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
    }
    expect(await store.get('revision', { id: 'late' })).toBeUndefined();
    expect((await a.newest())?.revision).toBe('r2');
  });

  test('of a process that has not, or not any more, the turn is refused', async () => {
    const { b, decide } = await setUp();
    await decide('r1', { 'agents/x': 'one' });
    await expect(decide('r2', { 'agents/x': 'two' }, b)).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
  });

  test('writes only the documents that are new', async () => {
    let written: string[] = [];
    const { decide } = await setUp((store) =>
      withApply(store, (changes) => {
        written = changes.flatMap((change) => (change.op === 'wake' ? [] : `${change.op} ${change.table}`));
        return store.apply(changes);
      }),
    );
    await decide('r1', { 'agents/x': 'one', 'agents/y': 'two', 'agents/z': 'three' });
    await decide('r2', { 'agents/x': 'one', 'agents/y': 'other' });
    expect(written.sort()).toEqual([
      'delete good',
      'put document',
      'put good',
      'put revision',
      'update claim',
      'update counter',
    ]);
  });
});

describe('starting a run', () => {
  test('costs nothing within an hour, then one read, and says at most once an hour that the revision is in use', async () => {
    let reads = 0;
    const { clock, store, a, decide, keep } = await setUp((given) => ({
      ...withApply(given, (changes) => given.apply(changes)),
      list: (table, query) => {
        reads++;
        return given.list(table, query);
      },
    }));
    await decide('r1', { 'agents/x': 'one' });
    reads = 0;
    expect(await keep('r1', a)).toEqual([]);
    for (let i = 0; i < 100; i++) expect(await keep('r1', a)).toEqual([]);
    expect(reads).toBe(1);
    clock.advance(HOUR);
    const changes = await keep('r1', a);
    expect(changes).toHaveLength(1);
    await store.apply(changes);
    expect((await store.get('revision', { id: 'r1' }))?.created).toBe(clock.now());
    expect([await keep('r1', a), reads]).toEqual([[], 3]);
  });

  test('trusts nothing from before a time that only one of the clocks has seen pass', async () => {
    const { clock, store, decide, keep } = await setUp();
    await decide('r1', { 'agents/x': 'one' });
    await keep('r1');
    await store.apply([{ op: 'delete', table: 'revision', where: { id: 'r1' } }]);
    expect(await keep('r1')).toEqual([]);
    clock.set(2 * HOUR);
    await expect(keep('r1')).rejects.toMatchObject({ code: 'STORE_CONFLICT', retryable: true });
    clock.set(-3 * HOUR);
    clock.advance(HOUR);
    await expect(keep('r1')).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
  });
});

describe('a revision', () => {
  test('is forgotten once it is older than a day and not the newest, with documents that only it has', async () => {
    const { clock, b, decide, texts } = await setUp();
    await decide('r1', { 'agents/x': 'one', 'agents/y': 'shared' });
    await decide('r2', { 'agents/x': 'two', 'agents/y': 'shared' });
    await decide('r3', { 'agents/x': 'three', 'agents/y': 'shared' });
    expect(await b.list()).toEqual([]);
    expect(await b.forget(['r1', 'r2', 'r3'])).toBe(0);
    clock.advance(DAY);
    expect(await b.list()).toEqual(['r1', 'r2', 'r3']);
    expect(await b.forget(['r1', 'r3'])).toBe(1);
    expect((await texts()).sort()).toEqual(['shared', 'three', 'two']);
    expect(await b.loadRevision('r1', () => false)).toBeUndefined();
  });

  test('stays, with its documents, where a run was started with it while others looked for runs', async () => {
    const { clock, store, b, decide, keep, texts } = await setUp();
    await decide('r1', { 'agents/x': 'one', 'agents/y': 'old' });
    await decide('r2', { 'agents/x': 'two', 'agents/y': 'old' });
    await decide('r3', { 'agents/x': 'three' });
    clock.advance(2 * DAY);
    const unused = await b.list();
    await store.apply(await keep('r2'));
    expect(await b.forget(unused)).toBe(1);
    expect((await texts()).sort()).toEqual(['old', 'three', 'two']);
  });

  test('that is forgotten first makes the commit of the run fail, so that it starts with the newest', async () => {
    const { clock, store, b, decide, keep } = await setUp();
    await decide('r1', { 'agents/x': 'one' });
    await decide('r2', { 'agents/x': 'two' });
    clock.advance(2 * DAY);
    const changes = await keep('r1');
    await b.forget(['r1']);
    await expect(store.apply(changes)).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
  });

  test('is not forgotten in the moment in which a run is started with it', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const { clock, store, a, decide, keep, texts } = await setUp((given) =>
      withApply(given, async (changes) => {
        const work = changes.some((change) => change.op === 'delete' && change.table === 'revision') && meanwhile;
        if (work) await work();
        await given.apply(changes);
      }),
    );
    await decide('r1', { 'agents/x': 'one' });
    await decide('r2', { 'agents/x': 'two' });
    clock.advance(2 * DAY);
    meanwhile = async () => store.apply(await keep('r1'));
    expect(await a.forget(['r1'])).toBe(0);
    expect((await texts()).sort()).toEqual(['one', 'two']);
  });

  test('is not forgotten in the moment in which a decision takes up its documents', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const { clock, a, decide, texts } = await setUp((store) =>
      withApply(store, async (changes) => {
        const work = changes.some((change) => change.op === 'delete' && change.table === 'revision') && meanwhile;
        meanwhile = undefined;
        if (work) await work();
        await store.apply(changes);
      }),
    );
    await decide('r1', { 'agents/x': 'one' });
    await decide('r2', { 'agents/x': 'two' });
    clock.advance(2 * DAY);
    meanwhile = () => decide('r3', { 'agents/x': 'one' });
    expect(await a.forget(['r1'])).toBe(0);
    expect((await texts()).sort()).toEqual(['one', 'two']);
    expect([...(await a.loadGood()).values()].map(({ text }) => text)).toEqual(['one']);
  });

  test('whose documents are gone is damaged, not smaller', async () => {
    const { store, b, decide } = await setUp();
    await decide('r1', { 'agents/x': 'one', 'agents/y': 'two' });
    await store.apply([{ op: 'delete', table: 'document', where: { hash: sha256('two') } }]);
    await expect(b.loadRevision('r1', () => false)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  });
});

test('a store that one process has to itself forgets no document that another revision still has', async () => {
  const store = await openStore();
  const revisions = createRevisionStore(store);
  for (const [id, words] of [
    ['r1', { a: 'one', b: 'shared' }],
    ['r2', { a: 'two', b: 'shared' }],
  ] as const)
    await store.apply(await createRevisionStore(store).keep(id, documents(words), 1));
  await revisions.keep('r2', new Map(), 1);
  expect(await revisions.forget(['r1', 'r2'])).toBe(1);
  const { documents: found } = (await revisions.loadRevision('r2', () => false))!;
  expect([...found.values()].map(({ text }) => text)).toEqual(['two', 'shared']);
});

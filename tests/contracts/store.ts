import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Draft } from '../../engine/src/store/draft.ts';
import type { Change, Row, Store } from '../../engine/src/store/store.ts';

interface Driver {
  /** Gives an empty store. */
  readonly open: () => Promise<Store>;
  /** Gives the same data after a close. */
  readonly reopen: () => Promise<Store>;
  readonly clean: () => Promise<void>;
  /** Size of the largest body, in MB; default 20. */
  readonly largest?: number;
}

/** What every driver of the store does. */
export function storeContract(name: string, driver: Driver): void {
  const { largest = 20 } = driver;
  describe(`the ${name} store`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await driver.open();
    });
    afterEach(async () => {
      await store.close();
      await driver.clean();
    });

    const machine = (id: string, rev = 1): Row<'machine'> => ({
      id,
      kind: 'run',
      version: '1',
      rev,
      root: id,
      status: 'active',
      body: `{"n":"${id}"}`,
    });
    const insert = (id: string): Change => ({ op: 'insert', table: 'machine', row: machine(id) });
    const bump = (id: string, from: number): Change => ({
      op: 'update',
      table: 'machine',
      key: { id },
      set: { rev: from + 1 },
      expect: { rev: from },
    });

    test('gives back what was put in, byte for byte', async () => {
      const body = '{"text":"Grüße 🎉 \\u0000"}';
      const raw = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256);
      await store.apply([
        { op: 'insert', table: 'meta', row: { name: 'x', body } },
        { op: 'insert', table: 'mailRaw', row: { identity: 'i', seq: 0, body: raw } },
      ]);
      expect((await store.get('meta', { name: 'x' }))?.body).toBe(body);
      expect(Buffer.from((await store.get('mailRaw', { identity: 'i', seq: 0 }))?.body ?? []).equals(raw)).toBe(true);
    });

    test('refuses a row with a value that no column can hold, and nothing else', async () => {
      const timer = (due: number): Change => ({
        ...{ op: 'insert', table: 'timer' },
        row: { machine: 'm', name: `t${due}`, root: 'm', due, body: '{}' },
      });
      const lists = [[insert('a')], [insert('b'), timer(Number.NaN)], [timer(5)]];
      const [fine, bad, later] = await Promise.allSettled(lists.map((list) => store.apply(list)));
      expect([fine!.status, later!.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(bad).toMatchObject({ reason: { code: 'STORE_INVALID', retryable: false } });
      expect((await store.list('machine')).map(({ id }) => id)).toEqual(['a']);
      expect((await store.list('timer')).map(({ due }) => due)).toEqual([5]);
    });

    test('keeps what was applied across a reopen', async () => {
      await store.apply([insert('a')]);
      await store.close();
      store = await driver.reopen();
      expect(await store.get('machine', { id: 'a' })).toEqual(machine('a'));
    });

    test('writes what comes while it closes, and refuses what comes later', async () => {
      const early = store.apply([insert('a')]);
      const closing = store.close();
      await Promise.all([early, store.apply([insert('b')]), closing]);
      await expect(store.apply([insert('c')])).rejects.toMatchObject({
        code: 'STORE_FAILED',
        message: 'cannot write to the store: it is closed',
      });
      store = await driver.reopen();
      expect((await store.list('machine')).map(({ id }) => id)).toEqual(['a', 'b']);
    });

    test('applies a list as a whole or not at all', async () => {
      await store.apply([insert('a')]);
      await expect(store.apply([insert('b'), bump('a', 7)])).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
      await expect(store.apply([insert('c'), insert('a')])).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
      expect((await store.list('machine')).map(({ id }) => id)).toEqual(['a']);
    });

    test('lets one of two that read the same revision win', async () => {
      await store.apply([insert('a')]);
      const results = await Promise.allSettled([store.apply([bump('a', 1)]), store.apply([bump('a', 1)])]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await store.get('machine', { id: 'a' }))?.rev).toBe(2);
    });

    test('does not let a bad list harm lists that share its commit', async () => {
      await store.apply([insert('a')]);
      const lists = Array.from({ length: 200 }, (_, n) => (n === 77 ? [bump('a', 9)] : [insert(`m${n}`)]));
      const results = await Promise.allSettled(lists.map((list) => store.apply(list)));
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      expect(await store.count('machine')).toBe(200);
    });

    test('finds rows by conditions, order and limit', async () => {
      await store.apply(['d', 'b', 'a', 'c'].map(insert));
      const after = await store.list('machine', { where: [['id', '>', 'a']], order: [['id', 'desc']], limit: 2 });
      expect(after.map(({ id }) => id)).toEqual(['d', 'c']);
      expect(await store.list('machine', { where: [['id', 'in', []]] })).toEqual([]);
      expect(
        (await store.list('machine', { where: [['id', 'in', ['a', 'x', 'b']]], order: [['id', 'asc']] })).map(
          ({ id }) => id,
        ),
      ).toEqual(['a', 'b']);
      expect(await store.count('machine', [['id', '!=', 'a']])).toBe(3);
    });

    test('sorts and compares ids by their bytes, whatever language the database speaks', async () => {
      const ids = ['B', 'a', '_', 'Z', 'é', '1', 'ab', 'a-b', 'A', 'zz'];
      await store.apply(ids.map(insert));
      const sorted = (await store.list('machine', { order: [['id', 'asc']] })).map(({ id }) => id);
      expect(sorted).toEqual(['1', 'A', 'B', 'Z', '_', 'a', 'a-b', 'ab', 'zz', 'é']);
      const after = await store.list('machine', { where: [['id', '>', 'Z']], order: [['id', 'asc']], limit: 3 });
      expect(after.map(({ id }) => id)).toEqual(['_', 'a', 'a-b']);
    });

    test('keeps names whatever characters a model puts in, and finds nothing under an id that cannot be', async () => {
      const calls = ['a\0b', 'a', 'a\\0b', '\\', '\0', 'quote"\'{},', 'Ünï 🎉', ''];
      const row = (call: string): Row<'ledger'> => ({ machine: 'm', call, state: 'intended', body: '{}' });
      await store.apply(calls.map((call) => ({ op: 'insert', table: 'ledger', row: row(call) })));
      for (const call of calls) expect(await store.get('ledger', { machine: 'm', call })).toEqual(row(call));
      expect((await store.list('ledger', { where: [['call', 'in', calls]] })).length).toBe(calls.length);
      expect(await store.get('machine', { id: 'a\0b' })).toBeUndefined();
    });

    test(`takes a body of ${largest} MB`, async () => {
      const body = JSON.stringify({ text: 'x'.repeat(largest * 1024 * 1024) });
      const raw = Buffer.alloc(largest * 1024 * 1024, 'raw\0\xff');
      await store.apply([
        { op: 'insert', table: 'meta', row: { name: 'big', body } },
        { op: 'insert', table: 'mailRaw', row: { identity: 'i', seq: 0, body: raw } },
      ]);
      expect((await store.get('meta', { name: 'big' }))?.body === body).toBe(true);
      expect(raw.equals((await store.get('mailRaw', { identity: 'i', seq: 0 }))?.body ?? new Uint8Array())).toBe(true);
    });

    test('takes a list of a thousand changes that touch the same rows again and again, in their order', async () => {
      const changes = Array.from({ length: 200 }, (_, n): Change[] => [
        { op: 'put', table: 'machine', row: machine(`m${n % 10}`, n + 1) },
        { op: 'update', table: 'machine', key: { id: `m${n % 10}` }, set: { status: `s${n}` }, expect: { rev: n + 1 } },
        { op: 'put', table: 'message', row: { thread: `t${n % 5}`, seq: n, at: n, body: '{}' } },
        { op: 'delete', table: 'message', where: { thread: `t${(n + 3) % 5}` } },
        { op: 'delete', table: 'message', where: { thread: `t${n % 5}`, seq: n - 5 } },
      ]).flat();
      await store.apply(changes);
      const machines = await store.list('machine', { order: [['id', 'asc']] });
      expect(machines.map(({ id, rev, status }) => [id, rev, status])).toEqual(
        Array.from({ length: 10 }, (_, n) => [`m${n}`, 191 + n, `s${190 + n}`]),
      );
      expect((await store.list('message', { order: [['seq', 'asc']] })).map(({ seq }) => seq)).toEqual([198, 199]);
    });

    test('applies lists that come together in the order they came', async () => {
      const lists = Array.from({ length: 100 }, (_, n) => (n === 0 ? [insert('a')] : [bump('a', n)]));
      await Promise.all(lists.map((list) => store.apply(list)));
      expect((await store.get('machine', { id: 'a' }))?.rev).toBe(100);
    });

    test('leaves bodies where they are when asked to', async () => {
      await store.apply([insert('a')]);
      const [row] = await store.list('machine', { where: [['id', '=', 'a']], bodies: false });
      expect(row).toEqual({ ...(await store.get('machine', { id: 'a' })), body: '' });
    });

    test('replaces with put and removes with delete', async () => {
      await store.apply([insert('a'), { op: 'put', table: 'machine', row: machine('a', 5) }]);
      expect((await store.get('machine', { id: 'a' }))?.rev).toBe(5);
      await store.apply([{ op: 'delete', table: 'machine', where: { root: 'a' } }]);
      expect(await store.get('machine', { id: 'a' })).toBeUndefined();
    });

    test('gives the same key for the same text, also after a reopen, and the text does not show', async () => {
      const key = store.lookupKey('jane@example.org');
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      expect(store.lookupKey('john@example.org')).not.toBe(key);
      await store.close();
      store = await driver.reopen();
      expect(store.lookupKey('jane@example.org')).toBe(key);
    });

    describe('with a draft over it', () => {
      test('shows what is staged before it is applied', async () => {
        await store.apply([insert('a'), insert('b')]);
        const draft = new Draft(store);
        await draft.add(insert('c'), bump('a', 1), { op: 'delete', table: 'machine', where: { id: 'b' } });
        const seen = await draft.list('machine', { order: [['id', 'asc']] });
        expect(seen.map(({ id, rev }) => `${id}${rev}`)).toEqual(['a2', 'c1']);
        expect(await draft.get('machine', { id: 'b' })).toBeUndefined();
        expect((await store.list('machine')).length).toBe(2);
        await store.apply(draft.changes);
        expect((await store.list('machine', { order: [['id', 'asc']] })).map(({ id, rev }) => `${id}${rev}`)).toEqual([
          'a2',
          'c1',
        ]);
      });

      test('fills a limit although staged removals fall within it', async () => {
        await store.apply(['a', 'b', 'c'].map(insert));
        const draft = new Draft(store);
        await draft.add({ op: 'delete', table: 'machine', where: { id: 'a' } });
        expect((await draft.list('machine', { order: [['id', 'asc']], limit: 2 })).map(({ id }) => id)).toEqual([
          'b',
          'c',
        ]);
      });

      test('refuses a change of a row that is not as expected', async () => {
        const draft = new Draft(store);
        await expect(draft.add(bump('a', 1))).rejects.toMatchObject({ code: 'STORE_CONFLICT' });
        expect(draft.changes).toEqual([]);
      });
    });
  });
}

import { describe, expect, test } from 'vitest';
import type { TodoList } from '../../engine/src/agenda/agenda.ts';

/** One list under test; everything that it held is gone after `close`. */
export interface TodoStage {
  readonly list: TodoList;
  /** Ticks one off, as a person does. */
  tick(id: string): Promise<void> | void;
  /** How many there are, as whoever keeps them counts. */
  count(): Promise<number> | number;
  close(): Promise<void>;
}

/** What every `TodoList` must do. */
export function describeTodoList(name: string, open: () => Promise<TodoStage>): void {
  describe(`a list of to-dos: ${name}`, () => {
    const on = async (work: (stage: TodoStage) => Promise<void>) => {
      const stage = await open();
      try {
        await work(stage);
      } finally {
        await stage.close();
      }
    };

    test('holds nothing at first', () =>
      on(async ({ list }) => {
        expect(await list.list({ limit: 10 })).toEqual([]);
      }));

    test('gives a to-do as it was said', () =>
      on(async ({ list }) => {
        const said = { title: 'Send the proofs', notes: 'Both of them:\n- front\n- back', due: '2026-11-25' };
        const added = await list.add(said, { key: 'k' });
        expect(added).toMatchObject({ ...said, status: 'open' });
        expect(added.id).not.toBe('');
        expect(await list.list({ limit: 10 })).toEqual([added]);
        const bare = await list.add({ title: 'Another' }, { key: 'l' });
        expect([bare.notes, bare.due]).toEqual([undefined, undefined]);
      }));

    test.each(['2026-01-01', '2026-03-29', '2026-10-25', '2028-02-29', '2026-12-31'])('is due on %s', (due) =>
      on(async ({ list }) => {
        await list.add({ title: 'x', due }, { key: 'k' });
        expect(await list.list({ limit: 1 })).toMatchObject([{ due }]);
      }),
    );

    test('adds once for a key, and says the same again', () =>
      on(async (stage) => {
        const add = (key: string) => stage.list.add({ title: 'Once', notes: 'n' }, { key });
        const first = await add('run/1');
        expect(await add('run/1')).toEqual(first);
        expect(await stage.count()).toBe(1);
        expect((await add('run/2')).id).not.toBe(first.id);
        expect(await stage.count()).toBe(2);
      }));

    test('adds once for a key also where a person has ticked it off since', () =>
      on(async (stage) => {
        const { id } = await stage.list.add({ title: 'Once' }, { key: 'k' });
        await stage.tick(id);
        expect(await stage.list.add({ title: 'Once' }, { key: 'k' })).toMatchObject({ id, status: 'done' });
        expect(await stage.count()).toBe(1);
      }));

    test('closes a to-do, also a second time, and says where it is gone', () =>
      on(async (stage) => {
        const { id } = await stage.list.add({ title: 'Send the reply' }, { key: 'k' });
        await stage.list.add({ title: 'Another' }, { key: 'l' });
        await stage.list.close(id, {});
        await stage.list.close(id, {});
        expect(await stage.list.list({ status: 'open', limit: 10 })).toMatchObject([{ title: 'Another' }]);
        expect(await stage.list.list({ status: 'done', limit: 10 })).toMatchObject([{ id }]);
        await expect(stage.list.close('gone', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }));

    test('gives the newest first, of a status where one is named, and no more than asked for', () =>
      on(async (stage) => {
        const titles = Array.from({ length: 8 }, (_, i) => `number ${i}`);
        const ids: string[] = [];
        for (const title of titles) ids.push((await stage.list.add({ title }, { key: title })).id);
        for (const id of [ids[1], ids[3]]) await stage.tick(id ?? '');
        const listed = async (status: 'open' | 'done' | undefined, limit: number) =>
          (await stage.list.list({ status, limit })).map(({ title }) => title);
        expect(await listed('open', 100)).toEqual(titles.filter((_, i) => i !== 1 && i !== 3).reverse());
        expect(await listed('open', 2)).toEqual(['number 7', 'number 6']);
        expect((await listed('done', 100)).sort()).toEqual(['number 1', 'number 3']);
        expect((await listed(undefined, 100)).sort()).toEqual(titles);
      }));

    test('rejects with the reason of an abort, and adds nothing', () =>
      on(async (stage) => {
        const signal = AbortSignal.abort(new Error('enough'));
        await expect(stage.list.list({ limit: 1, signal })).rejects.toThrow('enough');
        await expect(stage.list.add({ title: 'x' }, { key: 'k', signal })).rejects.toThrow('enough');
        expect(await stage.count()).toBe(0);
      }));
  });
}

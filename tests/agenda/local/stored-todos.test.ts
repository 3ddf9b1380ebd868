import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TodoList } from '../../../engine/src/agenda/agenda.ts';
import {
  createStoredTodos,
  listTodos,
  removeTodo,
  setTodoStatus,
} from '../../../engine/src/agenda/local/stored-todos.ts';
import { SimulatedClock } from '../../../engine/src/base/clock.ts';
import { openSqlite } from '../../../engine/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../engine/src/store/store.ts';

let dir: string;
let store: Store;
let clock: SimulatedClock;
let list: TodoList;
let added: string[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'callsheet-todos-'));
  store = openSqlite({ dir, synchronous: 'NORMAL' });
  clock = new SimulatedClock();
  added = [];
  list = createStoredTodos({ store, clock, onTodo: (id) => void added.push(id) });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

test('onTodo is called once for a new to-do, and not for one that is there already', async () => {
  const { id } = await list.add({ title: 'Call back' }, { key: 'run/1' });
  await list.add({ title: 'Call back' }, { key: 'run/1' });
  expect(added).toEqual([id]);
});

test('pages follow each other without a gap or a repeat, also among to-dos of one moment', async () => {
  for (const [n, ms] of [0, 1000, 0, 0, 1000].entries()) {
    clock.advance(ms);
    await list.add({ title: `number ${n}` }, { key: `run/${n}` });
  }
  const pages: string[][] = [];
  for (let page = await listTodos(store, { limit: 2 }); page.length > 0;) {
    pages.push(page.map(({ title }) => title));
    const [last] = page.slice(-1);
    page = await listTodos(store, { limit: 2, after: last && { at: Date.parse(last.createdAt), id: last.id } });
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  const titles = pages.flat();
  expect([titles[0], titles[4]]).toEqual(['number 4', 'number 0']);
  expect(titles.slice(1, 4).sort()).toEqual(['number 1', 'number 2', 'number 3']);
});

test('a to-do is ticked off, back on, and removed', async () => {
  const { id } = await list.add({ title: 'Call back' }, { key: 'run/1' });
  expect(await setTodoStatus(store, id, 'done')).toMatchObject({ id, title: 'Call back', status: 'done' });
  expect(await list.list({ status: 'open', limit: 10 })).toEqual([]);
  expect(await setTodoStatus(store, id, 'open')).toMatchObject({ status: 'open' });
  await removeTodo(store, id);
  expect(await list.list({ limit: 10 })).toEqual([]);
  await expect(setTodoStatus(store, id, 'done')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(removeTodo(store, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

import { isoTime, type Clock } from '../base/clock.ts';
import { EngineError } from '../base/error.ts';
import { sha256 } from '../base/json.ts';
import type { Row, Store } from '../store/store.ts';
import type { NewTodo, Todo, TodoList } from './agenda.ts';

/**
 * The to-do list in our own store, the same for all processes that share it. The id of a to-do follows from the key, so that
 * a second row for it cannot be.
 */
export function createStoredTodos({ store, clock }: { readonly store: Store; readonly clock: Clock }): TodoList {
  return {
    async add(todo, { key, signal }) {
      signal?.throwIfAborted();
      const at = clock.now();
      const row = { id: `todo_${sha256(`todo ${key}`).slice(0, 26)}`, status: 'open', at, body: JSON.stringify(todo) };
      try {
        await store.apply([{ op: 'insert', table: 'todo', row }]);
        return todoOf(row);
      } catch (error) {
        const there = isConflict(error) ? await store.get('todo', { id: row.id }) : undefined;
        if (there === undefined) throw error;
        return todoOf(there);
      }
    },
    async list({ status, limit, signal }) {
      signal?.throwIfAborted();
      const rows = await store.list('todo', {
        ...(status !== undefined && { where: [['status', '=', status]] }),
        order: [
          ['at', 'desc'],
          ['id', 'asc'],
        ],
        limit,
      });
      return rows.map(todoOf);
    },
  };
}

function todoOf({ id, status, at, body }: Row<'todo'>): Todo {
  return { id, ...(JSON.parse(body) as NewTodo), status: status === 'done' ? 'done' : 'open', createdAt: isoTime(at) };
}

function isConflict(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_CONFLICT';
}

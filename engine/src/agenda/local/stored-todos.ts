import { isoTime, type Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/error.ts';
import { sha256 } from '../../base/json.ts';
import { listAfter, type RowsAfter } from '../../store/list-after.ts';
import type { Reader, Row, Store } from '../../store/store.ts';
import type { NewTodo, Todo, TodoList } from '../agenda.ts';
import { bodyOf } from '../../store/damaged-row.ts';
import { readableRows } from '../../store/readable-rows.ts';

type StoredBody = NewTodo & Pick<Todo, 'closedBy'>;

/** A to-do of the local list. */
export type LocalTodo = Todo & Required<Pick<Todo, 'createdAt'>>;

/**
 * The to-do list in our own store, shared by all processes of the store. The id of a to-do is made from the key, so
 * that there is only one row for it. `onTodo` is called for each new one.
 */
export function createStoredTodos({
  store,
  clock,
  onTodo = () => {},
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly onTodo?: (id: string) => void;
}): TodoList {
  return {
    async add(todo, { key, signal }) {
      signal?.throwIfAborted();
      const at = clock.now();
      const row = { id: `todo_${sha256(`todo ${key}`).slice(0, 26)}`, status: 'open', at, body: JSON.stringify(todo) };
      try {
        await store.apply([{ op: 'insert', table: 'todo', row }]);
      } catch (error) {
        const stored = isConflict(error) ? await store.get('todo', { id: row.id }) : undefined;
        if (stored === undefined) throw error;
        return todoOf(stored);
      }
      onTodo(row.id);
      return todoOf(row);
    },
    async list({ signal, ...query }) {
      signal?.throwIfAborted();
      const readable = readableRows(store, () => {});
      return listTodos(readable, query);
    },
    async close(id, { signal }) {
      signal?.throwIfAborted();
      await setTodoStatus(store, id, 'done');
    },
  };
}

/** Lists to-dos of the local list, newest first, after a cursor. */
export async function listTodos(
  reader: Reader,
  { status, where = [], ...page }: RowsAfter<'todo'> & { readonly status?: Todo['status'] | undefined },
): Promise<LocalTodo[]> {
  const wanted = status === undefined ? where : [...where, ['status', '=', status] as const];
  const rows = await listAfter(reader, 'todo', { ...page, where: wanted, by: ['at', 'desc'], ids: 'asc' });
  return rows.map(todoOf);
}

/** Sets the status of a to-do; no effect if it has that status. Throws `NOT_FOUND`. */
export async function setTodoStatus(store: Store, id: string, status: Todo['status']): Promise<LocalTodo> {
  const row = await store.get('todo', { id });
  if (row === undefined) throw noTodo(id);
  const { closedBy: _before, ...todo } = bodyOf<StoredBody>('todo', row);
  const body = JSON.stringify(todo);
  try {
    if (row.status !== status) await store.apply([{ op: 'update', table: 'todo', key: { id }, set: { status, body } }]);
  } catch (error) {
    // Deleted meanwhile.
    throw isConflict(error) ? noTodo(id) : error;
  }
  return todoOf({ ...row, status, body });
}

/** Closes the open to-dos that asked for a reply to this mail; returns their ids. */
export async function closeRepliedTodos(store: Store, mailId: string): Promise<string[]> {
  const closed: string[] = [];
  // Read whole, since a list of open to-dos is short and no column names the mail.
  const readable = readableRows(store, () => {});
  for (const { id, body } of await readable.list('todo', { where: [['status', '=', 'open']] })) {
    const todo = JSON.parse(body) as StoredBody;
    if (todo.emailId !== mailId || todo.closesOnReply !== true) continue;
    const set = { status: 'done', body: JSON.stringify({ ...todo, closedBy: 'reply' } satisfies StoredBody) };
    try {
      await store.apply([{ op: 'update', table: 'todo', key: { id }, set, expect: { status: 'open' } }]);
      closed.push(id);
    } catch (error) {
      // A person closed or deleted it meanwhile.
      if (!isConflict(error)) throw error;
    }
  }
  return closed;
}

/** Deletes a to-do. Throws `NOT_FOUND`. */
export async function removeTodo(store: Store, id: string): Promise<void> {
  if ((await store.count('todo', [['id', '=', id]])) === 0) throw noTodo(id);
  await store.apply([{ op: 'delete', table: 'todo', where: { id } }]);
}

/** Rows deleted in one commit. */
const BATCH = 500;

/** Deletes to-dos of the local list that are done and were added before `beforeMs`. */
export async function deleteDoneTodos(store: Store, beforeMs: number): Promise<void> {
  for (;;) {
    const rows = await store.list('todo', {
      where: [
        ['status', '=', 'done'],
        ['at', '<', beforeMs],
      ],
      limit: BATCH,
      bodies: false,
    });
    if (rows.length === 0) return;
    // A to-do that a person reopens meanwhile stays.
    await store.apply(rows.map(({ id, status }) => ({ op: 'delete', table: 'todo', where: { id, status } })));
  }
}

function noTodo(id: string): EngineError {
  return new EngineError('NOT_FOUND', `there is no to-do "${id}" in the local list`);
}

function todoOf(row: Row<'todo'>): LocalTodo {
  const { id, status, at } = row;
  return {
    id,
    ...bodyOf<StoredBody>('todo', row),
    status: status === 'done' ? 'done' : 'open',
    createdAt: isoTime(at),
  };
}

function isConflict(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'STORE_CONFLICT';
}

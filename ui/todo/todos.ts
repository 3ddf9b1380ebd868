import { signal } from '@preact/signals';
import type { ErrorBody } from '../../engine/src/base/error.ts';
import { ApiError, errorOfThrown, path, request } from '../http/request.ts';
import type { Page, Todo } from '../http/shapes.ts';
import { attempt } from '../widget/toast.ts';

const PAGE_SIZE = 100;

/** The local list, newest first as the server gives it; undefined until it was asked for. */
export const todos = signal<readonly Todo[] | undefined>(undefined);
/** Where the next page starts; null where there is none. */
export const todosCursor = signal<string | null>(null);
/** Why the last fetch failed, if it did. */
export const todosError = signal<ErrorBody | undefined>(undefined);

/** Fetches the list: as much of it anew as was shown, or one page more. */
export async function loadTodos({ more = false } = {}): Promise<void> {
  const shown = todos.value ?? [];
  let items = more ? shown : [];
  let cursor = more ? todosCursor.value : null;
  try {
    do {
      const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) });
      const page = await request<Page<Todo>>('GET', `/api/todos?${query}`);
      items = [...items, ...page.items];
      cursor = page.nextCursor;
    } while (cursor !== null && items.length < shown.length);
    todos.value = items;
    todosCursor.value = cursor;
    todosError.value = undefined;
  } catch (thrown) {
    todosError.value = errorOfThrown(thrown);
  }
}

/** Fetches again what is shown, if anything is. */
export function refreshTodos(): void {
  if (todos.value !== undefined) void loadTodos();
}

/** Ticks a to-do off, or back on. */
export async function tick({ id }: Todo, isDone: boolean): Promise<void> {
  await attempt(async () => {
    const body = { status: isDone ? 'done' : 'open' };
    const changed = await request<Todo>('PUT', path`/api/todos/${id}`, { body });
    todos.value = todos.value?.map((todo) => (todo.id === id ? changed : todo));
  });
}

/** Deletes a to-do; one that is gone already is no matter. */
export async function remove({ id }: Todo): Promise<void> {
  await attempt(async () => {
    try {
      await request('DELETE', path`/api/todos/${id}`);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 404) throw thrown;
    }
    todos.value = todos.value?.filter((todo) => todo.id !== id);
  });
}
